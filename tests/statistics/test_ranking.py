"""Ranks against scipy and plain counting over resamples."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from perimetry.statistics import Distribution, Resampling, StatisticsError, pooled, rank_models, ranks, ratio


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12), st.booleans())
@settings(deadline=None)
def test_ranks_are_scipys(scores, higher):
    expected = stats.rankdata([-score if higher else score for score in scores])
    assert ranks(scores, higher_is_better=higher).tolist() == expected.tolist()


def test_a_missing_score_leaves_no_ranks_in_its_resample():
    found = ranks([[1.0, 2.0], [math.nan, 1.0]])
    assert np.isnan(found[:, 0]).all()
    assert found[:, 1].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("higher", [True, False])
def test_rank_models_counts_over_resamples(higher):
    rng = np.random.default_rng(0)
    right = (rng.random((150, 4)) < [0.5, 0.55, 0.6, 0.62]).astype(float)
    plan = Resampling.from_groups(range(150), resamples=400)
    sums = plan.resample(np.column_stack([right, np.ones(150)]))
    models = {f"m{k}": sums.distribution(pooled(ratio(k, 4))) for k in range(4)}
    found = rank_models(models, higher_is_better=higher)
    sign = -1 if higher else 1
    drawn = np.asarray([stats.rankdata(sign * column.round(9)) for column in sums.sums[0, :, :4]])
    best = drawn == drawn.min(axis=1, keepdims=True)
    shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    for k, row in enumerate(found):
        assert row.name == f"m{k}"
        assert (row.ci_low, row.ci_high) == tuple(np.quantile(drawn[:, k], [0.025, 0.975]))
        assert row.p_best == pytest.approx(shares[k])
    assert [row.rank for row in found] == stats.rankdata(sign * right.sum(axis=0)).tolist()
    assert sum(row.p_best for row in found) == pytest.approx(1.0)


def test_no_models_and_no_values():
    assert rank_models({}) == ()
    empty = rank_models({"a": Distribution(math.nan, np.full(3, math.nan), 0)})[0]
    assert math.isnan(empty.rank)
    assert math.isnan(empty.p_best)


def test_plans_do_not_mix():
    models = {"a": Distribution(0.1, np.zeros(3), 5), "b": Distribution(0.1, np.zeros(4), 5)}
    with pytest.raises(StatisticsError, match="resamples differ: a 3, b 4"):
        rank_models(models)
