"""Planted marks found on phantoms and smoothed radiographs, and none on clean ones."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.screening.images.planting import backgrounds, phantom, plant_mark

from perimetry.screening.images.luma import grey_levels
from perimetry.screening.images.marks import drawn_marks
from perimetry.screening.images.panels import burnt_in_panels

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

PICTURES = 100
WANTED = {
    "colour": ({"coloured mark", "coloured area"}, 0.98),
    "box": ({"white box"}, 0.90),
    "circle": ({"white circle"}, 0.90),
    "arrow": ({"white arrow", "white arrowhead"}, 0.70),
}


@pytest.mark.parametrize("kind", WANTED)
def test_planted_marks_are_found(shared_data, kind):
    kinds, least = WANTED[kind]
    found, missed, unseen = 0, [], 0
    for number, under in enumerate(backgrounds(PICTURES, shared_data)):
        planted = plant_mark(under, number, kind)
        if planted is None:
            unseen += 1
            continue
        hit = any(
            mark.kind in kinds and planted.frame.share_in(mark.frame.grown(3)) >= 0.6
            for mark in drawn_marks(planted.pixels)
        )
        found += hit
        if not hit:
            missed.append((number, planted.what))
    print(f"{kind}: {found} of {PICTURES - unseen}, {unseen} on white left out; missed {missed}")
    assert unseen <= 10
    assert found >= least * (PICTURES - unseen)


def test_clean_phantoms_hold_at_most_two_false_marks_of_a_kind():
    false: Counter[str] = Counter()
    for number in range(PICTURES):
        pixels = phantom(number)
        false.update(mark.kind for mark in drawn_marks(pixels))
        false.update(panel.kind for panel in burnt_in_panels(grey_levels(pixels)))
    print(f"false alarms: {dict(false)}")
    assert all(count <= 2 for count in false.values())
