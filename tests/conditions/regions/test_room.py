"""Places against trying every one of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.cases.regions import Rectangle, union_area
from perimetry.conditions.regions import canonical, clusters, disjoint, place
from perimetry.conditions.regions.rectangles import halves

SIDE = 12
UNTIMED = settings(deadline=None)
RECTANGLES = st.builds(
    lambda top, left, height, width: Rectangle(top, left, top + height, left + width),
    st.integers(0, SIDE - 1),
    st.integers(0, SIDE - 1),
    st.integers(1, 6),
    st.integers(1, 6),
)


def painted(rectangles: tuple[Rectangle, ...] | list[Rectangle], side: int = 24) -> np.ndarray:
    grid = np.zeros((side, side), int)
    for top, left, bottom, right in rectangles:
        grid[top:bottom, left:right] += 1
    return grid


def every_place(
    group: list[Rectangle], shape: tuple[int, int], obstacles: list[Rectangle]
) -> list[tuple[Rectangle, ...]]:
    blocked = painted(obstacles, 40) > 0
    found = []
    for down in range(-SIDE, SIDE + 1):
        for across in range(-SIDE, SIDE + 1):
            there = tuple(Rectangle(a + down, b + across, c + down, d + across) for a, b, c, d in group)
            fits = all(a >= 0 and b >= 0 and c <= shape[0] and d <= shape[1] for a, b, c, d in there)
            if fits and not any(blocked[a:c, b:d].any() for a, b, c, d in there):
                found.append(there)
    return found


@UNTIMED
@given(
    st.lists(RECTANGLES, min_size=1, max_size=3),
    st.tuples(st.integers(3, 14), st.integers(3, 14)),
    st.lists(RECTANGLES, max_size=3),
)
def test_every_free_place_is_as_likely_and_no_other(
    group: list[Rectangle], shape: tuple[int, int], obstacles: list[Rectangle]
) -> None:
    free = every_place(group, shape, obstacles)
    if not free:
        assert place(group, shape, obstacles, 12345) is None
        return
    # One raw integer in the middle of each place's share of the 64 bits.
    share = 2**64 // len(free)
    chosen = [place(group, shape, obstacles, at * share + share // 2) for at in range(len(free))]
    assert Counter(chosen) == Counter(free)
    # Wedged: neither up or down nor to the sides can it move.
    there = set(free)
    corners = [
        one
        for one in free
        if any(shifted(one, step, 0) not in there for step in (-1, 1))
        and any(shifted(one, 0, step) not in there for step in (-1, 1))
    ]
    for at in range(3):
        assert place(group, shape, obstacles, at * 2**62, wedged=True) in corners


def shifted(group: tuple[Rectangle, ...], down: int, across: int) -> tuple[Rectangle, ...]:
    return tuple(Rectangle(a + down, b + across, c + down, d + across) for a, b, c, d in group)


@UNTIMED
@given(st.lists(RECTANGLES, max_size=6))
def test_disjoint_parts_cover_the_same_pixels_once(rectangles: list[Rectangle]) -> None:
    parts = disjoint(rectangles)
    assert np.array_equal(painted(parts), painted(rectangles) > 0)
    assert sum(one.area for one in parts) == union_area(rectangles)
    assert np.array_equal(painted(canonical(rectangles)) > 0, painted(rectangles) > 0)


@UNTIMED
@given(st.lists(RECTANGLES, max_size=6))
def test_clusters_share_no_pixel(rectangles: list[Rectangle]) -> None:
    groups = clusters(rectangles)
    assert sorted(one for group in groups for one in group) == sorted(rectangles)
    if groups:
        assert np.max(sum((painted(group) > 0).astype(int) for group in groups)) <= 1
    for group in groups:
        # From its first member every other one is reached over common pixels.
        reached, waiting = {0}, [0]
        while waiting:
            here = painted([group[waiting.pop()]]) > 0
            near = {at for at, one in enumerate(group) if (here & (painted([one]) > 0)).any()} - reached
            reached |= near
            waiting += near
        assert len(reached) == len(group)


@UNTIMED
@given(RECTANGLES)
def test_halves_cover_the_whole(one: Rectangle) -> None:
    parts = halves(one)
    assert np.array_equal(painted(parts), painted([one]))
    assert len(parts) == (1 if one.area == 1 else 2)
    assert max(part.area for part in parts) - min(part.area for part in parts) <= min(one.height, one.width)
