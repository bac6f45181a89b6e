"""What shuffled keys say: the guesser at chance, and how far luck alone carries it.

The guesses of one cross-fit hang together: folds train on one another's keys, and where there is no signal all of them
go by the same small imbalances. A bootstrap over items, with the guesses as they are, knows nothing of that and is too
narrow (Bengio and Grandvalet 2004). Draws of shuffled keys repeat the whole of it, so their spread is the right one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.runs.estimates import Estimate

__all__ = ["CHANCE", "SHUFFLED", "draws_of", "independent_spread", "with_null"]

Numbers = NDArray[np.float64]

CHANCE = "chance"
SHUFFLED = "accuracy_shuffled_keys"
"""Metric of the sanity check: accuracy on keys drawn at random, averaged over the draws."""

LEAST_DRAWS = 2


def with_null(rows: Sequence[Estimate], predictions: pl.DataFrame) -> list[Estimate]:
    """Give each gain over chance the p of the shuffled keys, and the sanity check the interval between its draws.

    p is that of a t test of the gain against the spread of the gains under shuffled keys, whose mean is zero by the way
    the keys are drawn. The sanity check is the mean of these gains, with a t interval between draws. A few draws may
    lie close together by luck: a spread below that of independent guesses is raised to it. With fewer than two draws
    the rows stay as they are.

    Parameters
    ----------
    rows : sequence of Estimate
        Of `estimate_guesses`.
    predictions : polars.DataFrame
        See `PREDICTIONS`.
    """
    known: dict[tuple[str, str, str], tuple[Numbers, float]] = {}
    found = []
    for row in rows:
        name = row.model.removeprefix("guesser:")
        if row.model == name or (row.comparator != CHANCE and row.metric != SHUFFLED):
            found.append(row)
            continue
        key = (name, row.dataset, row.stratum)
        if key not in known:
            known[key] = (draws_of(predictions, *key), independent_spread(predictions, *key))
        found.append(_by_draws(row, *known[key]))
    return found


def draws_of(predictions: pl.DataFrame, guesser: str, dataset: str, stratum: str = "all") -> Numbers:
    """The gain over chance under each draw of shuffled keys.

    Parameters
    ----------
    predictions : polars.DataFrame
    guesser : str
    dataset : str
        ``macro`` for the mean over data sets, ``pooled`` for all items together.
    stratum : str
        ``all`` or ``options=K``.

    Returns
    -------
    float array, (draws,)
    """
    own = _rows(predictions, guesser, dataset, stratum).filter(pl.col("shuffle") > 0)
    gain = (pl.col("correct").cast(pl.Float64) - pl.col("chance")).mean().alias("gain")
    if dataset == "macro":
        means = own.group_by("shuffle", "dataset").agg(gain).group_by("shuffle").agg(pl.col("gain").mean())
    else:
        means = own.group_by("shuffle").agg(gain)
    return np.asarray(means.sort("shuffle")["gain"].to_numpy(), dtype=np.float64)


def independent_spread(predictions: pl.DataFrame, guesser: str, dataset: str, stratum: str = "all") -> float:
    """Standard deviation of the gain where every guess is right by chance, independently of the others.

    Parameters
    ----------
    predictions, guesser, dataset, stratum
        As in `draws_of`.
    """
    own = _rows(predictions, guesser, dataset, stratum).filter(pl.col("shuffle") == 0)
    chance = pl.col("chance")
    of_sets = own.group_by("dataset").agg((chance * (1 - chance)).sum().alias("variance"), pl.len().alias("n"))
    if dataset == "macro":
        variances = (of_sets["variance"] / of_sets["n"] ** 2).to_numpy()
        return math.sqrt(float(variances.sum())) / max(1, of_sets.height)
    return math.sqrt(float(of_sets["variance"].sum())) / max(1, own.height)


def _rows(predictions: pl.DataFrame, guesser: str, dataset: str, stratum: str) -> pl.DataFrame:
    own = predictions.filter(pl.col("guesser") == guesser)
    if dataset not in ("macro", "pooled"):
        own = own.filter(pl.col("dataset") == dataset)
    if stratum != "all":
        own = own.filter(pl.col("options") == int(stratum.removeprefix("options=")))
    return own


def _by_draws(row: Estimate, gains: Numbers, least: float) -> Estimate:
    from scipy.stats import t

    draws = gains.size
    if draws < LEAST_DRAWS:
        return row
    if row.metric != SHUFFLED:
        spread = max(math.sqrt(float((gains**2).mean())), least)
        p_value = 2 * float(t.sf(abs(row.value) / spread, draws)) if spread > 0 else math.nan
        told = f"{row.method.split(';')[0]}; two-sided p against {draws} draws of shuffled keys"
        return replace(row, p_value=p_value, method=told)
    middle, error = float(gains.mean()), max(float(gains.std(ddof=1)), least) / math.sqrt(draws)
    half = float(t.ppf((1 + row.level) / 2, draws - 1)) * error
    p_value = 2 * float(t.sf(abs(middle) / error, draws - 1)) if error > 0 else math.nan
    # The row without a comparator is the accuracy itself: chance higher.
    value = middle if row.comparator == CHANCE else row.value
    return replace(
        row,
        value=value,
        ci_low=value - half,
        ci_high=value + half,
        p_value=p_value if row.comparator == CHANCE else math.nan,
        p_positive=math.nan,
        method=f"mean of {draws} draws of shuffled keys, t interval between draws",
    )
