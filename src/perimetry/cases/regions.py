"""Geometry of annotated regions: overlap, areas of unions, and the pixels that a box takes in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.study import Box

__all__ = ["Rectangle", "Shape", "iou", "overlap_share", "pixel_rectangle", "scaled", "union_area"]

Shape = tuple[int, int]
"""Height and width of an image in pixels."""

_Corners = tuple[float, float, float, float]
"""Top, left, bottom and right in the coordinates of an annotation."""

_SLACK = 1e-6
"""Part of a pixel that is taken for an error of arithmetic: x + width seldom is the whole number that was meant."""


class Rectangle(NamedTuple):
    """Pixels of an image, half open: ``pixels[top:bottom, left:right]``."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def height(self) -> int:
        """Number of rows; 0 or less where it is empty."""
        return self.bottom - self.top

    @property
    def width(self) -> int:
        """Number of columns; 0 or less where it is empty."""
        return self.right - self.left

    @property
    def area(self) -> int:
        """Number of pixels."""
        return max(0, self.height) * max(0, self.width)


def pixel_rectangle(box: Box, shape: Shape) -> Rectangle:
    """The pixels that a box takes in: every pixel that it touches, within the image.

    The first row and column are those of the box's upper left corner rounded down, the last ones end at the lower
    right corner rounded up. A millionth of a pixel is forgiven.

    Parameters
    ----------
    box : Box
    shape : (height, width)

    Examples
    --------
    >>> pixel_rectangle(Box(0, x=1.5, y=2.0, width=3.0, height=2.0), (10, 10))
    Rectangle(top=2, left=1, bottom=4, right=5)
    """
    height, width = shape
    return Rectangle(
        min(max(math.floor(box.y + _SLACK), 0), height),
        min(max(math.floor(box.x + _SLACK), 0), width),
        min(max(math.ceil(box.y + box.height - _SLACK), 0), height),
        min(max(math.ceil(box.x + box.width - _SLACK), 0), width),
    )


def union_area(rectangles: Iterable[Rectangle]) -> int:
    """Pixels that at least one of the rectangles covers, exactly: by cells between all of their edges.

    Examples
    --------
    >>> union_area([Rectangle(0, 0, 2, 2), Rectangle(1, 1, 3, 3)])
    7
    """
    every = [one for one in rectangles if one.area]
    rows, columns = _edges(every)
    return round(_area(_cells(every, rows, columns), rows, columns))


def overlap_share(boxes: Sequence[Box], others: Sequence[Box]) -> float:
    """Share of the area of the union of `boxes` that `others` cover; 0 where `boxes` have no area.

    Boxes on different images have nothing in common.

    Examples
    --------
    >>> overlap_share([Box(0, 0, 0, 4, 4)], [Box(0, 2, 0, 4, 4), Box(1, 0, 0, 4, 4)])
    0.5
    """
    total = common = 0.0
    for image in sorted({box.image for box in boxes}):
        own = [_corners(box) for box in boxes if box.image == image]
        foreign = [_corners(box) for box in others if box.image == image]
        rows, columns = _edges([*own, *foreign])
        covered = _cells(own, rows, columns)
        total += _area(covered, rows, columns)
        common += _area(covered & _cells(foreign, rows, columns), rows, columns)
    return common / total if total > 0 else 0.0


def iou(one: Box, other: Box) -> float:
    """Intersection over union of two boxes; 0 for boxes on different images.

    Examples
    --------
    >>> iou(Box(0, 0, 0, 4, 4), Box(0, 2, 0, 4, 4)) == 8 / 24
    True
    """
    if one.image != other.image:
        return 0.0
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    tall = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    if wide <= 0 or tall <= 0:
        return 0.0
    common = wide * tall
    return common / (one.width * one.height + other.width * other.height - common)


def scaled(box: Box, before: Shape, after: Shape) -> Box:
    """The box at the same relative place of an image of another size.

    Examples
    --------
    >>> scaled(Box(0, 1, 2, 3, 4), (10, 10), (20, 10))
    Box(image=0, x=1.0, y=4.0, width=3.0, height=8.0, classes=frozenset(), finding='')
    """
    down, across = after[0] / before[0], after[1] / before[1]
    return replace(box, x=box.x * across, y=box.y * down, width=box.width * across, height=box.height * down)


def _corners(box: Box) -> _Corners:
    return box.y, box.x, box.y + box.height, box.x + box.width


def _edges(areas: Sequence[_Corners]) -> tuple[list[float], list[float]]:
    rows = sorted({edge for top, _, bottom, _ in areas for edge in (top, bottom)})
    columns = sorted({edge for _, left, _, right in areas for edge in (left, right)})
    return rows, columns


def _cells(areas: Sequence[_Corners], rows: Sequence[float], columns: Sequence[float]) -> NDArray[np.bool_]:
    """Which cells between the edges are covered."""
    covered = np.zeros((max(len(rows) - 1, 0), max(len(columns) - 1, 0)), dtype=np.bool_)
    for top, left, bottom, right in areas:
        covered[rows.index(top) : rows.index(bottom), columns.index(left) : columns.index(right)] = True
    return covered


def _area(covered: NDArray[np.bool_], rows: Sequence[float], columns: Sequence[float]) -> float:
    if not covered.size:
        return 0.0
    return float(np.diff(np.asarray(rows, np.float64)) @ covered @ np.diff(np.asarray(columns, np.float64)))
