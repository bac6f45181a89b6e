"""Areas and overlaps against counting on a fine grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.cases.regions import Rectangle, iou, overlap_share, pixel_rectangle, scaled, union_area
from perimetry.cases.study import Box

UNTIMED = settings(deadline=None)
WHOLE = st.integers(0, 20)
BOXES = st.builds(
    lambda x, y, width, height, image: Box(image, x, y, width, height),
    WHOLE,
    WHOLE,
    st.integers(1, 15),
    st.integers(1, 15),
    st.integers(0, 1),
)


def painted(boxes: list[Box], image: int) -> np.ndarray:
    """The boxes of one image on a grid of cells of side 1."""
    grid = np.zeros((40, 40), bool)
    for box in boxes:
        if box.image == image:
            grid[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)] = True
    return grid


@UNTIMED
@given(st.lists(BOXES, min_size=1, max_size=6), st.lists(BOXES, max_size=6))
def test_overlap_share_is_what_a_painted_grid_counts(boxes: list[Box], others: list[Box]) -> None:
    own, foreign = ([painted(each, image) for image in (0, 1)] for each in (boxes, others))
    total = sum(grid.sum() for grid in own)
    common = sum((one & other).sum() for one, other in zip(own, foreign, strict=True))
    assert overlap_share(boxes, others) == pytest.approx(common / total)


@UNTIMED
@given(BOXES, BOXES)
def test_iou_is_what_a_painted_grid_counts(one: Box, other: Box) -> None:
    if one.image != other.image:
        assert iou(one, other) == 0
        return
    a, b = painted([one], one.image), painted([other], one.image)
    assert iou(one, other) == pytest.approx((a & b).sum() / (a | b).sum())
    assert iou(one, other) == iou(other, one)


@UNTIMED
@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE, WHOLE), max_size=7))
def test_union_area_counts_cells(edges: list[tuple[int, int, int, int]]) -> None:
    grid = np.zeros((25, 25), bool)
    for top, left, bottom, right in edges:
        grid[top:bottom, left:right] = True
    assert union_area(Rectangle(*one) for one in edges) == grid.sum()


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (Box(0, 0, 0, 10, 10), (0, 0, 10, 10)),
        (Box(0, 1.2, 2.7, 3.1, 1.0), (2, 1, 4, 5)),
        (Box(0, 0.1 + 0.2, 0, 2.7, 1), (0, 0, 1, 3)),  # 0.30000000000000004 + 2.7 is a little above 3
        (Box(0, 2.9999999999, 0, 1, 1), (0, 3, 1, 4)),
        (Box(0, -0.4, 8, 3, 2.5), (8, 0, 10, 3)),
    ],
)
def test_every_pixel_that_a_box_touches_is_its_own(box: Box, expected: tuple[int, int, int, int]) -> None:
    assert tuple(pixel_rectangle(box, (10, 10))) == expected


def test_a_scaled_box_keeps_its_shares() -> None:
    box = scaled(Box(0, 10, 20, 30, 40, frozenset({"Edema"}), "oedema"), (100, 200), (50, 800))
    assert (box.x / 800, box.y / 50, box.width / 800, box.height / 50) == (10 / 200, 20 / 100, 30 / 200, 40 / 100)
    assert box.classes == {"Edema"}
