"""Verdicts of pairs, reversals and Kendall's tau."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from perimetry.statistics import Distribution, StatisticsError, compare_models, kendall_tau, reversals

SPREAD = np.linspace(-1.0, 1.0, 1001)


def models(**values: float) -> dict[str, Distribution]:
    """Models whose gap has a known 95% interval: each moves by its own width."""
    widths = 0.05 * np.arange(1, len(values) + 1)
    return {
        name: Distribution(value, value + SPREAD * width, 50)
        for (name, value), width in zip(values.items(), widths, strict=True)
    }


def test_verdicts_follow_interval_and_direction():
    # gap of a and b has half width 0.05 * 0.95
    assert [row.verdict for row in compare_models(models(a=0.6, b=0.5))] == ["win"]
    assert [row.verdict for row in compare_models(models(a=0.6, b=0.5), higher_is_better=False)] == ["loss"]
    close = compare_models(models(a=0.54, b=0.5))[0]
    assert (close.verdict, close.lead) == ("tie", 1)
    assert close.gap.value == pytest.approx(0.04)
    assert close.gap.ci_low == pytest.approx(0.04 - 0.05 * 0.95)
    level = compare_models(models(a=0.5, b=0.5 + 1e-12))[0]
    assert (level.verdict, level.lead) == ("tie", 0)


def test_a_gap_without_interval_has_no_verdict():
    one = Distribution(0.5, np.full(10, 0.5), 1)
    two = Distribution(0.4, np.full(10, 0.4), 1)
    assert compare_models({"a": one, "b": two})[0].verdict == "undefined"
    missing = Distribution(math.nan, np.full(10, math.nan), 0)
    found = compare_models({"a": one, "b": missing})[0]
    assert (found.verdict, found.lead) == ("undefined", 0)


def test_every_pair_once():
    assert [(row.left, row.right) for row in compare_models(models(a=1, b=2, c=3))] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]


def test_reversals_are_counted_by_kind():
    before = compare_models(models(a=0.70, b=0.50, c=0.505, d=0.30))
    after = compare_models(models(a=0.30, b=0.505, c=0.50, d=0.30))
    found = reversals(before, after)
    # a falls behind b and c by far (win to loss); b and c swap within a tie; a and d become level, which is no reversal
    assert found.pairs == 6
    assert found.reversed_pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert (found.plain, found.by_verdict, found.flips) == (3, 2, 2)


def test_a_win_that_becomes_a_tie_counts_by_verdict_only_if_the_order_turns():
    win = compare_models(models(a=0.6, b=0.5))
    behind = compare_models(models(a=0.49, b=0.5))
    ahead = compare_models(models(a=0.51, b=0.5))
    turned = reversals(win, behind)
    assert (turned.plain, turned.by_verdict, turned.flips) == (1, 1, 0)
    assert reversals(win, ahead).plain == 0


@given(st.lists(st.integers(0, 6), min_size=2, max_size=8), st.data())
@settings(deadline=None)
def test_plain_reversals_are_the_discordant_pairs(scores, data):
    other = data.draw(st.lists(st.integers(0, 6), min_size=len(scores), max_size=len(scores)))
    first = compare_models(models(**{f"m{k}": float(score) for k, score in enumerate(scores)}))
    second = compare_models(models(**{f"m{k}": float(score) for k, score in enumerate(other)}))
    expected = sum((scores[i] - scores[j]) * (other[i] - other[j]) < 0 for j in range(len(scores)) for i in range(j))
    assert reversals(first, second).plain == expected


def test_reversals_need_the_same_pairs():
    with pytest.raises(StatisticsError, match="a against b is in one ranking only"):
        reversals(compare_models(models(a=1, b=2)), ())


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25))
@settings(deadline=None)
def test_kendall_is_scipys(pairs):
    left, right = zip(*pairs, strict=True)
    expected = stats.kendalltau(left, right).statistic
    assert kendall_tau(left, right) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_kendall_leaves_missing_models_out():
    assert kendall_tau([1, math.nan, 2, 3], [1, 5, 3, 2]) == kendall_tau([1, 2, 3], [1, 3, 2])
    assert math.isnan(kendall_tau([1], [1]))
    with pytest.raises(StatisticsError, match="lengths differ"):
        kendall_tau([1], [1, 2])
