"""Resampling plans against a plain loop over the same raw integers."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from perimetry.statistics import Resampling, StatisticsError, difference, macro, pooled, ratio, stream_key
from perimetry.statistics.sums import exact_grid, group_sums


def plain_weights(seed: int, stratum: str, groups: int, resamples: int) -> list[list[int]]:
    """Draws written out: two 32-bit integers a word, rows padded to blocks of four words."""
    words = math.ceil(math.ceil(groups / 2) / 4) * 4
    stream = np.random.Philox(key=stream_key(seed, "bootstrap", stratum, groups))
    rows = []
    for _ in range(resamples):
        row = [int(word) for word in stream.random_raw(words)]
        halves = [half for word in row for half in (word & 0xFFFFFFFF, word >> 32)][:groups]
        counts = [0] * groups
        for half in halves:
            counts[(half * groups) >> 32] += 1
        rows.append(counts)
    return rows


GROUPS = ["p2", "p1", "p3", "p1", "p9", "p2", "q", "q", "r"]
STRATA = ["b", "b", "b", "b", "a", "b", "a", "b", "a"]


def test_groups_are_numbered_within_sorted_strata():
    plan = Resampling.from_groups(GROUPS, STRATA)
    assert plan.strata == ("a", "b")
    assert plan.groups == (3, 4)
    #      a: p9 q r -> 0 1 2      b: p1 p2 p3 q -> 3 4 5 6
    assert plan.codes.tolist() == [4, 3, 5, 3, 0, 4, 1, 6, 2]
    assert (plan.resamples, plan.seed) == (10_000, 42)


@pytest.mark.parametrize("groups", [1, 2, 3, 7, 8, 9, 50, 333])
def test_weights_equal_the_plain_loop(groups):
    plan = Resampling.from_groups(range(groups), ["vqa"] * groups, resamples=40, seed=7)
    assert plan.weights(0).tolist() == plain_weights(7, "vqa", groups, 40)
    assert plan.weights(0, 11, 23).tolist() == plain_weights(7, "vqa", groups, 40)[11:23]


def test_sums_equal_the_plain_loop():
    statistics = np.random.default_rng(0).integers(-5, 9, (len(GROUPS), 3))
    found = Resampling.from_groups(GROUPS, STRATA, resamples=30).sums(statistics)
    for s, (stratum, names) in enumerate([("a", ["p9", "q", "r"]), ("b", ["p1", "p2", "p3", "q"])]):
        for b, counts in enumerate(plain_weights(42, stratum, len(names), 30)):
            total = [0, 0, 0]
            for row, (group, where) in enumerate(zip(GROUPS, STRATA, strict=True)):
                if where == stratum:
                    for column in range(3):
                        total[column] += counts[names.index(group)] * int(statistics[row, column])
            assert found[s, b].tolist() == total


@given(st.permutations(range(len(GROUPS))))
@settings(max_examples=25, deadline=None)
def test_row_order_changes_no_bit(order):
    statistics = np.random.default_rng(1).normal(size=(len(GROUPS), 4)) * [1e-9, 1.0, 1e6, 1.0]
    statistics[:, 3] = 0.1
    first = Resampling.from_groups(GROUPS, STRATA, resamples=50).resample(statistics)
    other = Resampling.from_groups([GROUPS[k] for k in order], [STRATA[k] for k in order], resamples=50).resample(
        statistics[list(order)]
    )
    assert np.array_equal(first.sums, other.sums)
    assert np.array_equal(first.observed, other.observed)


def test_thread_count_and_block_size_change_no_bit(monkeypatch):
    code = (
        "import hashlib, numpy as np; from perimetry.statistics import Resampling\n"
        "values = (np.arange(4000 * 5) % 997).reshape(4000, 5) / 7.0\n"
        "sums = Resampling.from_groups(range(4000), resamples=300).sums(values)\n"
        "print(hashlib.sha256(sums.tobytes()).hexdigest())"
    )
    digests = set()
    for threads in ("1", "2"):
        env = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        digests.add(done.stdout)
    assert len(digests) == 1

    values = (np.arange(4000 * 5) % 997).reshape(4000, 5) / 7.0
    whole = Resampling.from_groups(range(4000), resamples=300).sums(values)
    monkeypatch.setattr("perimetry.statistics.resampling._KEPT_AT_ONCE", 4000 * 7)
    monkeypatch.setattr("perimetry.statistics.sums._FEW_COLUMNS", 0)
    assert np.array_equal(whole, Resampling.from_groups(range(4000), resamples=300).sums(values))


def test_a_data_set_alone_gets_the_draws_it_gets_beside_others():
    statistics = np.arange(len(GROUPS), dtype=float)[:, None]
    both = Resampling.from_groups(GROUPS, STRATA, resamples=60).sums(statistics)
    keep = [k for k, stratum in enumerate(STRATA) if stratum == "b"]
    alone = Resampling.from_groups([GROUPS[k] for k in keep], ["b"] * len(keep), resamples=60)
    assert np.array_equal(alone.sums(statistics[keep])[0], both[1])


def test_a_shorter_plan_is_the_start_of_a_longer_one():
    statistics = np.arange(len(GROUPS), dtype=float)
    long = Resampling.from_groups(GROUPS, STRATA, resamples=200).sums(statistics)
    assert np.array_equal(Resampling.from_groups(GROUPS, STRATA, resamples=50).sums(statistics), long[:, :50])


def test_seeds_and_strata_draw_apart():
    def draw(stratum: str, seed: int) -> list[list[float]]:
        weights = Resampling.from_groups(range(20), [stratum] * 20, resamples=5, seed=seed).weights(0)
        return [list(row) for row in weights.tolist()]

    assert draw("a", 42) != draw("b", 42)
    assert draw("a", 42) != draw("a", 43)
    assert draw("a", 42) == draw("a", 42)


@pytest.mark.parametrize("groups", [5, 64, 1001])
def test_draws_are_a_multinomial(groups):
    weights = Resampling.from_groups(range(groups), resamples=4000).weights(0)
    assert (weights.sum(axis=1) == groups).all()
    assert stats.chisquare(weights.sum(axis=0)).pvalue > 1e-4
    # each count is binomial(groups, 1 / groups)
    found = np.bincount(weights.astype(int).ravel(), minlength=4)[:4] / weights.size
    expected = stats.binom.pmf(range(4), groups, 1 / groups)
    assert np.abs(found - expected).max() < 4 * np.sqrt(0.25 / weights.size) + 1e-3


def test_wide_draws_for_more_groups_than_32_bits_serve(monkeypatch):
    monkeypatch.setattr("perimetry.statistics.resampling._NARROW", 10)
    plan = Resampling.from_groups(range(21), resamples=500)
    weights = plan.weights(0)
    assert (weights.sum(axis=1) == 21).all()
    assert stats.chisquare(weights.sum(axis=0)).pvalue > 1e-4
    assert np.array_equal(plan.weights(0, 100, 120), weights[100:120])


@given(
    st.lists(st.floats(-1e12, 1e12, allow_nan=False), min_size=2, max_size=30),
    st.randoms(use_true_random=False),
)
@settings(max_examples=100, deadline=None)
def test_sums_on_the_grid_are_exact_and_near(values, random):
    codes = np.arange(len(values))
    column = np.asarray(values)[:, None]
    grid = exact_grid(column, codes, len(values))[:, 0].tolist()
    largest = max(abs(value) for value in values)
    assert all(abs(a - b) <= len(values) * 2.0**-52 * largest for a, b in zip(grid, values, strict=True))
    drawn = [random.choice(grid) for _ in grid]
    assert sum(drawn) == math.fsum(drawn)
    assert sum(sorted(drawn)) == math.fsum(drawn)


def test_whole_numbers_stay_whole_on_the_grid():
    matrix = np.random.default_rng(3).integers(-1000, 1000, (5000, 4)).astype(float)
    codes = np.arange(5000) % 1700
    assert np.array_equal(exact_grid(matrix, codes, 1700), matrix)
    assert group_sums(matrix, codes, 1700)[5].tolist() == matrix[codes == 5].sum(axis=0).tolist()


def test_no_items_give_no_number_and_no_error():
    plan = Resampling.from_groups([], [])
    assert (plan.strata, plan.groups, plan.items) == ((), (), 0)
    result = plan.resample(np.zeros((0, 2))).estimate(pooled(ratio(0, 1)))
    assert math.isnan(result.value)
    assert math.isnan(result.ci_low)
    assert "undefined on the data" in result.note
    assert not result.resolved


def test_one_group_has_a_value_and_no_interval():
    result = Resampling.from_groups(["p"] * 4).resample([[1, 1], [1, 1], [0, 1], [1, 1]]).estimate(pooled(ratio(0, 1)))
    assert result.value == 0.75
    assert math.isnan(result.ci_low)
    assert math.isnan(result.p_positive)
    assert "interval undefined: 1 group" in result.note


def test_a_column_held_by_one_group_of_many_has_no_interval():
    statistics = np.zeros((50, 2))
    statistics[3] = [1, 1]
    result = Resampling.from_groups(range(50)).resample(statistics).estimate(pooled(ratio(0, 1)))
    assert result.value == 1.0
    assert math.isnan(result.ci_high)
    assert result.groups == 1
    assert result.undefined == pytest.approx(10_000 * (1 - 1 / 50) ** 50, rel=0.1)


def test_undefined_resamples_are_counted_and_left_out():
    statistics = np.zeros((6, 2))
    statistics[:2] = [[1, 1], [0, 1]]
    plan = Resampling.from_groups(range(6), resamples=2000)
    result = plan.resample(statistics).estimate(pooled(ratio(0, 1)))
    empty = int((plan.weights(0)[:, :2].sum(axis=1) == 0).sum())
    assert empty > 0
    assert result.undefined == empty
    assert f"{empty} of 2000 resamples undefined" in result.note
    assert (result.ci_low, result.ci_high) == (0.0, 1.0)


def test_a_stratum_of_one_group_is_named():
    sums = Resampling.from_groups(["a", "b", "c"], ["x", "x", "y"]).resample([[1, 1], [0, 1], [1, 1]])
    assert "one group only in y" in sums.estimate(macro(ratio(0, 1))).note
    assert sums.estimate(macro(ratio(0, 1)), strata=["x"]).note == ""
    assert "interval undefined" in sums.estimate(macro(ratio(0, 1)), strata=["y"]).note


def test_columns_and_strata_go_by_name():
    sums = Resampling.from_groups(GROUPS, STRATA).resample(
        np.arange(27, dtype=float).reshape(9, 3), names=["left", "right", "n"]
    )
    named = sums.estimate(pooled(difference(ratio(0, 2), ratio(1, 2))), columns=["right", "left", "n"], strata=["b"])
    numbered = sums.estimate(pooled(difference(ratio(0, 2), ratio(1, 2))), columns=[1, 0, 2], strata=["b"])
    assert named == numbered
    assert named.value > 0


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Resampling.from_groups(["a", ""]), "found '' for item 1"),
        (lambda: Resampling.from_groups(np.asarray(["a", None])), "found None for item 1"),
        (lambda: Resampling.from_groups(["a", "b"], ["x"]), "groups has 2, strata has 1"),
        (lambda: Resampling.from_groups(["a"], resamples=0), "resamples: found 0"),
        (lambda: Resampling.from_groups(["a", "b"]).sums([[1.0]]), "expected \\(2, columns\\)"),
        (lambda: Resampling.from_groups(["a", "b"]).sums([1.0, math.nan]), "found nan at row 1, column 0"),
        (lambda: Resampling.from_groups(["a"]).resample([[1, 2]], ["x", "x"]), "names: found 2 \\(1 distinct\\)"),
        (lambda: Resampling.from_groups(["a"]).resample([1]).estimate(ratio(0, 0)), "one value a row"),
        (
            lambda: Resampling.from_groups(["a"]).resample([1]).estimate(pooled(ratio(0, 0)), columns=[1]),
            "column: found 1",
        ),
        (lambda: Resampling.from_groups(["a"]).resample([1]).estimate(pooled(ratio(0, 0)), columns=["z"]), "'z'"),
        (
            lambda: Resampling.from_groups(["a"]).resample([1]).estimate(pooled(ratio(0, 0)), strata=["z"]),
            "stratum: found",
        ),
        (
            lambda: Resampling.from_groups(["a"]).resample([1]).estimate(pooled(ratio(0, 0)), level=1.0),
            "level: found 1.0",
        ),
    ],
)
def test_errors_say_what_was_found(act, message):
    with pytest.raises(StatisticsError, match=message):
        act()
