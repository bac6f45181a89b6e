"""Intervals without width are not shown as precise."""

from __future__ import annotations

import math

import pytest

from perimetry.protocols.occlusion.precision import shown
from perimetry.runs.estimates import Estimate


def row(metric, value, low, high, groups=20, **more):
    return Estimate("occlusion", "d", "m", metric, value=value, ci_low=low, ci_high=high, n=30, groups=groups, **more)


def test_an_interval_with_width_is_left_as_it_is():
    one = row("mu_f1", 1.0, 0.9, 1.0)
    assert shown([one])[0] is one


def test_rates_at_the_edge_get_the_interval_of_wilson():
    # Wilson's bound at 0 of n has the closed form z^2 / (n + z^2), and at n of n its mirror image.
    bound = 1.959964**2 / (20 + 1.959964**2)
    none, every = shown([row("flip_rate", 0.0, 0.0, 0.0), row("false_statement_rate", 1.0, 1.0, 1.0)])
    assert [none.ci_low, none.ci_high] == pytest.approx([0.0, bound], abs=1e-6)
    assert [every.ci_low, every.ci_high] == pytest.approx([1 - bound, 1.0], abs=1e-6)
    assert "Wilson" in none.method


def test_f1_goes_by_its_recall():
    recall = shown([row("flip_rate", 0.0, 0.0, 0.0)])[0].ci_high
    found = shown([row("f1", 0.0, 0.0, 0.0)])[0].ci_high
    # Of 1000 studies that all show the class, `recall` of them stated: precision is 1.
    assert found == pytest.approx(2 / (1 / recall + 1 / 1.0))


@pytest.mark.parametrize("metric", ["delta_oco", "balanced_accuracy", "f1_14"])
def test_other_intervals_without_width_are_left_out(metric):
    one = shown([row(metric, 0.0, 0.0, 0.0)])[0]
    assert math.isnan(one.ci_low)
    assert math.isnan(one.ci_high)
    assert one.value == 0.0


def test_differences_of_models_are_no_shares():
    assert math.isnan(shown([row("flip_rate", 0.0, 0.0, 0.0, comparator="model:other")])[0].ci_high)


def test_a_missing_value_stays_missing():
    one = row("f1", math.nan, math.nan, math.nan)
    assert shown([one])[0] is one
