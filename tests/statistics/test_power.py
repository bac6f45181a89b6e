"""Power formulas against simulation and against each other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.statistics import (
    Resampling,
    StatisticsError,
    bootstrap_difference,
    detectable_difference,
    items_to_resolve,
    minimum_detectable_difference,
    pairs_to_resolve,
)


def known(count: int | None) -> int:
    assert count is not None
    return count


def share_detected(difference: float, psi: float, pairs: int, runs: int = 20_000) -> float:
    """Share of simulated samples in which the Wald interval of the paired difference excludes zero from above."""
    shares = [(psi + difference) / 2, (psi - difference) / 2, 1 - psi]
    left, right, _ = np.random.default_rng(0).multinomial(pairs, shares, size=runs).T
    statistic = (left - right) / np.sqrt(np.maximum(left + right, 1))
    return float(np.mean(statistic > 1.959964))


@pytest.mark.parametrize(
    ("left", "right", "pairs", "near"),
    # with some 20 discordant pairs the normal approximation is a few points off
    [(30, 20, 400, 0.02), (100, 100, 1000, 0.02), (400, 300, 1000, 0.02), (10, 12, 2000, 0.05)],
)
def test_the_detectable_difference_is_detected_four_times_in_five(left, right, pairs, near):
    detectable = minimum_detectable_difference(left, right, pairs)
    assert share_detected(detectable, (left + right) / pairs, pairs) == pytest.approx(0.8, abs=near)


@pytest.mark.parametrize(("left", "right", "pairs"), [(30, 20, 400), (60, 50, 1000), (300, 200, 1000)])
def test_so_many_pairs_resolve_the_observed_difference_four_times_in_five(left, right, pairs):
    needed = known(pairs_to_resolve(left, right, pairs))
    found = share_detected((left - right) / pairs, (left + right) / pairs, needed)
    assert found == pytest.approx(0.8, abs=0.025)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(600, 3000))
@settings(deadline=None)
def test_the_two_formulas_are_inverse(left, right, pairs):
    detectable = minimum_detectable_difference(left, right, pairs)
    if left + right == 0 or math.isnan(detectable):
        return
    psi = (left + right) / pairs
    needed = ((1.959964 * math.sqrt(psi) + 0.841621 * math.sqrt(psi - detectable**2)) / detectable) ** 2
    assert needed == pytest.approx(pairs, rel=1e-4)


def test_too_few_discordant_pairs_detect_nothing():
    assert math.isnan(minimum_detectable_difference(2, 1, 1000))
    assert math.isnan(minimum_detectable_difference(0, 0, 0))
    assert math.isnan(minimum_detectable_difference(1, 1, 2))


def test_no_difference_plans_for_the_smallest_that_matters():
    assert pairs_to_resolve(10, 10, 200) == pairs_to_resolve(10, 10, 200, smallest=0.05)
    assert known(pairs_to_resolve(10, 10, 200, smallest=0.02)) > known(pairs_to_resolve(10, 10, 200))
    # without any discordant pair: three of a hundred, but no fewer than the difference needs
    expected = math.ceil(((1.959964 + 0.841621 * math.sqrt(1 - 0.05)) * math.sqrt(0.05) / 0.05) ** 2)
    assert pairs_to_resolve(0, 0, 100) == expected


def test_nothing_is_known_without_pairs_or_spread():
    assert pairs_to_resolve(0, 0, 0) is None
    assert items_to_resolve(0.1, 0.0, 10) is None
    assert items_to_resolve(math.nan, 0.1, 10) is None
    assert items_to_resolve(0.1, math.nan, 10) is None
    assert items_to_resolve(0.1, 0.1, 0) is None


def test_both_plans_agree_on_binary_pairs():
    left = np.asarray([1] * 30 + [0] * 20 + [1] * 350)
    right = np.asarray([0] * 30 + [1] * 20 + [1] * 350)
    result = bootstrap_difference(Resampling.from_groups(range(400)), left, right)
    assert items_to_resolve(result.value, result.standard_error, 400) == pytest.approx(
        pairs_to_resolve(30, 20, 400), rel=0.05
    )
    assert detectable_difference(result.standard_error) == pytest.approx(
        minimum_detectable_difference(30, 20, 400), rel=0.03
    )


def test_items_to_resolve_scales_with_the_square():
    assert items_to_resolve(0.1, 0.1, 100) == math.ceil(100 * (1.959964 + 0.841621) ** 2)
    assert items_to_resolve(-0.05, 0.1, 1000) == pytest.approx(4 * known(items_to_resolve(0.1, 0.1, 1000)), rel=1e-3)
    assert items_to_resolve(0.0, 0.1, 1000, smallest=0.1) == items_to_resolve(0.1, 0.1, 1000)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: minimum_detectable_difference(5, 6, 10), "found 5 and 6 of 10"),
        (lambda: minimum_detectable_difference(-1, 6, 10), "found -1 and 6 of 10"),
        (lambda: detectable_difference(0.1, power=0.2), "power: found 0.2"),
        (lambda: detectable_difference(0.1, level=1.0), "level: found 1.0"),
        (lambda: pairs_to_resolve(1, 1, 10, smallest=0.0), "smallest: found 0.0"),
    ],
)
def test_errors_say_what_was_found(act, message):
    with pytest.raises(StatisticsError, match=message):
        act()
