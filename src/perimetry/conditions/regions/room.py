"""A uniformly random place for a group of rectangles that keeps clear of others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.regions import Rectangle, Shape

__all__ = ["moved", "place"]


def moved(group: Sequence[Rectangle], down: int, across: int) -> tuple[Rectangle, ...]:
    """The group shifted as one body."""
    return tuple(Rectangle(one.top + down, one.left + across, one.bottom + down, one.right + across) for one in group)


def place(
    group: Sequence[Rectangle], shape: Shape, obstacles: Sequence[Rectangle], raw: int, *, wedged: bool = False
) -> tuple[Rectangle, ...] | None:
    """Move a group to one of the places where it lies inside the image and meets no obstacle, all equally likely.

    The forbidden shifts are a union of rectangles in the plane of shifts, one for each pair of a member and an
    obstacle; free shifts are counted in the cells between the edges of these, so that the cost does not depend on
    the size of the image and a free place is found whenever there is one.

    Parameters
    ----------
    group : sequence of Rectangle
        Keeps its arrangement. Not empty.
    shape : (height, width)
    obstacles : sequence of Rectangle
    raw : int
        A raw 64-bit integer: it chooses among the free places in reading order.
    wedged : bool, default False
        Whether only corners of the free room count: places where neither a step up or down nor one to the left or
        right is free. Nothing is wasted between pieces that are laid so.

    Returns
    -------
    tuple of Rectangle or None
        None where there is no such place.

    Examples
    --------
    >>> place([Rectangle(0, 0, 2, 2)], (2, 5), [Rectangle(0, 1, 2, 3)], raw=2**63)
    (Rectangle(top=0, left=3, bottom=2, right=5),)
    """
    top, left = min(one.top for one in group), min(one.left for one in group)
    # Shifts of the group's upper left corner: first and last but one.
    rows = shape[0] - (max(one.bottom for one in group) - top) + 1
    columns = shape[1] - (max(one.right for one in group) - left) + 1
    if rows <= 0 or columns <= 0:
        return None
    forbidden = []
    for one in group:
        for other in obstacles:
            upper = max(other.top - one.bottom + 1 + top, 0)
            lower = min(other.bottom - one.top + top, rows)
            first = max(other.left - one.right + 1 + left, 0)
            last = min(other.right - one.left + left, columns)
            if upper < lower and first < last:
                forbidden.append((upper, first, lower, last))
    down = sorted({0, rows, *(edge for upper, _, lower, _ in forbidden for edge in (upper, lower))})
    across = sorted({0, columns, *(edge for _, first, _, last in forbidden for edge in (first, last))})
    free = np.ones((len(down) - 1, len(across) - 1), dtype=np.bool_)
    for upper, first, lower, last in forbidden:
        free[
            bisect_left(down, upper) : bisect_left(down, lower), bisect_left(across, first) : bisect_left(across, last)
        ] = False
    chosen = _corner(free, down, across, raw) if wedged else _anywhere(free, down, across, raw)
    return None if chosen is None else moved(group, chosen[0] - top, chosen[1] - left)


def _anywhere(free: NDArray[np.bool_], down: Sequence[int], across: Sequence[int], raw: int) -> tuple[int, int] | None:
    """A free shift, all equally likely."""
    widths = np.diff(across)
    in_row = free @ widths  # free shifts in each line of a band of cells
    bands = np.cumsum(in_row * np.diff(down))
    total = int(bands[-1])
    if total == 0:
        return None
    chosen = raw * total >> 64
    band = int(np.searchsorted(bands, chosen, side="right"))
    line, at = divmod(chosen - (int(bands[band - 1]) if band else 0), int(in_row[band]))
    spans = np.cumsum(free[band] * widths)
    cell = int(np.searchsorted(spans, at, side="right"))
    return down[band] + line, across[cell] + at - (int(spans[cell - 1]) if cell else 0)


def _corner(free: NDArray[np.bool_], down: Sequence[int], across: Sequence[int], raw: int) -> tuple[int, int] | None:
    """A shift at a corner of the free room, all equally likely."""
    framed = np.pad(free, 1)
    corners = set()
    for vertical in (0, 1):
        for horizontal in (0, 1):
            # The cell beyond this end of the band, and the one beyond this end of the column, are closed.
            beyond = framed[2 * vertical : 2 * vertical + free.shape[0], 1:-1]
            beside = framed[1:-1, 2 * horizontal : 2 * horizontal + free.shape[1]]
            for row, column in np.argwhere(free & ~beyond & ~beside).tolist():
                corners.add((down[row + vertical] - vertical, across[column + horizontal] - horizontal))
    if not corners:
        return None
    return sorted(corners)[raw * len(corners) >> 64]
