"""Shuffled keys as the measure of luck, against textbook formulas computed here."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.screening.guessers.planted import drawn_items, planted_ids, with_cue

from perimetry.screening.guessers import GUESSERS, cross_fit, estimate_guesses
from perimetry.screening.guessers.null import draws_of, independent_spread

# Standard deviations of the mean of independent guesses: 60 items of five options, 45 of three.
LEAST = {
    "drawn": math.sqrt(0.2 * 0.8 / 60),
    "other": math.sqrt(2 / 9 / 45),
    "pooled": math.sqrt(60 * 0.2 * 0.8 + 45 * 2 / 9) / 105,
}


@pytest.fixture(scope="module")
def predictions():
    items = [*drawn_items(60), *drawn_items(45, options=3, dataset="other")]
    cued = planted_ids(items[:60], 0.5)
    items = [with_cue(it, "word") if it.dataset == "drawn" and it.id in cued else it for it in items]
    return cross_fit(items, shuffles=4, guessers=[GUESSERS["options"]]).predictions


def gains(predictions, dataset):
    """Gain over chance of each draw, by plain loops over the rows."""
    found = []
    for draw in range(1, 5):
        own = [
            row
            for row in predictions.iter_rows(named=True)
            if row["shuffle"] == draw and dataset in (row["dataset"], "pooled")
        ]
        found.append(sum(row["correct"] - row["chance"] for row in own) / len(own))
    return np.array(found)


def known(predictions):
    rows = estimate_guesses(predictions, resamples=200)
    return {(row.metric, row.comparator, row.dataset, row.stratum): row for row in rows if row.model != "chance"}


def test_gains_of_the_draws(predictions):
    for dataset in ("drawn", "other", "pooled"):
        assert draws_of(predictions, "options", dataset) == pytest.approx(gains(predictions, dataset))
    macro = (gains(predictions, "drawn") + gains(predictions, "other")) / 2
    assert draws_of(predictions, "options", "macro") == pytest.approx(macro)
    assert draws_of(predictions, "options", "pooled", "options=3") == pytest.approx(gains(predictions, "other"))


def test_p_is_a_t_test_against_the_spread_of_the_draws(predictions):
    rows = known(predictions)
    for dataset in ("drawn", "pooled"):
        row = rows["accuracy", "chance", dataset, "all"]
        drawn = gains(predictions, dataset)
        statistic = row.value / max(math.sqrt(sum(drawn**2) / 4), LEAST[dataset])
        assert row.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), df=4))
        assert "4 draws of shuffled keys" in row.method


def test_the_sanity_check_is_the_mean_of_the_draws_with_a_t_interval(predictions):
    drawn = gains(predictions, "drawn")
    row = known(predictions)["accuracy_shuffled_keys", "chance", "drawn", "all"]
    error = max(drawn.std(ddof=1), LEAST["drawn"]) / 2
    low, high = stats.t.interval(0.95, 3, loc=drawn.mean(), scale=error)
    assert (row.value, row.ci_low, row.ci_high) == pytest.approx((drawn.mean(), low, high))
    assert row.p_value == pytest.approx(2 * stats.t.sf(abs(drawn.mean()) / error, 3))
    plain = known(predictions)["accuracy_shuffled_keys", "", "drawn", "all"]
    assert plain.value == pytest.approx(drawn.mean() + 0.2)


def test_a_single_draw_leaves_the_bootstrap(predictions):
    one = predictions.filter(pl.col("shuffle") < 2)
    row = known(one)["accuracy", "chance", "drawn", "all"]
    assert "of the resamples" in row.method


def test_draws_that_lie_close_together_by_luck_are_not_believed(predictions):
    for dataset, least in LEAST.items():
        assert independent_spread(predictions, "options", dataset) == pytest.approx(least)
    macro = math.sqrt(LEAST["drawn"] ** 2 + LEAST["other"] ** 2) / 2
    assert independent_spread(predictions, "options", "macro") == pytest.approx(macro)
    # Every draw a copy of the first: no spread between draws at all.
    first = predictions.filter(pl.col("shuffle") == 1)
    copies = pl.concat(
        [predictions.filter(pl.col("shuffle") == 0)]
        + [first.with_columns(pl.lit(draw, pl.Int64).alias("shuffle")) for draw in range(1, 5)]
    )
    row = known(copies)["accuracy_shuffled_keys", "chance", "drawn", "all"]
    half = stats.t.ppf(0.975, 3) * LEAST["drawn"] / 2
    assert (row.ci_high - row.ci_low) / 2 == pytest.approx(half)
