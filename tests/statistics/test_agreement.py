"""Agreement against scikit-learn; consensus against every combination of ratings."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from perimetry.statistics import (
    Consensus,
    Resampling,
    StatisticsError,
    agreement_columns,
    cohen_kappa,
    consensus,
    kappa,
    percent_agreement,
    pooled,
)

UNKNOWN: dict[str, Any] = {"weights": "cubic"}


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(4))
def test_kappa_is_scikit_learns(weights, seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, 80)
    right = np.where(rng.random(80) < 0.6, left, rng.integers(0, 4, 80))
    expected = metrics.cohen_kappa_score(left, right, weights=None if weights == "none" else weights, labels=range(4))
    found = cohen_kappa(left.tolist(), right.tolist(), categories=range(4), weights=weights)
    assert found == pytest.approx(expected, abs=1e-12)


def test_kappa_leaves_out_items_of_one_rater():
    left, right = ["a", "b", None, "a", "b"], ["a", "b", "a", None, "a"]
    assert cohen_kappa(left, right) == cohen_kappa(["a", "b", "b"], ["a", "b", "a"])
    assert percent_agreement(left, right) == 2 / 3


def test_kappa_is_undefined_where_chance_agrees_always():
    assert math.isnan(cohen_kappa(["a", "a"], ["a", "a"]))
    assert math.isnan(cohen_kappa([], []))
    assert math.isnan(percent_agreement([None], ["a"]))


def test_kappa_takes_an_interval_from_a_plan():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    left = rng.integers(0, 2, 120)
    right = np.where(rng.random(120) < 0.8, left, 1 - left)
    plan = Resampling.from_groups([f"{k:03d}" for k in range(120)], resamples=50)
    sums = plan.resample(agreement_columns(left.tolist(), right.tolist(), [0, 1]))
    samples = sums.distribution(pooled(kappa(2))).samples
    for b in (0, 17, 49):
        rows = np.repeat(np.arange(120), plan.weights(0)[b].astype(int))
        assert samples[b] == pytest.approx(metrics.cohen_kappa_score(left[rows], right[rows]), abs=1e-12)


@pytest.mark.parametrize("ratings", list(itertools.product("xyz", repeat=4)))
def test_consensus_is_the_first_pair_that_agrees_else_the_fourth(ratings):
    first, second, third, fourth = ratings
    found = consensus(ratings)
    if first == second:
        assert found == Consensus(first, "unanimous")
    elif len({first, second, third}) == 2:
        assert found == Consensus(max((first, second), key=ratings[:3].count), "majority")
    else:
        assert found == Consensus(fourth, "adjudicated")


@pytest.mark.parametrize(
    ("ratings", "how"),
    [
        ([], "needs first"),
        ([None, 1], "needs first"),
        ([1], "needs second"),
        ([1, 2], "needs third"),
        ([1, 2, None, 1], "needs third"),
        ([1, 2, 3], "needs fourth"),
    ],
)
def test_consensus_says_what_is_missing(ratings, how):
    assert consensus(ratings) == Consensus(None, how)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: consensus([1, 2, 3, 4, 5]), "ratings: found 5"),
        (lambda: cohen_kappa([1], [2], categories=[1]), "found 2 for item 0"),
        (lambda: cohen_kappa([1], [2], weights="linear"), "categories: found none"),
        (lambda: kappa(2, **UNKNOWN), "weights: found 'cubic'"),
        (lambda: percent_agreement([1], []), "left has 1, right has 0"),
    ],
)
def test_errors_say_what_was_found(act, message):
    with pytest.raises(StatisticsError, match=message):
        act()
