"""Estimates against plain loops over the same resamples, and against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from perimetry.runs.contrasts import draw_contrasts, estimate_contrasts
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.terms import Contrast, Items, Pair, RateTerm, Term
from perimetry.statistics import Resampling, f1, ratio


def contrast(terms, n, *, missing=None, pair=None, difference=True, model="m") -> Contrast:
    return Contrast(
        Estimate("counterfactual", "", model, "vrs", "shuffle", "real"),
        tuple(terms),
        np.zeros(n, dtype=bool) if missing is None else missing,
        pair,
        difference,
    )


def rated(terms, n) -> Contrast:
    return contrast(terms, n, difference=False)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(3)
    n = 60
    items = Items(tuple(rng.choice(["a", "b"], n)), tuple(str(g) for g in rng.integers(0, 20, n)))
    first, second = rng.random(n) < 0.7, rng.random(n) < 0.4
    used = rng.random(n) < 0.9
    return n, items, first, second, used


def test_value_and_interval_equal_a_plain_loop(drawn):
    n, items, first, second, used = drawn
    change = np.where(used, first.astype(float) - second, 0.0)
    rows = estimate_contrasts([contrast([Term(change, used.astype(float))], n)], items, resamples=400, seed=9)
    by_set = {row.dataset: row for row in rows}
    plan = Resampling.from_groups(items.groups, items.datasets, resamples=400, seed=9)
    samples = {}
    for index, name in enumerate(plan.strata):
        weights = plan.weights(index)
        members = sorted({g for g, d in zip(items.groups, items.datasets, strict=True) if d == name})
        loop = []
        for b in range(400):
            top = bottom = 0.0
            for i in range(n):
                if items.datasets[i] == name:
                    times = weights[b, members.index(items.groups[i])]
                    top += times * change[i]
                    bottom += times * used[i]
            loop.append(top / bottom)
        samples[name] = np.array(loop)
        inside = np.array(items.datasets) == name
        assert by_set[name].value == pytest.approx(change[inside].sum() / used[inside].sum())
        assert by_set[name].n == int((used & inside).sum())
        low, high = np.quantile(loop, [0.025, 0.975])
        assert (by_set[name].ci_low, by_set[name].ci_high) == pytest.approx((low, high))
        assert by_set[name].p_positive == np.mean(np.array(loop) > 1e-9)
    both = (samples["a"] + samples["b"]) / 2
    assert by_set["macro"].value == pytest.approx((by_set["a"].value + by_set["b"].value) / 2)
    assert (by_set["macro"].ci_low, by_set["macro"].ci_high) == pytest.approx(tuple(np.quantile(both, [0.025, 0.975])))


def test_difference_of_ratios_of_sums(drawn):
    n, items, first, second, used = drawn
    left = Term(first * 2.0, used * 3.0)
    right = Term(second * 1.0, used * 2.0, -1)
    row = estimate_contrasts([contrast([left, right], n)], Items(("a",) * n, items.groups), resamples=50)[0]
    assert row.value == pytest.approx((first * 2).sum() / (used * 3).sum() - second.sum() / (used * 2).sum())


def test_mcnemar_is_the_exact_binomial_and_holm_runs_over_models(drawn):
    n, _, first, second, used = drawn
    items = Items(("a",) * n, tuple(str(i) for i in range(n)))
    change = np.where(used, first.astype(float) - second, 0.0)
    rows = estimate_contrasts(
        [
            contrast([Term(change, used.astype(float))], n, pair=Pair(first, second, used), model="one"),
            contrast([Term(-change, used.astype(float))], n, pair=Pair(second, first, used), model="two"),
        ],
        items,
        resamples=50,
    )
    gained, lost = int((first & ~second & used).sum()), int((~first & second & used).sum())
    expected = stats.binomtest(gained, gained + lost, 0.5).pvalue
    one = [row for row in rows if row.model == "one"]
    assert [row.p_value for row in one] == pytest.approx([expected, expected])
    assert one[0].p_holm == pytest.approx(min(1.0, 2 * expected))


def test_the_order_of_items_changes_nothing(drawn):
    n, items, first, second, used = drawn
    order = np.random.default_rng(0).permutation(n)
    change = np.where(used, first.astype(float) - second, 0.0)
    plain = estimate_contrasts([contrast([Term(change, used.astype(float))], n)], items, resamples=200)
    shuffled = estimate_contrasts(
        [contrast([Term(change[order], used[order].astype(float))], n)],
        Items(tuple(items.datasets[i] for i in order), tuple(items.groups[i] for i in order)),
        resamples=200,
    )
    assert estimate_frame(plain).equals(estimate_frame(shuffled))


def test_a_data_set_without_usable_items_is_empty_and_leaves_the_mean(drawn):
    n, items, first, second, used = drawn
    only_a = used & (np.array(items.datasets) == "a")
    change = np.where(only_a, first.astype(float) - second, 0.0)
    missing = np.array(items.datasets) == "b"
    rows = estimate_contrasts(
        [contrast([Term(change, only_a.astype(float))], n, missing=missing)], items, resamples=100
    )
    by_set = {row.dataset: row for row in rows}
    assert np.isnan(by_set["b"].value)
    assert by_set["b"].n == 0
    assert by_set["b"].missing == int(missing.sum())
    assert by_set["macro"].value == by_set["a"].value


def test_what_has_no_neutral_point_has_no_share_above_zero(drawn):
    n, items, first, _, used = drawn
    accuracy = Term(np.where(used, first, 0).astype(float), used.astype(float))
    rows = estimate_contrasts([contrast([accuracy], n, difference=False)], items, resamples=50)
    assert all(np.isnan(row.p_positive) for row in rows)


def test_batches_of_columns_give_what_one_batch_gives(drawn, monkeypatch):
    n, items, first, second, used = drawn
    many = [
        contrast([Term(np.where(used, first * (k + 1.0) - second, 0.0), used.astype(float))], n, model=f"m{k}")
        for k in range(5)
    ]
    whole = estimate_contrasts(many, items, resamples=64)
    monkeypatch.setattr("perimetry.runs.contrasts.BATCH_BYTES", 1)
    assert estimate_frame(estimate_contrasts(many, items, resamples=64)).equals(estimate_frame(whole))


def test_nothing_to_estimate_is_no_error():
    assert estimate_contrasts([], Items((), ())) == []


def test_a_rate_of_several_columns_equals_a_plain_loop(drawn):
    n, items, first, second, used = drawn
    columns = tuple(np.where(used, part, 0.0) for part in (first & second, first & ~second, ~first & second))
    rows = estimate_contrasts(
        [rated([RateTerm(columns, f1(0, 1, 2), used)], n)], Items(("a",) * n, items.groups), resamples=300, seed=4
    )
    plan = Resampling.from_groups(items.groups, ["a"] * n, resamples=300, seed=4)
    loop = []
    for weights in plan.weights(0)[:, plan.codes]:
        tp, fp, fn = (float(weights @ column) for column in columns)
        loop.append(2 * tp / (2 * tp + fp + fn))
    assert rows[0].value == pytest.approx(f1_score(second[used], first[used]))
    assert (rows[0].ci_low, rows[0].ci_high) == pytest.approx(tuple(np.quantile(loop, [0.025, 0.975])))
    assert rows[0].n == int(used.sum())


def test_a_rate_term_of_two_columns_is_the_ratio_term(drawn):
    n, items, first, second, used = drawn
    top, other, bottom = first * used * 1.0, second * used * 1.0, used * 1.0
    plain = contrast([Term(top, bottom), Term(other, bottom, -1)], n)
    general = contrast(
        [RateTerm((bottom, top), ratio(1, 0), used), RateTerm((other, bottom), ratio(0, 1), used, -1)], n
    )
    rows = estimate_frame(estimate_contrasts([plain, general], items, resamples=200))
    half = len(rows) // 2
    assert rows[:half].equals(rows[half:])


def test_an_item_that_states_nothing_still_counts(drawn):
    n, items, first, *_ = drawn
    nothing = np.zeros(n)
    counted = np.ones(n, dtype=bool)
    row = estimate_contrasts(
        [rated([RateTerm((first * 1.0, nothing, nothing), f1(0, 1, 2), counted)], n)], items, resamples=20
    )[-1]
    assert (row.n, row.value) == (n, 1.0)


def test_drawn_resamples_are_those_of_the_interval(drawn):
    n, items, first, second, used = drawn
    change = np.where(used, first.astype(float) - second, 0.0)
    one = contrast([Term(change, used.astype(float))], n)
    found = list(draw_contrasts([one], items, resamples=150, average=False))
    assert [row.estimate.dataset for row in found] == ["a", "b"]
    for row in found:
        assert row.distribution is not None
        ends = np.quantile(row.distribution.samples, [0.025, 0.975])
        assert (row.estimate.ci_low, row.estimate.ci_high) == pytest.approx(tuple(ends))


def test_pooled_counts_all_items_alike_and_macro_all_data_sets(drawn):
    n, items, first, _, used = drawn
    columns = np.where(used, first, 0).astype(float), used.astype(float)
    rows = estimate_contrasts([rated([Term(*columns)], n)], items, resamples=300, seed=4, pool=True)
    assert [row.dataset for row in rows] == ["a", "b", "macro", "pooled"]
    by_set = {row.dataset: row for row in rows}
    assert by_set["pooled"].value == pytest.approx(columns[0].sum() / columns[1].sum(), abs=1e-15)
    assert by_set["macro"].value == pytest.approx((by_set["a"].value + by_set["b"].value) / 2, abs=1e-15)
    plan = Resampling.from_groups(items.groups, items.datasets, resamples=300, seed=4)
    sums = plan.resample(np.column_stack(columns)).distribution(
        lambda both: both.sum(axis=0)[..., 0] / both.sum(axis=0)[..., 1], columns=[0, 1], strata=["a", "b"]
    )
    summary = sums.summary(0.95)
    assert (by_set["pooled"].ci_low, by_set["pooled"].ci_high) == (summary.ci_low, summary.ci_high)
    assert by_set["pooled"].n == by_set["macro"].n == int(used.sum())


def test_a_rate_of_each_data_set_is_not_pooled(drawn):
    n, items, first, _, used = drawn
    columns = (np.where(used, first, 0).astype(float), used.astype(float))
    own = RateTerm(columns, ratio(0, 1), used, by_dataset={"a": ratio(0, 1)})
    rows = estimate_contrasts([rated([own], n)], items, resamples=50, pool=True)
    assert np.isnan(rows[-1].value)
    assert rows[-1].dataset == "pooled"
