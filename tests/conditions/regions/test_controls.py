"""Controls keep clear of every box, follow the paper's law or the area of the disease, and depend on nothing else."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.cases.regions import Rectangle, union_area
from perimetry.conditions.regions import disjoint, matched_control, random_control

SHAPE = (200, 300)
DISEASE = (Rectangle(10, 10, 60, 100), Rectangle(40, 90, 90, 140))
OTHER = (Rectangle(150, 200, 190, 290),)
UNTIMED = settings(deadline=None)


def painted(rectangles: tuple[Rectangle, ...], shape: tuple[int, int] = SHAPE) -> np.ndarray:
    grid = np.zeros(shape, int)
    for top, left, bottom, right in rectangles:
        grid[top:bottom, left:right] += 1
    return grid


def test_random_controls_follow_number_and_sizes() -> None:
    sizes = [(0.1, 0.1), (0.05, 0.2), (0.2, 0.05)]
    numbers: Counter[int] = Counter()
    forms: Counter[tuple[int, int]] = Counter()
    centres = []
    for image in range(600):
        control = random_control(42, f"image {image}", "Edema", SHAPE, (*DISEASE, *OTHER), 3, sizes)
        assert control is not None
        assert painted(control).max() == 1  # not over each other
        assert not (painted(control) * painted((*DISEASE, *OTHER))).any()
        numbers[len(control)] += 1
        forms.update((one.height, one.width) for one in control)
        centres += [(one.top + one.bottom) / 2 for one in control]
    # Uniform over 1..3 (200 each; standard deviation 11.5) and over the three sizes.
    assert sorted(numbers) == [1, 2, 3] and all(abs(count - 200) < 50 for count in numbers.values())
    assert set(forms) == {(20, 30), (40, 15), (10, 60)}
    assert max(forms.values()) < 1.25 * min(forms.values())
    assert min(centres) < 15 and max(centres) > 185


def test_random_control_that_does_not_fit_does_not_apply() -> None:
    assert random_control(42, "i", "Edema", SHAPE, DISEASE, 1, [(1.0, 1.0)]) is None
    # One size in ten fits: drawn anew until it does.
    sizes = [(1.0, 1.0)] * 9 + [(0.05, 0.05)]
    control = random_control(42, "i", "Edema", SHAPE, DISEASE, 1, sizes)
    assert control is not None
    assert [(one.height, one.width) for one in control] == [(10, 15)]


def test_matched_control_moves_the_same_boxes() -> None:
    apart = (Rectangle(0, 0, 30, 20), Rectangle(100, 100, 110, 160))
    for image in range(50):
        control = matched_control(42, f"image {image}", "Edema", SHAPE, apart, (*apart, *OTHER))
        assert control is not None
        assert sorted((one.height, one.width) for one in control) == [(10, 60), (30, 20)]
        assert not (painted(control) * painted((*apart, *OTHER))).any()
        assert painted(control).max() == 1


def test_boxes_that_overlap_move_as_one_body() -> None:
    control = matched_control(42, "image", "Edema", SHAPE, DISEASE, (*DISEASE, *OTHER))
    assert control is not None and len(control) == 2
    one, other = control
    assert (other.top - one.top, other.left - one.left) == (30, 80)
    assert union_area(control) == union_area(DISEASE)


def test_large_boxes_are_split_to_the_same_area() -> None:
    # Two fifths of the image, in the middle: nowhere else is a place for it whole.
    box = (Rectangle(40, 60, 160, 260),)
    control = matched_control(42, "image", "Edema", SHAPE, box, box)
    assert control is not None and len(control) > 1
    assert sum(one.area for one in control) == union_area(control) == union_area(box)
    assert not (painted(control) * painted(box)).any()


def test_area_falls_short_where_there_is_no_room() -> None:
    box = (Rectangle(0, 0, 150, 300),)
    control = matched_control(42, "image", "Edema", SHAPE, box, box)
    assert control is not None
    reached = union_area(control) / union_area(box)
    assert 0.25 < reached <= 50 / 150
    assert (
        matched_control(42, "image", "Edema", SHAPE, (Rectangle(0, 0, 200, 300),), (Rectangle(0, 0, 200, 300),)) is None
    )


EDGES = st.tuples(st.integers(0, 150), st.integers(0, 250), st.integers(1, 120), st.integers(1, 120))


@UNTIMED
@given(st.lists(EDGES, min_size=1, max_size=4), st.lists(EDGES, max_size=4), st.integers(0, 1000))
def test_matched_control_never_covers_more_nor_touches_a_box(
    own: list[tuple[int, int, int, int]], others: list[tuple[int, int, int, int]], seed: int
) -> None:
    def made(edges: list[tuple[int, int, int, int]]) -> tuple[Rectangle, ...]:
        return tuple(
            Rectangle(top, left, min(top + height, 200), min(left + width, 300)) for top, left, height, width in edges
        )

    boxes, obstacles = made(own), (*made(own), *made(others))
    control = matched_control(seed, "image", "Edema", SHAPE, boxes, obstacles)
    if control is None:
        return
    assert union_area(control) <= union_area(boxes)
    assert not (painted(control) * painted(obstacles)).any()
    assert all(0 <= one.top < one.bottom <= 200 and 0 <= one.left < one.right <= 300 for one in control)
    assert np.array_equal(painted(disjoint(control)) > 0, painted(control) > 0)


@pytest.mark.parametrize("name", ["random", "matched"])
def test_placements_belong_to_seed_image_and_class(name: str) -> None:
    def control(seed: int, digest: str, finding: str) -> tuple[Rectangle, ...] | None:
        if name == "random":
            return random_control(seed, digest, finding, SHAPE, DISEASE, 3, [(0.1, 0.1)])
        return matched_control(seed, digest, finding, SHAPE, DISEASE, DISEASE)

    keys = [(1, "a", "Edema"), (2, "a", "Edema"), (1, "b", "Edema"), (1, "a", "Fracture")]
    assert len({control(*key) for key in keys}) == 4
    assert [control(*key) for key in reversed(keys)] == [control(*key) for key in keys][::-1]


def test_pinned_placements() -> None:
    """Another version must not move them: stored answers belong to these pixels."""
    assert random_control(42, "image", "Edema", SHAPE, DISEASE, 3, [(0.1, 0.1), (0.2, 0.05)]) == PINNED_RANDOM
    assert matched_control(42, "image", "Edema", SHAPE, DISEASE, DISEASE) == PINNED_MATCHED
    large = (Rectangle(40, 60, 160, 260),)
    assert matched_control(42, "image", "Edema", SHAPE, large, large) == PINNED_SPLIT


PINNED_RANDOM = (
    (92, 247, 112, 277),
    (115, 47, 135, 77),
    (145, 125, 155, 185),
)
PINNED_MATCHED = (
    (35, 143, 85, 233),
    (65, 223, 115, 273),
)
PINNED_SPLIT = (
    (0, 0, 60, 50),
    (0, 50, 30, 100),
    (0, 250, 30, 300),
    (10, 100, 40, 150),
    (10, 150, 40, 200),
    (10, 200, 40, 250),
    (30, 260, 60, 285),
    (60, 0, 120, 50),
    (120, 10, 180, 60),
    (160, 160, 190, 210),
    (160, 250, 190, 300),
    (170, 60, 200, 110),
    (170, 110, 200, 160),
    (170, 210, 200, 235),
)
