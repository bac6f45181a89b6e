"""Percentile intervals and what is read off resamples."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.statistics import StatisticsError, excludes_zero, interval, probability_positive, two_sided_p

floats = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


def plain_quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


@given(floats, st.sampled_from([0.5, 0.8, 0.95]))
@settings(deadline=None)
def test_interval_is_the_plain_percentile(values, level):
    low, high = interval([*values, math.nan], level)
    assert low == pytest.approx(plain_quantile(values, (1 - level) / 2), rel=1e-9, abs=1e-9)
    assert high == pytest.approx(plain_quantile(values, (1 + level) / 2), rel=1e-9, abs=1e-9)


def test_nothing_defined_gives_nan():
    assert all(math.isnan(end) for end in interval([math.nan]))
    assert math.isnan(probability_positive([]))
    assert math.isnan(two_sided_p([]))


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, -0.1])
def test_levels_out_of_range_are_refused(level):
    with pytest.raises(StatisticsError, match="level: found"):
        interval([1.0], level)


def test_ties_are_not_positive():
    assert probability_positive([0.0, 1e-12, 0.5, -0.5, math.nan]) == 0.25


@given(floats)
@settings(deadline=None)
def test_two_sided_p_is_a_probability_and_ignores_the_sign(values):
    p = two_sided_p(values)
    assert 0.0 < p <= 1.0
    assert p == two_sided_p([-value for value in values])


def test_two_sided_p_follows_the_interval():
    rng = np.random.default_rng(0)
    for shift in np.linspace(1.0, 3.0, 21):
        samples = rng.normal(shift, 1.0, 4000)
        low, high = interval(samples)
        p = two_sided_p(samples)
        if abs(p - 0.05) > 0.002:
            assert excludes_zero(low, high) == (p < 0.05)
