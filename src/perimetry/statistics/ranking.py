"""Ranks of models, on the data and on every resample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import ROUND_OFF, FloatArray
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.interval import Distribution, interval


def ranks(scores: ArrayLike, *, higher_is_better: bool = True) -> FloatArray:
    """Rank models, 1 for the best; equal scores share the mean of their ranks.

    Parameters
    ----------
    scores
        ``(models,)`` or ``(models, resamples)``; a column with a nan has no ranks.
    higher_is_better
        The metric's declared direction.

    Returns
    -------
    numpy.ndarray
        The shape of ``scores``, 1 to ``models``.

    Examples
    --------
    >>> ranks([0.7, 0.9, 0.7]).tolist()
    [2.5, 1.0, 2.5]
    """
    table = np.asarray(scores, dtype=np.float64) * (1.0 if higher_is_better else -1.0)
    result = np.empty(table.shape)
    for k in range(table.shape[0]):
        gap = table - table[k]
        better = (gap > ROUND_OFF).sum(axis=0)
        level_with = (np.abs(gap) <= ROUND_OFF).sum(axis=0) - 1
        result[k] = 1.0 + better + level_with / 2.0
    return np.where(np.isnan(table).any(axis=0), np.nan, result)


@dataclass(frozen=True, slots=True)
class RankSummary:
    """A model's rank with its interval over resamples, and how often it is best (ties shared out).

    Examples
    --------
    >>> RankSummary("m", 1.0, 1.0, 2.0, 0.9).p_best
    0.9
    """

    name: str
    rank: float
    ci_low: float
    ci_high: float
    p_best: float


def rank_models(
    models: Mapping[str, Distribution], *, higher_is_better: bool = True, level: float = 0.95
) -> tuple[RankSummary, ...]:
    """Rank models on the data and on every resample.

    Parameters
    ----------
    models
        One metric of each model, all from one plan.
    higher_is_better
        See `ranks`.
    level
        Coverage aimed at.

    Returns
    -------
    tuple of RankSummary
        In the order given; nan where a resample has no value for a model.

    Raises
    ------
    StatisticsError
        If the distributions do not come from one plan.

    Examples
    --------
    >>> worse, better = Distribution(0.4, np.asarray([0.4, 0.5]), 9), Distribution(0.6, np.asarray([0.6, 0.4]), 9)
    >>> [row.p_best for row in rank_models({"worse": worse, "better": better})]
    [0.5, 0.5]
    """
    check_one_plan(models)
    if not models:
        return ()
    data = ranks([model.value for model in models.values()], higher_is_better=higher_is_better)
    drawn = ranks(np.stack([model.samples for model in models.values()]), higher_is_better=higher_is_better)
    known = ~np.isnan(drawn[0])
    top = drawn[:, known] == drawn[:, known].min(axis=0, initial=math.inf)
    share = top / top.sum(axis=0)
    rows = []
    for k, name in enumerate(models):
        low, high = interval(drawn[k], level)
        rows.append(RankSummary(name, float(data[k]), low, high, float(share[k].mean()) if known.any() else math.nan))
    return tuple(rows)


def check_one_plan(models: Mapping[str, Distribution]) -> None:
    """Raise ``StatisticsError`` unless all distributions have the same number of resamples.

    Examples
    --------
    >>> check_one_plan({"a": Distribution(0.5, np.asarray([0.5]), 1)})
    """
    sizes = {name: model.samples.shape for name, model in models.items()}
    if len(set(sizes.values())) > 1:
        found = ", ".join(f"{name} {shape[0]}" for name, shape in sizes.items())
        raise StatisticsError(f"resamples differ: {found}; expected distributions of one plan")
