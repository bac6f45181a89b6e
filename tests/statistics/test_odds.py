"""Mantel-Haenszel against statsmodels, and its coverage where items come in groups."""

import math

import numpy as np
import pytest
from scipy import stats

from perimetry.statistics import (
    Resampling,
    StatisticsError,
    mantel_haenszel,
    odds_columns,
    option_tables,
    pooled,
    ratio,
)


def simulated_options(items: int, odds: float, seed: int) -> tuple[list[int], list[int], list[int]]:
    """Options of which each carries a cue with chance 0.3 and the key with the odds given."""
    rng = np.random.default_rng(seed)
    base = 0.3 / 0.7
    key_chance = base * odds / (1 + base * odds)
    names = np.repeat(np.arange(items), 5)
    key = np.tile([1, 0, 0, 0, 0], items)
    cue = rng.random(5 * items) < np.where(key, key_chance, 0.3)
    return names.tolist(), cue.tolist(), key.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_it_is_statsmodels_stratified_table(seed):
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    tables = option_tables(*simulated_options(300, 1.8, seed))
    peer = contingency.StratifiedTable(list(tables))
    found = mantel_haenszel(tables)
    assert found.value == pytest.approx(peer.oddsratio_pooled, rel=1e-9)
    low, high = peer.oddsratio_pooled_confint()
    assert (found.ci_low, found.ci_high) == pytest.approx((low, high), rel=1e-6)
    assert found.p_value == pytest.approx(peer.test_null_odds(correction=False).pvalue, rel=1e-6)


def test_large_tables_too():
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    tables = np.random.default_rng(1).integers(5, 60, (6, 2, 2)).astype(float)
    peer = contingency.StratifiedTable(list(tables))
    found = mantel_haenszel(tables, level=0.9)
    assert found.value == pytest.approx(peer.oddsratio_pooled, rel=1e-9)
    assert (found.ci_low, found.ci_high) == pytest.approx(peer.oddsratio_pooled_confint(alpha=0.1), rel=1e-6)


def test_one_item_a_group_agrees_with_the_model_based_interval():
    tables = option_tables(*simulated_options(2000, 2.0, 5))
    model = mantel_haenszel(tables)
    robust = mantel_haenszel(tables, groups=range(len(tables)))
    assert robust.value == model.value
    assert math.log(robust.ci_high / robust.ci_low) == pytest.approx(math.log(model.ci_high / model.ci_low), rel=0.05)


def test_items_repeated_within_groups_widen_the_interval_as_they_should():
    tables = option_tables(*simulated_options(400, 2.0, 6))
    groups = np.repeat(np.arange(400), 4)
    alone = mantel_haenszel(tables, groups=range(400))
    copied = mantel_haenszel(np.repeat(tables, 4, axis=0), groups=groups.tolist())
    assert (copied.value, copied.ci_low, copied.ci_high) == pytest.approx((alone.value, alone.ci_low, alone.ci_high))
    assert mantel_haenszel(np.repeat(tables, 4, axis=0)).ci_low > copied.ci_low


def test_the_group_bootstrap_of_its_columns_gives_the_same_interval():
    tables = option_tables(*simulated_options(1500, 1.5, 7))
    found = mantel_haenszel(tables, groups=range(1500))
    drawn = Resampling.from_groups(range(1500)).resample(odds_columns(tables)).estimate(pooled(ratio(0, 1)))
    assert drawn.value == pytest.approx(found.value, rel=1e-12)
    assert (drawn.ci_low, drawn.ci_high) == pytest.approx((found.ci_low, found.ci_high), rel=0.03)


def test_option_tables_count_options():
    tables = option_tables(["q2", "q1", "q2", "q2", "q1"], cue=[1, 1, 0, 1, 0], key=[1, 0, 0, 0, 1])
    assert tables.tolist() == [[[1, 1], [0, 1]], [[0, 1], [1, 0]]]


def test_informative_tables_hold_both_of_each():
    tables = [[[1, 1], [0, 2]], [[1, 3], [0, 0]], [[0, 0], [1, 3]], [[0, 0], [0, 0]], [[1, 0], [0, 3]]]
    found = mantel_haenszel(tables)
    assert (found.tables, found.informative) == (5, 2)


def test_empty_cells_give_no_interval():
    only_for = mantel_haenszel([[[1, 0], [0, 3]]] * 5)
    assert only_for.value == math.inf
    assert math.isnan(only_for.ci_low)
    assert only_for.p_value < 0.05
    assert not only_for.resolved
    against = mantel_haenszel([[[0, 2], [1, 1]]] * 5)
    assert against.value == 0.0
    assert math.isnan(against.ci_high)
    nothing = mantel_haenszel(np.zeros((0, 2, 2)))
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.p_value)
    assert math.isnan(mantel_haenszel([[[1, 1], [1, 1]]], groups=["one"]).ci_low)


def test_p_is_that_of_one_table():
    table = np.asarray([[12.0, 5.0], [6.0, 14.0]])
    n = table.sum()
    pearson = stats.chi2_contingency(table, correction=False).statistic
    assert mantel_haenszel([table]).p_value == pytest.approx(stats.chi2.sf(pearson * (n - 1) / n, 1), rel=1e-9)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: mantel_haenszel([[1, 2], [3, 4]]), "found shape \\(2, 2\\)"),
        (lambda: mantel_haenszel([[[1, -2], [3, 4]]]), "negative or non-finite"),
        (lambda: mantel_haenszel([[[1, 2], [3, 4]]], groups=["a", "b"]), "tables has 1, groups has 2"),
        (lambda: option_tables(["a"], [1, 0], [1]), "items has 1, cue has 2"),
    ],
)
def test_errors_say_what_was_found(act, message):
    with pytest.raises(StatisticsError, match=message):
        act()
