"""What a screen found in one item: a candidate, nothing more."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Region", "Severity", "Span"]

Severity = Literal["low", "medium", "high"]
"""
``low``     the cue is there; it says little about the key by itself
``medium``  it can narrow the choice
``high``    it can name the key by itself
"""

STEM = "stem"


@dataclass(frozen=True, slots=True)
class Span:
    """The passage that shows a cue.

    Parameters
    ----------
    field : str
        ``stem``, or the label of an option.
    start, end : int
        Characters of the field's text as the data set has it.
    label : str, default ""
        What was read there.
    """

    field: str
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Region:
    """The part of an image that shows a cue; for screens that look at pixels.

    Parameters
    ----------
    image : int
        Number of the question's image, from 0.
    x, y, width, height : float
        In pixels of that image.
    label : str, default ""
    """

    image: int
    x: float
    y: float
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A cue in an item.

    Parameters
    ----------
    options : tuple of str
        Labels of the options that carry the cue; empty for a cue of the whole item.
    spans : tuple of Span
    severity : {"low", "medium", "high"}
        How strong the cue could be at most. Whether it points at the key is counted apart.
    note : str, default ""
        A few words for a reader: a gap in characters, the other item of a pair.
    regions : tuple of Region

    Examples
    --------
    >>> Finding(("B",), (Span("B", 0, 4, "only"),), "medium").evidence
    '[["B", 0, 4, "only"]]'
    """

    options: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    severity: Severity = "low"
    note: str = ""
    regions: tuple[Region, ...] = ()

    @property
    def evidence(self) -> str:
        """Spans and regions as JSON: ``[field, start, end, label]`` and ``[image, x, y, width, height, label]``."""
        spans = [[span.field, span.start, span.end, span.label] for span in self.spans]
        regions = [[one.image, one.x, one.y, one.width, one.height, one.label] for one in self.regions]
        return json.dumps([*spans, *regions], ensure_ascii=False) if spans or regions else ""
