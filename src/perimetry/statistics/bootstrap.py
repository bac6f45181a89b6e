"""The common bootstraps in one call each; `Resampling` underneath serves everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from numpy.typing import ArrayLike

from perimetry.statistics.columns import mean_columns, paired_columns
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.finishes import Rate, difference, macro, pooled, ratio
from perimetry.statistics.interval import BootstrapResult
from perimetry.statistics.resampling import Resampling


def bootstrap_mean(
    plan: Resampling, values: ArrayLike, *, over: Literal["pooled", "macro"] = "pooled", level: float = 0.95
) -> BootstrapResult:
    """Return the mean of a per-item value with its interval.

    Parameters
    ----------
    plan
        From `Resampling.from_groups`, one entry an item.
    values
        ``(items,)``, nan where missing.
    over
        ``"pooled"``: items count alike; ``"macro"``: strata count alike, those without any item left out.
    level
        Coverage aimed at.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    StatisticsError
        If lengths differ or ``level`` is out of range.

    Examples
    --------
    >>> plan = Resampling.from_groups(["a", "b", "c", "d"])
    >>> bootstrap_mean(plan, [1, 0, 1, 1]).value
    0.75
    """
    return _bootstrap(plan, mean_columns(values), ratio(0, 1), 1, over, level)


def bootstrap_difference(
    plan: Resampling,
    left: ArrayLike,
    right: ArrayLike,
    *,
    over: Literal["pooled", "macro"] = "pooled",
    level: float = 0.95,
) -> BootstrapResult:
    """Return the paired difference of two means on the items that have both (CORAL section 3.4).

    Parameters
    ----------
    left, right
        ``(items,)``, nan where missing.
    plan, over, level
        See `bootstrap_mean`.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    StatisticsError
        See `bootstrap_mean`.

    Examples
    --------
    >>> plan = Resampling.from_groups(["a", "b", "c", "d"])
    >>> bootstrap_difference(plan, [1, 1, 1, 1], [0, 1, 0, 1]).value
    0.5
    """
    rate = difference(ratio(0, 2), ratio(1, 2))
    return _bootstrap(plan, paired_columns(left, right), rate, 2, over, level)


def configuration_mean(
    values: ArrayLike, names: Sequence[str], *, resamples: int = 10_000, seed: int = 42, level: float = 0.95
) -> BootstrapResult:
    """Return the equal-weight mean over model configurations, resampling configurations (MedQA-MM B.6).

    It answers "what would another panel of such models show"; the item bootstrap of the same mean answers "what would
    other items show". They are not interchangeable: label which one is drawn.

    Parameters
    ----------
    values
        ``(configurations,)`` summaries, nan where missing.
    names
        One distinct name a configuration.
    resamples, seed
        See `Resampling.from_groups`.
    level
        See `bootstrap_mean`.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    StatisticsError
        If lengths differ.

    Examples
    --------
    >>> configuration_mean([-0.02, -0.06, -0.08], ["a", "b", "c"]).resolved
    True
    """
    plan = Resampling.from_groups(names, ["configurations"] * len(names), resamples=resamples, seed=seed)
    return bootstrap_mean(plan, values, level=level)


def _bootstrap(
    plan: Resampling, statistics: ArrayLike, rate: Rate, count: int, over: Literal["pooled", "macro"], level: float
) -> BootstrapResult:
    sums = plan.resample(statistics)
    if over == "pooled":
        return sums.estimate(pooled(rate), level=level)
    if over == "macro":
        held = [name for name, total in zip(sums.strata, sums.observed[:, count].tolist(), strict=True) if total > 0]
        return sums.estimate(macro(rate), strata=held, level=level)
    raise StatisticsError(f"over: found {over!r}, expected 'pooled' or 'macro'")
