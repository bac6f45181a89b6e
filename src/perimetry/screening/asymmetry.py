"""Cues that some options carry and others do not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from perimetry.screening.finding import Finding, Severity, Span
from perimetry.screening.item import Choice, Item

__all__ = ["asymmetric", "matches", "whole"]

_WEAKER: dict[Severity, Severity] = {"high": "medium", "medium": "low", "low": "low"}


def asymmetric(
    item: Item, carried: Mapping[str, Sequence[Span]], severity: Severity = "medium", note: str = ""
) -> Finding | None:
    """A finding where some options but not all carry a cue.

    Parameters
    ----------
    item : Item
    carried : mapping of label to spans
        Options that carry the cue; labels without spans are left out.
    severity : {"low", "medium", "high"}
        Where one option stands alone; one step lower where several carry the cue.
    note : str, default ""
    """
    labels = tuple(option.label for option in item.options if carried.get(option.label))
    if not labels or len(labels) == len(item.options):
        return None
    spans = tuple(span for label in labels for span in carried[label])
    return Finding(labels, spans, severity if len(labels) == 1 else _WEAKER[severity], note)


def matches(option: Choice, pattern: re.Pattern[str], label: str = "") -> list[Span]:
    """Every match of a pattern in an option."""
    return [
        Span(option.label, found.start(), found.end(), label or found[0].lower())
        for found in pattern.finditer(option.text)
        if found[0]
    ]


def whole(option: Choice, label: str = "") -> Span:
    """The whole option."""
    return Span(option.label, 0, len(option.text), label)
