"""Paired binary tests against statsmodels and exact arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.statistics import Discordance, StatisticsError, discordance, holm, mcnemar


@given(st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None)
def test_mcnemar_is_the_exact_binomial(left, right):
    total = left + right
    tail = sum(Fraction(math.comb(total, k), 2**total) for k in range(min(left, right) + 1))
    assert mcnemar(left, right) == pytest.approx(float(min(Fraction(1), 2 * tail)), rel=1e-10)


@pytest.mark.parametrize(("left", "right"), [(0, 0), (1, 0), (12, 3), (250, 190), (3000, 3200)])
def test_mcnemar_is_statsmodels(left, right):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    if left + right == 0:
        assert mcnemar(left, right) == 1.0
        return
    expected = tables.mcnemar([[5, left], [right, 7]], exact=True).pvalue
    assert mcnemar(left, right) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_refuses_negative_counts():
    with pytest.raises(StatisticsError, match="right_only: found -1"):
        mcnemar(3, -1)


def test_discordance_counts_pairs():
    left = [1, 1, 1, 0, 0, math.nan, 1, math.nan]
    right = [1, 0, 0, 1, 0, 1, math.nan, math.nan]
    found = discordance(left, right)
    assert found == Discordance(both=1, left_only=2, right_only=1, neither=1, missing=3)
    assert found.n == 5
    assert found.difference == pytest.approx(1 / 5)
    assert found.p_value == mcnemar(2, 1)


def test_discordance_of_nothing():
    found = discordance([], [])
    assert math.isnan(found.difference)
    assert found.p_value == 1.0


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [([0.5], [1], "left: found 0.5"), ([1], [2], "right: found 2.0"), ([1, 0], [1], "left has 2, right has 1")],
)
def test_discordance_refuses_other_values(left, right, message):
    with pytest.raises(StatisticsError, match=message):
        discordance(left, right)


@pytest.mark.parametrize("seed", range(8))
def test_holm_is_statsmodels(seed):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(seed)
    # small values with ties, so that every branch of the step-down is taken
    p_values = np.round(rng.random(1 + 2 * seed) ** 3, 2).tolist()
    expected = multitest.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(tuple(expected), rel=1e-9, abs=1e-300)


def test_holm_passes_untested_by():
    p_values = [0.01, math.nan, 0.04, 0.03]
    found = np.asarray(holm(p_values))
    assert math.isnan(found[1])
    assert found[[0, 2, 3]].tolist() == list(holm([0.01, 0.04, 0.03]))
    assert holm([]) == ()


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_holm_refuses_what_is_no_probability(p):
    with pytest.raises(StatisticsError, match="p value: found"):
        holm([0.5, p])
