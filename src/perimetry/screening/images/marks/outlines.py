"""White boxes and circles on grey pictures: thin bright lines that close around a rectangle or an ellipse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import ndimage

from perimetry.screening.images.luma import Grey
from perimetry.screening.images.marks.mark import Mark, in_text
from perimetry.screening.images.marks.shapes import EVERY_SIDE, Mask, ellipse_likeness, frame_of, standing_out
from perimetry.screening.images.reading import Frame

__all__ = ["white_outlines"]

THICKEST = 9
SMALLEST = 9
LARGEST_SHARE = 0.3
BOX = 0.93
CIRCLE = 0.92
SLENDER = 6
SAME = 0.6
LEVELS = ((225, 40), (245, 20))
EVEN = 14.0
"""Largest standard deviation of the line's grey levels: a drawn line is even, bone is not."""


def white_outlines(grey: Grey, text: Sequence[Frame] = ()) -> tuple[Mark, ...]:
    """Boxes and circles drawn with lines of up to 8 pixels.

    What such a line encloses is a rectangle or an ellipse; that holds whatever touches the line from outside.

    Parameters
    ----------
    grey : uint8 array, (height, width)
    text : sequence of Frame
        Lines of text: the inside of an O is no circle.

    Examples
    --------
    >>> picture = np.full((64, 64), 80, np.uint8)
    >>> picture[20:50, 10:40] = 255
    >>> picture[22:48, 12:38] = 80
    >>> [mark.kind for mark in white_outlines(picture)]
    ['white box']
    """
    found: list[Mark] = []
    for level, contrast in LEVELS:
        mask = standing_out(grey, THICKEST, level=level, contrast=contrast)
        for mark in _enclosed(grey, mask):
            known = any(mark.frame.share_in(other.frame) >= SAME for other in found)
            if not known and not in_text(mark.frame, text):
                found.append(mark)
    return tuple(found)


def _enclosed(grey: Grey, mask: Mask) -> Iterator[Mark]:
    holes, _ = ndimage.label(~mask)
    height, width = mask.shape
    for number, place in enumerate(ndimage.find_objects(holes), start=1):
        rows, columns = place
        high, wide = rows.stop - rows.start, columns.stop - columns.start
        at_edge = rows.start == 0 or columns.start == 0 or rows.stop == height or columns.stop == width
        if at_edge or min(high, wide) < SMALLEST or max(high, wide) > SLENDER * min(high, wide):
            continue
        if high * wide > LARGEST_SHARE * height * width:
            continue
        hole = ndimage.binary_fill_holes(holes[place] == number)
        share = float(hole.mean())
        if share >= BOX:
            kind = "box"
        elif ellipse_likeness(hole) >= CIRCLE:
            kind = "circle"
        else:
            continue
        if _even(grey, hole, place):
            frame = frame_of(hole, place).grown(2)
            yield Mark("white box" if kind == "box" else "white circle", frame)


def _even(grey: Grey, hole: Mask, place: tuple[slice, slice]) -> bool:
    rows, columns = place
    around = np.pad(hole, 3)
    ring = ndimage.binary_dilation(around, EVERY_SIDE) & ~around
    top, left = rows.start - 3, columns.start - 3
    inside = (
        slice(max(top, 0), min(rows.stop + 3, grey.shape[0])),
        slice(max(left, 0), min(columns.stop + 3, grey.shape[1])),
    )
    ring = ring[
        inside[0].start - top : inside[0].stop - top,
        inside[1].start - left : inside[1].stop - left,
    ]
    line = grey[inside][ring]
    return bool(line.size) and float(line.std()) <= EVEN
