"""Boxes in every wrong form, against corners worked out by hand."""

from __future__ import annotations

import math

import pytest

from perimetry.cases import CaseError
from perimetry.cases.boxes import CUT, fit_box, note_boxes, note_cut, scaled_corners
from perimetry.cases.funnel import Funnel


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ((10, 20, 30, 40), (10, 20, 30, 40)),
        ((-5, 20, 30, 40), (0, 20, 25, 40)),
        ((90, 180, 12, 25), (90, 180, 10, 20)),
        (("10.5", "20", "1", "1"), (10.5, 20, 1, 1)),
        ((0, 0, 100, 200), (0, 0, 100, 200)),
    ],
)
def test_boxes_are_cut_to_the_image(given, fitted):
    assert fit_box(given, (100, 200)) == fitted


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((10, 20, 0, 40), "without area"),
        ((10, 20, 30, -4), "without area"),
        ((0.1, 0.2, 0.3, 0.4), "in fractions"),
        ((200, 20, 30, 40), "outside its image"),
        ((-40, 20, 30, 40), "outside its image"),
        ((90, 180, 30, 40), "less than half lies in"),
        ((1, 2, 3), "not four numbers"),
        ((1, 2, 3, None), "not four numbers"),
        ((1, 2, 3, math.nan), "not four numbers"),
        ((1, 2, 3, math.inf), "not four numbers"),
    ],
)
def test_boxes_in_pixels_that_cannot_be(given, reason):
    with pytest.raises(CaseError, match=reason):
        fit_box(given, (100, 200))


def test_boxes_without_a_known_size_and_of_another_size():
    assert fit_box((90, 20, 30, 40), None) == (90, 20, 30, 40)
    assert fit_box((512, 256, 256, 128), (512, 2048), scale=(0.5, 2.0)) == (256, 512, 128, 256)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((10, 20, 30, 40), "in pixels where fractions"),
        ((0.5, 0.2, 0.5, 0.4), "without area"),
        ((0.6, 0.2, 0.5, 0.4), "wrong way round"),
        ((-0.2, 0.2, 0.0, 0.4), "outside its image"),
        ((0.9, 0.9, 1.4, 1.4), "less than half lies in"),
        ((1.1, 0.2, 1.4, 0.4), "outside its image"),
        ((0.1, 0.2, 0.5), "not four numbers"),
        (("a", 0.2, 0.5, 0.6), "not four numbers"),
    ],
)
def test_boxes_in_fractions_that_cannot_be(given, reason):
    with pytest.raises(CaseError, match=reason):
        scaled_corners(given, (100, 200))


def test_rounded_corners_are_clipped():
    assert scaled_corners((-0.001, 0.5, 1.001, 1.0), (100, 200)) == (0, 100, 100, 100)


@pytest.mark.parametrize(("given", "cut"), [((-5, 20, 30, 40), 1), ((-0.9, 20, 30, 40), 0), ((10, 20, 30, 40), 0)])
def test_a_cut_beyond_rounding_is_counted(given, cut):
    boxes = Funnel("boxes", entered=1)
    note_cut(given, fit_box(given, (100, 200)), boxes, "s1")
    assert {what: count for what, (count, _) in boxes.mended.items()} == ({CUT: 1} if cut else {})
    funnel = Funnel("mine")
    note_boxes(boxes, funnel)
    assert funnel.notes == (["1 of 1 boxes mended: 1 cut at the edge of the image (s1)"] if cut else [])
