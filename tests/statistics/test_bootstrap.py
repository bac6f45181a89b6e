"""Intervals against scipy's bootstrap, and the one-call forms against plain arithmetic."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from perimetry.statistics import (
    Resampling,
    StatisticsError,
    bootstrap_difference,
    bootstrap_mean,
    configuration_mean,
    difference,
    f1_micro,
    pooled,
    ratio,
)

RESAMPLES = 10_000


def monte_carlo_error(samples: np.ndarray, quantile: float) -> float:
    """Standard error of a sample quantile, from the density estimated around it."""
    step = 0.01
    low, high = np.quantile(samples, [max(quantile - step, 0.0), min(quantile + step, 1.0)])
    density = 2 * step / max(high - low, 1e-12)
    return float(math.sqrt(quantile * (1 - quantile) / samples.size) / density)


def test_interval_of_a_difference_agrees_with_scipy():
    rng = np.random.default_rng(5)
    left, right = rng.normal(0.6, 0.3, 300), rng.normal(0.5, 0.4, 300)
    found = bootstrap_difference(Resampling.from_groups(range(300)), left, right)
    peer = stats.bootstrap(
        (left - right,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=np.random.default_rng(1)
    )
    samples = peer.bootstrap_distribution
    assert found.value == pytest.approx(np.mean(left - right), abs=1e-12)
    for mine, theirs, quantile in (
        (found.ci_low, peer.confidence_interval.low, 0.025),
        (found.ci_high, peer.confidence_interval.high, 0.975),
    ):
        # both sides are simulated
        assert abs(mine - theirs) < 4 * math.sqrt(2) * monte_carlo_error(samples, quantile)
    assert found.standard_error == pytest.approx(peer.standard_error, rel=0.05)
    assert found.p_positive == pytest.approx(np.mean(samples > 0), abs=4 * math.sqrt(2 * 0.25 / RESAMPLES))


def test_interval_of_a_ratio_of_sums_agrees_with_scipy():
    rng = np.random.default_rng(6)
    counts = rng.poisson([3.0, 1.0, 2.0], (200, 3)).astype(float)
    found = Resampling.from_groups(range(200)).resample(counts).estimate(pooled(f1_micro(1)))

    def f1(tp, fp, fn, axis):
        return 2 * tp.sum(axis) / (2 * tp.sum(axis) + fp.sum(axis) + fn.sum(axis))

    peer = stats.bootstrap(
        tuple(counts.T),
        f1,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(2),
    )
    limit = 4 * math.sqrt(2)
    assert abs(found.ci_low - peer.confidence_interval.low) < limit * monte_carlo_error(
        peer.bootstrap_distribution, 0.025
    )
    assert abs(found.ci_high - peer.confidence_interval.high) < limit * monte_carlo_error(
        peer.bootstrap_distribution, 0.975
    )


def test_groups_widen_the_interval_as_the_design_effect_says():
    rng = np.random.default_rng(8)
    shared = np.repeat(rng.integers(0, 2, 150), 4).astype(float)
    groups = np.repeat(np.arange(150), 4)
    clustered = bootstrap_mean(Resampling.from_groups(groups), shared)
    single = bootstrap_mean(Resampling.from_groups(range(600)), shared)
    assert clustered.value == single.value
    # four identical items a group: twice the standard error
    assert clustered.standard_error / single.standard_error == pytest.approx(2.0, rel=0.05)


def test_pooled_and_macro_are_the_plain_means():
    values = [1, 0, 1, 1, 0, 0, math.nan]
    strata = ["a", "a", "a", "a", "b", "b", "c"]
    plan = Resampling.from_groups(range(7), strata)
    assert bootstrap_mean(plan, values).value == 3 / 6
    assert bootstrap_mean(plan, values, over="macro").value == (3 / 4 + 0) / 2
    assert bootstrap_mean(plan, values).groups == 6


def test_macro_is_recomputed_in_each_resample():
    rng = np.random.default_rng(9)
    values = rng.random(60)
    strata = ["a"] * 20 + ["b"] * 40
    plan = Resampling.from_groups(range(60), strata, resamples=500)
    result = bootstrap_mean(plan, values, over="macro")
    ordered = sorted(range(20), key=str), sorted(range(20, 60), key=str)
    means = [(plan.weights(s) @ values[list(rows)]) / len(rows) for s, rows in enumerate(ordered)]
    expected = np.quantile((means[0] + means[1]) / 2, [0.025, 0.975])
    assert (result.ci_low, result.ci_high) == pytest.approx(tuple(expected), abs=1e-9)


def test_difference_uses_complete_cases():
    left = [1, 1, math.nan, 1, 0]
    right = [0, 1, 1, math.nan, 0]
    result = bootstrap_difference(Resampling.from_groups(range(5)), left, right)
    assert result.value == pytest.approx(1 / 3)
    assert result.groups == 3


def test_difference_of_equal_sides_is_zero_and_not_resolved():
    values = np.random.default_rng(2).random(40)
    result = bootstrap_difference(Resampling.from_groups(range(40)), values, values)
    assert (result.value, result.ci_low, result.ci_high, result.p_positive) == (0.0, 0.0, 0.0, 0.0)
    assert not result.resolved


def test_round_off_is_never_an_effect():
    third = np.full(30, 0.1 + 0.2)
    result = bootstrap_mean(Resampling.from_groups(range(30)), third - 0.3)
    assert result.value != 0.0
    assert not result.resolved
    assert result.p_positive == 0.0


def test_distributions_of_one_plan_subtract_to_the_paired_difference():
    rng = np.random.default_rng(4)
    left, right = rng.integers(0, 2, 80), rng.integers(0, 2, 80)
    plan = Resampling.from_groups(np.arange(80) // 2)
    sums = plan.resample(np.stack([left, right, np.ones(80)], axis=1))
    one = sums.distribution(pooled(ratio(0, 2)))
    two = sums.distribution(pooled(ratio(1, 2)))
    whole = sums.estimate(pooled(difference(ratio(0, 2), ratio(1, 2))))
    assert (one - two).summary() == whole


def test_configuration_mean_resamples_configurations():
    values = np.asarray([-1.8, -2.8, -6.3, -9.3, -8.0, -8.0, -5.6, -6.5, -8.3, -7.8])
    found = configuration_mean(values, [f"m{k}" for k in range(10)])
    peer = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=RESAMPLES, rng=np.random.default_rng(3))
    assert found.value == pytest.approx(values.mean())
    assert (found.ci_low, found.ci_high) == pytest.approx(tuple(peer.confidence_interval), abs=0.1)
    assert found.groups == 10


def test_an_unknown_average_is_refused():
    options: dict[str, Any] = {"over": "median"}
    with pytest.raises(StatisticsError, match="over: found 'median'"):
        bootstrap_mean(Resampling.from_groups([1]), [1.0], **options)
