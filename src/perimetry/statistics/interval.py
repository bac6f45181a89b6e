"""A resampled number: its percentile interval, its sign, and what could not be computed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import ROUND_OFF, FloatArray, check_level


def interval(values: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """Return the percentile interval of resampled values.

    CORAL section 3.4: the paired bootstrap's 2.5 and 97.5 percentiles (linear between order statistics).

    Parameters
    ----------
    values
        ``(resamples,)``; nan where a resample could not be computed: these are left out.
    level
        Coverage aimed at, between 0 and 1; 0.95 by default.

    Returns
    -------
    tuple of float
        ``(low, high)``; nan, nan when nothing is left.

    Raises
    ------
    StatisticsError
        If ``level`` is out of its range.

    Examples
    --------
    >>> interval([1.0, 2.0, 3.0, 4.0, 5.0], level=0.5)
    (2.0, 4.0)
    """
    check_level(level)
    defined = _defined(values)
    if defined.size == 0:
        return math.nan, math.nan
    low, high = np.quantile(defined, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def probability_positive(values: ArrayLike) -> float:
    """Return the share of defined resamples above zero (CORAL section 3.4), nan if there are none.

    A tie at zero is not above zero; differences within ``1e-9`` of it are round-off and count as ties.

    Examples
    --------
    >>> probability_positive([-1.0, 0.0, 1.0, 2.0])
    0.5
    """
    defined = _defined(values)
    return float(np.mean(defined > ROUND_OFF)) if defined.size else math.nan


def two_sided_p(values: ArrayLike) -> float:
    """Return a two-sided p value for "the difference is zero" read off the resamples.

    Twice the smaller tail, one added to count and total so that it is never 0 (Davison and Hinkley 1997, section 4.2).
    It agrees with the percentile interval up to ties: below 0.05 about when the 95% interval excludes zero. Use it
    where McNemar's test does not apply (graded scores, several items a group).

    Examples
    --------
    >>> two_sided_p([1.0] * 99)
    0.02
    """
    defined = _defined(values)
    if defined.size == 0:
        return math.nan
    not_above = np.count_nonzero(defined <= ROUND_OFF)
    not_below = np.count_nonzero(defined >= -ROUND_OFF)
    return float(min(1.0, 2.0 * (min(not_above, not_below) + 1) / (defined.size + 1)))


def excludes_zero(low: float, high: float) -> bool:
    """Say whether an interval is resolved: it excludes zero by more than round-off. An empty interval is not.

    Examples
    --------
    >>> excludes_zero(0.01, 0.2), excludes_zero(-0.1, 0.2), excludes_zero(float("nan"), float("nan"))
    (True, False, False)
    """
    return low > ROUND_OFF or high < -ROUND_OFF


def _defined(values: ArrayLike) -> FloatArray:
    flat = np.asarray(values, dtype=np.float64).ravel()
    return flat[~np.isnan(flat)]


@dataclass(frozen=True, slots=True)
class BootstrapResult:
    """One number with its interval.

    Attributes
    ----------
    value
        The number on the data as they are; nan if it is undefined.
    ci_low, ci_high
        Percentile interval; nan when it is undefined, `note` says why.
    level
        Coverage aimed at.
    p_positive
        Share of defined resamples above zero.
    standard_error
        Standard deviation of the defined resamples (ddof 1).
    groups
        Groups that carry information on this number: those with a non-zero statistic.
    resamples, undefined
        Resamples drawn, and those among them in which the number was undefined (a denominator of 0).
    note
        Empty, or what a reader has to know about the interval.

    Examples
    --------
    >>> BootstrapResult(0.1, 0.02, 0.18, 0.95, 0.99, 0.04, 100, 10_000, 0, "").resolved
    True
    """

    value: float
    ci_low: float
    ci_high: float
    level: float
    p_positive: float
    standard_error: float
    groups: int
    resamples: int
    undefined: int
    note: str

    @property
    def resolved(self) -> bool:
        """Whether the interval excludes zero."""
        return excludes_zero(self.ci_low, self.ci_high)


@dataclass(frozen=True, eq=False)
class Distribution:
    """A number on the data and on each resample.

    Attributes
    ----------
    value
        The number on the data as they are.
    samples
        ``(resamples,)``, nan where undefined. Entry ``b`` belongs to resample ``b`` whatever the metric, model or
        condition, so that two distributions of one plan may be subtracted.
    groups
        Groups that carry information on it.
    note
        A caution about the data, empty in most cases.

    Examples
    --------
    >>> Distribution(0.5, np.asarray([0.4, 0.5, 0.6]), groups=3).summary(level=0.5).ci_high
    0.55
    """

    value: float
    samples: FloatArray
    groups: int
    note: str = ""

    def __sub__(self, other: Distribution) -> Distribution:
        """Return the paired difference; both must come from the same plan."""
        notes = dict.fromkeys(note for note in (self.note, other.note) if note)
        return Distribution(
            self.value - other.value,
            self.samples - other.samples,
            max(self.groups, other.groups),
            "; ".join(notes),
        )

    def summary(self, level: float = 0.95) -> BootstrapResult:
        """Return value, interval, P(> 0) and standard error.

        The interval is undefined, and `BootstrapResult.note` says so, when nothing could be computed or when fewer than
        two groups carry information: every resample would then be the same data.

        Parameters
        ----------
        level
            Coverage aimed at, between 0 and 1.

        Returns
        -------
        BootstrapResult
        """
        check_level(level)
        defined = _defined(self.samples)
        undefined = self.samples.size - defined.size
        notes = [self.note] if self.note else []
        low = high = positive = error = math.nan
        if math.isnan(self.value):
            notes.append("undefined on the data: nothing to divide by")
        elif self.groups < 2:
            notes.append(f"interval undefined: {self.groups} group(s), at least 2 are needed")
        elif defined.size < 2:
            notes.append("interval undefined: no resample could be computed")
        else:
            low, high = interval(defined, level)
            positive = probability_positive(defined)
            error = float(np.std(defined, ddof=1))
            if undefined:
                notes.append(f"{undefined} of {self.samples.size} resamples undefined and left out")
        return BootstrapResult(
            value=self.value,
            ci_low=low,
            ci_high=high,
            level=level,
            p_positive=positive,
            standard_error=error,
            groups=self.groups,
            resamples=int(self.samples.size),
            undefined=int(undefined),
            note="; ".join(notes),
        )
