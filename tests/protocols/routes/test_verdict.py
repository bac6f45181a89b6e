"""Each line of the ruling, from made-up intervals."""

from __future__ import annotations

import math

import pytest

from perimetry.protocols.routes.verdict import rule
from perimetry.runs.estimates import Estimate


def row(metric, condition, low, high, stratum="all"):
    return Estimate("routes", "macro", "m", metric, condition, "", stratum, (low + high) / 2, low, high)


def rows(full, bare, text, gain, image):
    """Intervals as (low, high): above chance of full, optionsonly, textonly; gain_full; image_effect."""
    found = [
        row("above_chance", "full", *full), row("above_chance", "optionsonly", *bare),
        row("above_chance", "textonly", *text), row("gain_full", "full", *gain), row("image_effect", "full", *image),
    ]  # fmt: skip
    return [
        *found,
        *(row("accuracy", route, 0.3, 0.5) for route in ("full", "textonly", "optionsonly", "imageoptions")),
    ]


UP, NONE, SMALL = (0.1, 0.3), (-0.1, 0.1), (-0.03, 0.03)


@pytest.mark.parametrize(
    ("intervals", "verdict"),
    [
        ((UP, UP, UP, NONE, NONE), "options give the key away"),
        ((UP, NONE, UP, UP, NONE), "text gives the key away"),
        ((UP, UP, UP, UP, UP), "above chance without the image"),
        ((UP, NONE, NONE, UP, UP), "needs the image"),
        ((UP, NONE, NONE, UP, NONE), "needs more than options"),
        ((UP, NONE, NONE, NONE, NONE), "not resolved"),
        ((NONE, NONE, NONE, NONE, NONE), "not resolved"),
        ((SMALL, NONE, NONE, NONE, NONE), "no better than chance"),
    ],
)
def test_the_first_line_that_holds(intervals, verdict):
    found = rule("m", rows(*intervals))
    assert found.verdict == verdict
    assert "[" in found.reason
    assert found.missing == ()


def test_a_place_that_holds_the_key_is_no_give_away_of_the_options():
    loses = row("order_gap", "full", 0.1, 0.3)
    assert rule("m", [*rows(UP, UP, UP, NONE, NONE), loses]).verdict == "rests on the order of options"
    little = row("order_gap", "full", 0.01, 0.05)
    assert rule("m", [*rows(UP, UP, UP, NONE, NONE), little]).verdict == "options give the key away"
    unresolved = row("order_gap", "full", -0.1, 0.5)
    assert rule("m", [*rows(UP, UP, UP, NONE, NONE), unresolved]).verdict == "options give the key away"


def test_missing_routes_are_named_with_what_they_lack():
    unasked = Estimate("routes", "macro", "m", "accuracy", "textonly")
    unanswered = Estimate("routes", "macro", "m", "accuracy", "optionsonly", missing=9)
    found = rule("m", [row("accuracy", "full", 0.4, 0.6), row("above_chance", "full", 0.1, 0.3), unasked, unanswered])
    assert found.verdict == "not measured"
    assert found.missing == ("textonly", "optionsonly", "imageoptions")
    for words in ("textonly (no item that it applies to)", "optionsonly (no answers)", "imageoptions (not part of"):
        assert words in found.reason
    assert "50.0% [40.0, 60.0]" in found.reason


def test_nothing_measured_at_all():
    empty = Estimate("routes", "macro", "m", "accuracy", "full", value=math.nan)
    assert rule("m", [empty]).verdict == "not measured"


def test_a_place_that_draws_answers_is_named():
    excess = [
        row("position_excess", "order", 0.2, 0.4, "place 2"),
        row("position_excess", "order", 0.0, 0.2, "place 3"),
    ]
    assert rule("m", excess).position.startswith("Place 2 draws answers")
    assert rule("m", [row("position_excess", "order", 0.01, 0.03, "place 1")]).position == ""
