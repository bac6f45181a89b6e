"""A drawn mark: what somebody laid on a picture to point at something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from perimetry.screening.images.reading import Frame

__all__ = ["Mark", "MarkKind", "in_text"]

MarkKind = Literal["coloured mark", "coloured area", "white box", "white circle", "white arrow", "white arrowhead"]

MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Mark:
    """A drawn mark.

    Parameters
    ----------
    kind : MarkKind
    frame : Frame
    """

    kind: MarkKind
    frame: Frame


def in_text(frame: Frame, text: Iterable[Frame]) -> bool:
    """Whether most of a shape lies in a line of text, and so is a letter."""
    return any(frame.share_in(line.grown(2)) >= MOSTLY for line in text)
