"""Geometry of annotated regions: overlap, areas of unions, and the pixels that a box takes in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from perimetry.cases.study import Box

__all__ = ["Rectangle", "Shape", "iou", "overlap_share", "pixel_rectangle", "scaled", "union_area"]

Shape = tuple[int, int]
"""Height and width of an image in pixels."""

_SLACK = 1e-6
"""Part of a pixel that is taken for an error of arithmetic: x + width seldom is the whole number that was meant."""


class Rectangle(NamedTuple):
    """A region between coordinates, `bottom` and `right` not included; whole numbers where it holds pixels."""

    top: float
    left: float
    bottom: float
    right: float

    @property
    def area(self) -> float:
        """Height times width; 0 where it is empty."""
        return max(0, self.bottom - self.top) * max(0, self.right - self.left)

    def meets(self, other: Rectangle) -> bool:
        """Whether the two have any area in common."""
        return (
            self.top < other.bottom and other.top < self.bottom and self.left < other.right and other.left < self.right
        )


def of_box(box: Box) -> Rectangle:
    """The rectangle of a box, in its own coordinates."""
    return Rectangle(box.y, box.x, box.y + box.height, box.x + box.width)


def pixel_rectangle(box: Box, shape: Shape) -> Rectangle:
    """The pixels that a box takes in: every pixel that it touches, within the image.

    The first row and column are those of the box's upper left corner rounded down, the last ones end at the lower
    right corner rounded up. A millionth of a pixel is forgiven.

    Parameters
    ----------
    box : Box
    shape : (height, width)

    Returns
    -------
    Rectangle
        Whole numbers, half open: ``pixels[top:bottom, left:right]``.

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


def union_area(rectangles: Iterable[Rectangle]) -> float:
    """Area that at least one of the rectangles covers, exactly: by cells between all of their edges.

    Examples
    --------
    >>> union_area([Rectangle(0, 0, 2, 2), Rectangle(1, 1, 3, 3)])
    7.0
    """
    every = [one for one in rectangles if one.area > 0]
    if not every:
        return 0.0
    rows, columns = _edges(every)
    return _area(_cells(every, rows, columns), rows, columns)


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
        own = [of_box(box) for box in boxes if box.image == image]
        foreign = [of_box(box) for box in others if box.image == image]
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


def _edges(rectangles: Sequence[Rectangle]) -> tuple[list[float], list[float]]:
    rows = sorted({edge for one in rectangles for edge in (one.top, one.bottom)})
    columns = sorted({edge for one in rectangles for edge in (one.left, one.right)})
    return rows, columns


def _cells(
    rectangles: Sequence[Rectangle], rows: Sequence[float], columns: Sequence[float]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which cells between the edges are covered."""
    covered = np.zeros((max(len(rows) - 1, 0), max(len(columns) - 1, 0)), dtype=np.bool_)
    for one in rectangles:
        covered[rows.index(one.top) : rows.index(one.bottom), columns.index(one.left) : columns.index(one.right)] = True
    return covered


def _area(
    covered: np.ndarray[tuple[int, int], np.dtype[np.bool_]], rows: Sequence[float], columns: Sequence[float]
) -> float:
    return float(np.diff(np.asarray(rows, np.float64)) @ covered @ np.diff(np.asarray(columns, np.float64)))
