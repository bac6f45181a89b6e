"""Views of an image for the text detector: pieces of a bounded size, and how they are scaled."""

from __future__ import annotations

import math
from dataclasses import dataclass

from perimetry.screening.images.reading import Frame

__all__ = ["View", "views"]

PIECE = 1100
"""Longest side of a piece in pixels of the image: at the scale below, letters of 10 pixels keep 5."""
OVERLAP = 160
SIDE = 544
"""Longest side of what the detector sees. Larger is not better: a lone word in a large view escapes the detector."""
LARGEST_SCALE = 2.0
STEP = 32
"""The detector takes sides that are multiples of it."""


@dataclass(frozen=True, slots=True)
class View:
    """A piece of an image and the size at which the detector sees it.

    Parameters
    ----------
    piece : Frame
    width, height : int
        Size of the view in pixels, multiples of 32.
    """

    piece: Frame
    width: int
    height: int


def views(height: int, width: int, *, side: int = SIDE, piece: int = PIECE) -> tuple[View, ...]:
    """Pieces that together cover an image; one piece unless a side is longer than `piece`.

    Parameters
    ----------
    height, width : int
        Of the image, at least 1.
    side : int, default 544
        Longest side of a view.
    piece : int, default 1100
        Longest side of a piece.

    Examples
    --------
    >>> views(512, 256)
    (View(piece=Frame(x=0, y=0, width=256, height=512), width=256, height=544),)
    >>> len(views(1500, 2321))
    6
    """
    return tuple(
        View(Frame(x, y, across, down), *_scaled(across, down, side))
        for y, down in _cuts(height, piece)
        for x, across in _cuts(width, piece)
    )


def _cuts(length: int, piece: int) -> list[tuple[int, int]]:
    """Starts and lengths of equal pieces that overlap."""
    if length <= piece:
        return [(0, length)]
    count = math.ceil((length - OVERLAP) / (piece - OVERLAP))
    size = math.ceil((length + (count - 1) * OVERLAP) / count)
    return [(round(number * (length - size) / (count - 1)), size) for number in range(count)]


def _scaled(width: int, height: int, side: int) -> tuple[int, int]:
    scale = min(LARGEST_SCALE, side / max(width, height))
    return _stepped(width * scale), _stepped(height * scale)


def _stepped(length: float) -> int:
    return max(STEP, round(length / STEP) * STEP)
