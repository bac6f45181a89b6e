"""Paired binary outcomes: the discordant pairs, McNemar's exact test, Holm's adjustment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import FloatArray, same_length
from perimetry.statistics.errors import StatisticsError


@dataclass(frozen=True, slots=True)
class Discordance:
    """Counts of paired binary outcomes.

    Attributes
    ----------
    both, left_only, right_only, neither
        Pairs by which side is right.
    missing
        Items of which a side is missing; not part of the pairs.

    Examples
    --------
    >>> Discordance(both=5, left_only=3, right_only=1, neither=1, missing=0).difference
    0.2
    """

    both: int
    left_only: int
    right_only: int
    neither: int
    missing: int

    @property
    def n(self) -> int:
        """Number of complete pairs."""
        return self.both + self.left_only + self.right_only + self.neither

    @property
    def difference(self) -> float:
        """Share right on the left less share right on the right; nan without pairs."""
        return (self.left_only - self.right_only) / self.n if self.n else math.nan

    @property
    def p_value(self) -> float:
        """Two-sided exact McNemar p."""
        return mcnemar(self.left_only, self.right_only)


def discordance(left: ArrayLike, right: ArrayLike) -> Discordance:
    """Count pairs of binary outcomes.

    Parameters
    ----------
    left, right
        ``(items,)`` of 0, 1 or nan (missing). With repeats, give the first repeat of each side.

    Returns
    -------
    Discordance

    Raises
    ------
    StatisticsError
        If the lengths differ or a value is neither 0, 1 nor nan.

    Examples
    --------
    >>> discordance([1, 1, 0, 1], [0, 1, 0, float("nan")])
    Discordance(both=1, left_only=1, right_only=0, neither=1, missing=1)
    """
    one, two = _binary(left, "left"), _binary(right, "right")
    same_length(left=one, right=two)
    known = ~(np.isnan(one) | np.isnan(two))
    code = np.bincount((2 * one[known] + two[known]).astype(np.int64), minlength=4).tolist()
    return Discordance(code[3], code[2], code[1], code[0], int((~known).sum()))


def _binary(values: ArrayLike, name: str) -> FloatArray:
    flat = np.asarray(values, dtype=np.float64).ravel()
    odd = flat[~(np.isnan(flat) | (flat == 0.0) | (flat == 1.0))]
    if odd.size:
        raise StatisticsError(
            f"{name}: found {odd[0]}, expected 0, 1 or nan; use a bootstrap interval for graded or averaged outcomes"
        )
    return flat


def mcnemar(left_only: int, right_only: int) -> float:
    """Return the two-sided exact McNemar p of the discordant pairs.

    Under no difference each discordant pair falls to either side like a fair coin: twice the smaller binomial tail, at
    most 1 (McNemar 1947; exact form as CORAL section 3.4 asks). It takes pairs as independent: with several items a
    group it is too small, and `two_sided_p` of the group bootstrap is the one to show.

    Parameters
    ----------
    left_only, right_only
        Pairs on which only that side is right, 0 or more.

    Returns
    -------
    float
        1 without discordant pairs.

    Raises
    ------
    StatisticsError
        If a count is negative.

    Examples
    --------
    >>> mcnemar(5, 0)
    0.0625
    """
    from scipy.special import bdtr

    _counts(left_only=left_only, right_only=right_only)
    total = left_only + right_only
    if total == 0:
        return 1.0
    return float(min(1.0, 2.0 * bdtr(min(left_only, right_only), total, 0.5)))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's step-down adjusted p values (Holm 1979).

    Parameters
    ----------
    p_values
        One family: for instance one metric, all models. nan (nothing was tested) stays nan and is not counted.

    Returns
    -------
    tuple of float
        In the order given, each at most 1.

    Raises
    ------
    StatisticsError
        If a value lies outside 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, float("nan"), 0.03])
    (0.03, 0.06, nan, 0.06)
    """
    given = np.asarray(p_values, dtype=np.float64).ravel()
    tested = np.flatnonzero(~np.isnan(given))
    outside = given[tested][(given[tested] < 0.0) | (given[tested] > 1.0)]
    if outside.size:
        raise StatisticsError(f"p value: found {outside[0]}, expected 0 to 1")
    order = tested[np.argsort(given[tested], kind="stable")]
    adjusted = np.full(given.shape, np.nan)
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * factors), 1.0)
    return tuple(float(value) for value in adjusted)


def _counts(**named: int) -> None:
    for name, count in named.items():
        if count < 0:
            raise StatisticsError(f"{name}: found {count}, expected a count of 0 or more")
