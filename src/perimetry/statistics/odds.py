"""How much more likely a cue is on the key: the Mantel-Haenszel odds ratio over items."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import FloatArray, check_level, same_length
from perimetry.statistics.errors import StatisticsError


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """A common odds ratio with its interval.

    Attributes
    ----------
    value
        Odds ratio, 0 or more; infinite where no table speaks against the cue, nan where none speaks at all.
    ci_low, ci_high
        Interval; nan where the ratio is 0, infinite or undefined.
    level
        Coverage aimed at.
    p_value
        Two-sided Mantel-Haenszel chi-square test of a ratio of 1, without continuity correction.
    tables, informative
        Tables given, and those that hold both cue values and both key values: only they count.

    Examples
    --------
    >>> OddsRatio(2.0, 1.2, 3.3, 0.95, 0.01, 100, 60).resolved
    True
    """

    value: float
    ci_low: float
    ci_high: float
    level: float
    p_value: float
    tables: int
    informative: int

    @property
    def resolved(self) -> bool:
        """Whether the interval excludes 1."""
        return self.ci_low > 1.0 or self.ci_high < 1.0


def option_tables(
    items: Sequence[Hashable], cue: Sequence[bool] | Sequence[int], key: Sequence[bool] | Sequence[int]
) -> FloatArray:
    """Count one 2x2 table an item from its options.

    Parameters
    ----------
    items
        ``(options,)``: the item each option belongs to.
    cue
        ``(options,)``: whether the option carries the cue.
    key
        ``(options,)``: whether it is the key.

    Returns
    -------
    numpy.ndarray
        ``(items, 2, 2)`` in the order in which items first appear: ``[[cue and key, cue only], [key only, neither]]``.

    Raises
    ------
    StatisticsError
        If the lengths differ.

    Examples
    --------
    >>> option_tables(["q1"] * 4, cue=[1, 0, 1, 0], key=[1, 0, 0, 0]).tolist()
    [[[1.0, 1.0], [0.0, 2.0]]]
    """
    same_length(items=items, cue=cue, key=key)
    numbers: dict[Hashable, int] = {}
    rows = np.asarray([numbers.setdefault(item, len(numbers)) for item in items], dtype=np.int64)
    cells = rows * 4 + 2 * ~np.asarray(cue, dtype=bool) + ~np.asarray(key, dtype=bool)
    return np.bincount(cells, minlength=4 * len(numbers)).reshape(len(numbers), 2, 2).astype(np.float64)


def odds_columns(tables: ArrayLike) -> FloatArray:
    """Return ``(a d / n, b c / n)`` a table: ``ratio(0, 1)`` of their sums is the Mantel-Haenszel odds ratio.

    These are its sufficient statistics, so that any resampling plan can give it an interval.

    Parameters
    ----------
    tables
        ``(tables, 2, 2)`` counts ``[[a, b], [c, d]]``.

    Returns
    -------
    numpy.ndarray
        ``(tables, 2)``; an empty table gives zeros.

    Raises
    ------
    StatisticsError
        If the shape does not fit or a count is negative or not finite.

    Examples
    --------
    >>> odds_columns([[[2, 1], [1, 2]]]).round(3).tolist()
    [[0.667, 0.167]]
    """
    counts = np.asarray(tables, dtype=np.float64)
    if counts.ndim != 3 or counts.shape[1:] != (2, 2):
        raise StatisticsError(f"tables: found shape {counts.shape}, expected (tables, 2, 2)")
    if not (np.isfinite(counts) & (counts >= 0.0)).all():
        raise StatisticsError("tables: found a negative or non-finite count, expected counts of 0 or more")
    total = counts.sum(axis=(1, 2))
    size = np.where(total > 0.0, total, 1.0)
    agree = counts[:, 0, 0] * counts[:, 1, 1] / size
    against = counts[:, 0, 1] * counts[:, 1, 0] / size
    return np.stack([agree, against], axis=1)


def mantel_haenszel(tables: ArrayLike, *, groups: Sequence[Hashable] | None = None, level: float = 0.95) -> OddsRatio:
    """Return the Mantel-Haenszel common odds ratio of a cue for being the key (Mantel and Haenszel 1959).

    Parameters
    ----------
    tables
        ``(tables, 2, 2)``, one an item, from `option_tables`: items with many and with few options are compared
        within themselves.
    groups
        What items share, one entry a table. Left out, the interval is that of Robins, Breslow and Greenland (1986),
        which holds for few large and for many small tables of independent items. Given, the variance of the log ratio
        is the empirical one over groups (Breslow 1981), which also holds where items of a group resemble one another.
    level
        Coverage aimed at.

    Returns
    -------
    OddsRatio

    Raises
    ------
    StatisticsError
        If shapes do not fit, a count is negative, or ``level`` is out of range.

    Examples
    --------
    >>> round(mantel_haenszel([[[10, 5], [4, 11]], [[8, 6], [5, 9]]]).value, 2)
    3.59
    """
    check_level(level)
    columns = odds_columns(tables)
    counts = np.asarray(tables, dtype=np.float64)
    agree, against = columns[:, 0], columns[:, 1]
    total_agree, total_against = math.fsum(agree.tolist()), math.fsum(against.tolist())
    informative = int(((counts.sum(axis=1).min(axis=1) > 0) & (counts.sum(axis=2).min(axis=1) > 0)).sum())
    value = low = high = math.nan
    if total_against > 0.0:
        value = total_agree / total_against
    elif total_agree > 0.0:
        value = math.inf
    if total_agree > 0.0 and total_against > 0.0:
        if groups is None:
            variance = _rbg_variance(counts, agree, against)
        else:
            same_length(tables=agree, groups=groups)
            variance = _grouped_variance(agree - value * against, groups, total_agree)
        spread = NormalDist().inv_cdf((1.0 + level) / 2.0) * math.sqrt(variance)
        if variance > 0.0:
            low, high = value * math.exp(-spread), value * math.exp(spread)
    return OddsRatio(value, low, high, level, _chi_square_p(counts), int(counts.shape[0]), informative)


def _rbg_variance(counts: FloatArray, agree: FloatArray, against: FloatArray) -> float:
    total = counts.sum(axis=(1, 2))
    size = np.where(total > 0.0, total, 1.0)
    concordant = (counts[:, 0, 0] + counts[:, 1, 1]) / size
    discordant = (counts[:, 0, 1] + counts[:, 1, 0]) / size
    r, s = agree.sum(), against.sum()
    return float(
        (concordant * agree).sum() / (2 * r * r)
        + (concordant * against + discordant * agree).sum() / (2 * r * s)
        + (discordant * against).sum() / (2 * s * s)
    )


def _grouped_variance(residuals: FloatArray, groups: Sequence[Hashable], total_agree: float) -> float:
    numbers: dict[Hashable, int] = {}
    codes = np.asarray([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)
    if len(numbers) < 2:
        return math.nan
    return float((np.bincount(codes, weights=residuals) ** 2).sum() / total_agree**2)


def _chi_square_p(counts: FloatArray) -> float:
    total = counts.sum(axis=(1, 2))
    kept = counts[total > 1.0]
    size = total[total > 1.0]
    rows, columns = kept.sum(axis=2), kept.sum(axis=1)
    surplus = (kept[:, 0, 0] - rows[:, 0] * columns[:, 0] / size).sum()
    variance = (rows.prod(axis=1) * columns.prod(axis=1) / (size**2 * (size - 1.0))).sum()
    return math.erfc(math.sqrt(surplus**2 / variance / 2.0)) if variance > 0.0 else math.nan
