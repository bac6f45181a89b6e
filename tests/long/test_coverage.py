"""Coverage of the intervals over simulated audits whose truth is known."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from perimetry.statistics import (
    Rate,
    Resampling,
    difference,
    excludes_zero,
    f1_micro,
    macro,
    mantel_haenszel,
    pooled,
    ratio,
)

pytestmark = pytest.mark.long

AUDITS = 1000
Floats = NDArray[np.float64]


def paired_outcomes(rng: np.random.Generator, items: int, left_only: float, right_only: float) -> tuple[Floats, Floats]:
    """Right and wrong under two conditions, ``(items, AUDITS)`` each; the true difference is left_only - right_only."""
    cell = rng.choice(4, size=(items, AUDITS), p=[left_only, right_only, 0.4, 0.6 - left_only - right_only])
    return ((cell == 0) | (cell == 2)).astype(float), ((cell == 1) | (cell == 2)).astype(float)


def covered(plan: Resampling, left: Floats, right: Floats, truth: float, *, over: str = "pooled") -> float:
    """Share of audits whose interval of the paired difference holds the truth.

    All audits are columns of one matrix: they share the resamples, as the models of one audit do.
    """
    sums = plan.resample(np.concatenate([left, right, np.ones((left.shape[0], 1))], axis=1))
    rate: Rate = difference(ratio(0, 2), ratio(1, 2))
    finish = macro(rate) if over == "macro" else pooled(rate)
    hits = 0
    for audit in range(AUDITS):
        found = sums.estimate(finish, columns=[audit, AUDITS + audit, 2 * AUDITS])
        hits += found.ci_low <= truth <= found.ci_high
    return hits / AUDITS


@pytest.mark.parametrize(("items", "left_only", "right_only"), [(100, 0.25, 0.10), (300, 0.12, 0.07), (300, 0.1, 0.1)])
def test_the_interval_of_vrs_covers(items, left_only, right_only):
    left, right = paired_outcomes(np.random.default_rng(items), items, left_only, right_only)
    share = covered(Resampling.from_groups(range(items)), left, right, left_only - right_only)
    assert 0.93 <= share <= 0.97


def test_the_interval_of_a_macro_mean_covers():
    rng = np.random.default_rng(2)
    parts = [
        paired_outcomes(rng, items, *chances)
        for items, chances in ((60, (0.3, 0.1)), (100, (0.1, 0.1)), (200, (0.2, 0.05)))
    ]
    left, right = (np.concatenate(side) for side in zip(*parts, strict=True))
    plan = Resampling.from_groups(range(360), ["a"] * 60 + ["b"] * 100 + ["c"] * 200)
    share = covered(plan, left, right, (0.2 + 0.0 + 0.15) / 3, over="macro")
    assert 0.93 <= share <= 0.97


def test_the_group_bootstrap_covers_where_the_item_bootstrap_falls_short():
    """100 groups of 4 items whose outcomes hang together: three in four items copy the group's own outcome."""
    rng = np.random.default_rng(3)
    groups, each = 100, 4
    shape = (groups, each, AUDITS)
    own_left, own_right = paired_outcomes(rng, groups * each, 0.2, 0.1)
    group_left, group_right = paired_outcomes(rng, groups, 0.2, 0.1)
    copies = rng.random(shape) < 0.75
    left = np.where(copies, group_left[:, None, :], own_left.reshape(shape)).reshape(groups * each, AUDITS)
    right = np.where(copies, group_right[:, None, :], own_right.reshape(shape)).reshape(groups * each, AUDITS)
    by_group = covered(Resampling.from_groups(np.repeat(np.arange(groups), each)), left, right, 0.1)
    by_item = covered(Resampling.from_groups(range(groups * each)), left, right, 0.1)
    assert 0.93 <= by_group <= 0.97
    assert by_item < 0.85


def test_the_interval_of_micro_f1_covers():
    rng = np.random.default_rng(4)
    truth = rng.random((250, AUDITS)) < 0.3
    stated = rng.random((250, AUDITS)) < np.where(truth, 0.7, 0.1)
    columns = [truth & stated, ~truth & stated, truth & ~stated]
    sums = Resampling.from_groups(range(250)).resample(np.concatenate(columns, axis=1).astype(float))
    expected = 2 * 0.21 / (2 * 0.21 + 0.07 + 0.09)
    hits = 0
    for audit in range(AUDITS):
        found = sums.estimate(pooled(f1_micro(1)), columns=[audit, AUDITS + audit, 2 * AUDITS + audit])
        hits += found.ci_low <= expected <= found.ci_high
    assert 0.93 <= hits / AUDITS <= 0.97


@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_of_an_odds_ratio_covers(grouped):
    """Cue on the key with twice the odds; grouped: five items of a group share how common the cue is on the key."""
    rng = np.random.default_rng(5)
    items, odds = 400, 2.0
    hits = 0
    model_hits = 0
    for _ in range(AUDITS):
        spread = np.repeat(rng.normal(0.0, 1.0, items // 5), 5) if grouped else np.zeros(items)
        on_key = rng.random(items) < 1 / (1 + np.exp(-(math.log(0.25 * odds) + spread)))
        on_others = rng.binomial(4, 0.2, items)
        tables = np.stack([on_key, on_others, ~on_key, 4 - on_others], axis=1).astype(float).reshape(items, 2, 2)
        if grouped:
            chance = (1 / (1 + np.exp(-(math.log(0.25 * odds) + GRID)))) @ WEIGHTS
            truth = chance / (1 - chance) / 0.25
        else:
            truth = odds
        found = mantel_haenszel(tables, groups=np.repeat(np.arange(items // 5), 5).tolist() if grouped else None)
        model = mantel_haenszel(tables)
        hits += found.ci_low <= truth <= found.ci_high
        model_hits += model.ci_low <= truth <= model.ci_high
    assert 0.93 <= hits / AUDITS <= 0.97
    if grouped:
        assert model_hits < hits


# standard normal, for the mean over groups
GRID = np.linspace(-8.0, 8.0, 4001)
WEIGHTS = np.exp(-(GRID**2) / 2.0) / np.exp(-(GRID**2) / 2.0).sum()


def test_a_difference_of_zero_is_resolved_one_time_in_twenty():
    left, right = paired_outcomes(np.random.default_rng(6), 200, 0.15, 0.15)
    sums = Resampling.from_groups(range(200)).resample(np.concatenate([left - right, np.ones((200, 1))], axis=1))
    found = [sums.estimate(pooled(ratio(0, 1)), columns=[audit, AUDITS]) for audit in range(AUDITS)]
    share = sum(excludes_zero(result.ci_low, result.ci_high) for result in found) / AUDITS
    assert 0.03 <= share <= 0.07
