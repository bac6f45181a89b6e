"""Boxes as data sets give them, brought to pixels of the image; those that cannot be are counted with a reason."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel

__all__ = ["CUT", "Rectangle", "fit_box", "note_boxes", "note_cut", "scaled_corners"]

Rectangle = tuple[float, float, float, float]
"""x, y, width, height in pixels, origin at the top left."""

Size = tuple[int, int]

SLACK = 1e-6
# Rounding of normalised corners.
OVERSHOOT = 0.01
# Corners beyond this are no fractions that reach outside.
FRACTIONS = 2.0
ROUNDING = 1.0
"""Pixels by which a box may reach beyond its image without a word: sources round."""
INSIDE = 0.5
"""Share of a box's area that has to lie in its image; below it is of another image, or in another unit."""

CUT = "cut at the edge of the image"


def fit_box(rectangle: Sequence[Any], size: Size | None, *, scale: tuple[float, float] = (1.0, 1.0)) -> Rectangle:
    """A box in pixels, cut to its image.

    Parameters
    ----------
    rectangle : sequence of four numbers
        x, y, width, height; numbers may be texts.
    size : (int, int) or None
        Width and height of the image; None when they are not known, and then nothing is cut.
    scale : (float, float), default (1, 1)
        Pixels of this image to one unit of the box, where the box was drawn on another size.

    Raises
    ------
    CaseError
        When the box is not four finite numbers, has no area, is normalised to 0..1, or less than half of it lies in
        the image.

    Examples
    --------
    >>> fit_box(("900", 10, 200, 50), (1024, 1024))
    (900.0, 10.0, 124.0, 50.0)
    """
    x, y, width, height = _numbers(rectangle)
    if width <= 0 or height <= 0:
        raise CaseError("a box without area")
    if max(x + width, y + height) <= 1 + OVERSHOOT and (size is None or min(size) > 2):
        raise CaseError("a box in fractions of the image where pixels were expected")
    across, down = (x * scale[0], width * scale[0]), (y * scale[1], height * scale[1])
    if size is not None:
        area = across[1] * down[1]
        across, down = _cut(*across, size[0]), _cut(*down, size[1])
        if across[1] * down[1] < INSIDE * area:
            raise CaseError("a box of which less than half lies in its image")
    return (across[0], down[0], across[1], down[1])


def scaled_corners(corners: Sequence[Any], size: Size) -> Rectangle:
    """A box given by its corners x1, y1, x2, y2 as fractions of width and height, in pixels.

    Raises
    ------
    CaseError
        When it is not four finite numbers, is in pixels, has no area, its corners are the wrong way round, or less
        than half of it lies in the image.

    Examples
    --------
    >>> scaled_corners((0.25, 0.5, 0.75, 1.0), (200, 100))
    (50.0, 50.0, 100.0, 50.0)
    """
    x1, y1, x2, y2 = _numbers(corners)
    if max(x1, y1, x2, y2) > FRACTIONS:
        raise CaseError("a box in pixels where fractions of the image were expected")
    if x2 < x1 or y2 < y1:
        raise CaseError("a box whose corners are the wrong way round")
    if max(x1, y1) >= 1 or min(x2, y2) <= 0:
        raise CaseError("a box outside its image")
    left, top, right, bottom = (min(max(value, 0.0), 1.0) for value in (x1, y1, x2, y2))
    if right - left <= SLACK or bottom - top <= SLACK:
        raise CaseError("a box without area")
    if (right - left) * (bottom - top) < INSIDE * (x2 - x1) * (y2 - y1):
        raise CaseError("a box of which less than half lies in its image")
    width, height = size
    return (left * width, top * height, (right - left) * width, (bottom - top) * height)


def note_cut(given: Sequence[Any], fitted: Rectangle, boxes: Funnel, example: str) -> None:
    """Count a box that `fit_box` cut by more than rounding.

    Parameters
    ----------
    given : sequence of four numbers
        x, y, width, height before, in pixels of the image.
    fitted : Rectangle
        The same afterwards.
    boxes : Funnel
        Of boxes.
    example : str
        What the funnel quotes.

    Examples
    --------
    >>> boxes = Funnel("boxes", entered=1)
    >>> note_cut((-5, 0, 10, 10), (0, 0, 5, 10), boxes, "study 7")
    >>> boxes.mended
    {'cut at the edge of the image': (1, ('study 7',))}
    """
    x, y, width, height = _numbers(given)
    before = (x, y, x + width, y + height)
    after = (fitted[0], fitted[1], fitted[0] + fitted[2], fitted[1] + fitted[3])
    if any(abs(one - other) > ROUNDING for one, other in zip(before, after, strict=True)):
        boxes.mend(CUT, example)


def note_boxes(boxes: Funnel, funnel: Funnel) -> None:
    """Tell in the funnel of the studies which boxes were left out.

    Examples
    --------
    >>> boxes, studies = Funnel("boxes", entered=2), Funnel("mine")
    >>> boxes.leave_out("a box without area", "study 7")
    >>> note_boxes(boxes, studies)
    >>> studies.notes
    ['1 of 2 boxes left out: 1 a box without area (study 7)']
    """
    for line in boxes.summary_lines():
        _, _, told = line.partition(": ")
        funnel.note(told.replace(" records ", " boxes ", 1))


def _cut(start: float, length: float, end: int) -> tuple[float, float]:
    # What lies inside keeps its very numbers.
    if start >= 0 and start + length <= end:
        return start, length
    first, last = max(start, 0.0), min(start + length, float(end))
    if last <= first:
        raise CaseError("a box outside its image")
    return first, last - first


def _numbers(values: Iterable[Any]) -> Rectangle:
    try:
        found = [float(value) for value in values]
    except (TypeError, ValueError) as error:
        raise CaseError("a box that is not four numbers") from error
    if len(found) != 4 or not all(map(math.isfinite, found)):
        raise CaseError("a box that is not four numbers")
    return (found[0], found[1], found[2], found[3])
