"""Sets of rectangles of pixels: their one form, their disjoint parts, what hangs together, and halves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from perimetry.cases.regions import Rectangle

__all__ = ["canonical", "clusters", "disjoint", "halves", "meets"]


def meets(one: Rectangle, other: Rectangle) -> bool:
    """Whether two rectangles have a pixel in common."""
    return one.top < other.bottom and other.top < one.bottom and one.left < other.right and other.left < one.right


def canonical(rectangles: Iterable[Rectangle]) -> tuple[Rectangle, ...]:
    """The rectangles sorted, each once, without empty ones and those that lie inside another.

    Examples
    --------
    >>> canonical([Rectangle(1, 1, 2, 2), Rectangle(0, 0, 4, 4), Rectangle(5, 5, 5, 9)])
    (Rectangle(top=0, left=0, bottom=4, right=4),)
    """
    every = sorted({one for one in rectangles if one.area})
    return tuple(one for one in every if not any(other != one and _inside(one, other) for other in every))


def disjoint(rectangles: Iterable[Rectangle]) -> tuple[Rectangle, ...]:
    """Rectangles without a common pixel that cover the same pixels.

    Those that meet no other stay as they are; the others are cut into rows of cells.

    Examples
    --------
    >>> sum(one.area for one in disjoint([Rectangle(0, 0, 2, 2), Rectangle(1, 1, 3, 3)]))
    7
    """
    parts: list[Rectangle] = []
    for cluster in clusters(canonical(rectangles)):
        parts.extend(cluster if len(cluster) == 1 else _strips(cluster))
    return tuple(sorted(parts))


def clusters(rectangles: Sequence[Rectangle]) -> tuple[tuple[Rectangle, ...], ...]:
    """Groups that hang together by common pixels, the first member's place deciding the order.

    Examples
    --------
    >>> [len(one) for one in clusters([Rectangle(0, 0, 2, 2), Rectangle(5, 5, 6, 6), Rectangle(1, 1, 3, 3)])]
    [2, 1]
    """
    groups: list[list[Rectangle]] = []
    for one in rectangles:
        touched = [group for group in groups if any(meets(one, member) for member in group)]
        merged = [member for group in touched for member in group] + [one]
        groups = (
            [merged if group is touched[0] else group for group in groups if group not in touched[1:]]
            if (touched)
            else [*groups, merged]
        )
    return tuple(tuple(group) for group in groups)


def halves(one: Rectangle) -> tuple[Rectangle, ...]:
    """The two halves across the longer side, equal but for a row or column; the rectangle itself if it is one pixel."""
    top, left, bottom, right = one
    if one.area <= 1:
        return (one,)
    if one.height >= one.width:
        middle = (top + bottom) // 2
        return Rectangle(top, left, middle, right), Rectangle(middle, left, bottom, right)
    middle = (left + right) // 2
    return Rectangle(top, left, bottom, middle), Rectangle(top, middle, bottom, right)


def _inside(one: Rectangle, other: Rectangle) -> bool:
    return other.top <= one.top and other.left <= one.left and one.bottom <= other.bottom and one.right <= other.right


def _strips(cluster: Sequence[Rectangle]) -> list[Rectangle]:
    rows = sorted({edge for one in cluster for edge in (one.top, one.bottom)})
    strips: list[Rectangle] = []
    for top, bottom in pairwise(rows):
        spans = sorted((one.left, one.right) for one in cluster if one.top <= top and bottom <= one.bottom)
        while spans:
            left, right = spans.pop(0)
            while spans and spans[0][0] <= right:
                right = max(right, spans.pop(0)[1])
            strips.append(Rectangle(top, left, bottom, right))
    return strips
