"""Finishes: from sums of statistics to metrics, over all resamples at once.

A *rate* maps ``(..., columns)`` sums to ``(...)`` values; `pooled` and `macro` turn a rate into the finish that
`ResampledSums.estimate` takes. What has nothing to divide by is nan, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from perimetry.statistics.arrays import FloatArray
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.sums import Finish

Rate: TypeAlias = Callable[[FloatArray], FloatArray]


def divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide, with nan where the denominator is 0.

    Examples
    --------
    >>> divide(np.asarray([1.0, 1.0]), np.asarray([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    out = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    return np.asarray(np.divide(numerator, denominator, out=out, where=denominator != 0.0), dtype=np.float64)


def ratio(numerator: int, denominator: int) -> Rate:
    """Return the rate ``sums[numerator] / sums[denominator]``: a mean, an accuracy, a share.

    Examples
    --------
    >>> ratio(0, 1)(np.asarray([[3.0, 4.0]])).tolist()
    [0.75]
    """
    return lambda sums: divide(sums[..., numerator], sums[..., denominator])


def difference(left: Rate, right: Rate) -> Rate:
    """Return ``left - right``, resample by resample.

    Examples
    --------
    >>> difference(ratio(0, 2), ratio(1, 2))(np.asarray([[3.0, 1.0, 4.0]])).tolist()
    [0.5]
    """
    return lambda sums: left(sums) - right(sums)


def pooled(rate: Rate) -> Finish:
    """Apply a rate to the sums over all strata: items of all data sets count alike (MedQA-MM A.3).

    Examples
    --------
    >>> pooled(ratio(0, 1))(np.asarray([[[1.0, 1.0]], [[0.0, 3.0]]])).tolist()
    [0.25]
    """
    return lambda sums: rate(sums.sum(axis=0))


def macro(rate: Rate) -> Finish:
    """Average a rate over strata inside each resample: data sets count alike (CORAL section 3.4).

    A resample in which one stratum is undefined is undefined. Leave a data set that has no item at all out by the
    ``strata`` of `ResampledSums.estimate`.

    Examples
    --------
    >>> macro(ratio(0, 1))(np.asarray([[[1.0, 1.0]], [[0.0, 3.0]]])).tolist()
    [0.5]
    """
    return lambda sums: np.asarray(rate(sums).mean(axis=0), dtype=np.float64)


def mean_of(rates: Sequence[Rate], weights: Sequence[float] | None = None, *, skip_undefined: bool = False) -> Rate:
    """Return the weighted mean of rates, the weights held fixed over resamples.

    With studies a class as weights this is the mu-F1 of ShoViR.

    Parameters
    ----------
    rates
        At least one.
    weights
        One a rate, 0 or more and not all 0; equal by default.
    skip_undefined
        Whether a rate that is undefined leaves the mean (weights are then shared among the others); by default the mean
        is undefined.

    Returns
    -------
    Rate

    Raises
    ------
    StatisticsError
        If weights do not fit.

    Examples
    --------
    >>> mean_of([ratio(0, 2), ratio(1, 2)], [3, 1])(np.asarray([[2.0, 0.0, 2.0]])).tolist()
    [0.75]
    """
    shares = np.ones(len(rates)) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(rates) == 0 or shares.shape != (len(rates),) or not (shares >= 0.0).all() or not shares.sum() > 0.0:
        raise StatisticsError(
            f"weights: found {shares.tolist()} for {len(rates)} rates, expected one a rate, 0 or more, with a "
            "positive sum"
        )

    def mean(sums: FloatArray) -> FloatArray:
        total = np.zeros(sums.shape[:-1])
        used = np.zeros(sums.shape[:-1])
        for rate, share in zip(rates, shares.tolist(), strict=True):
            if share == 0.0:
                continue
            values = rate(sums)
            defined = ~np.isnan(values) if skip_undefined else np.ones(values.shape, dtype=bool)
            total += np.where(defined, values, 0.0) * share
            used += defined * share
        return divide(total, used)

    return mean


def f1(true_positive: int, false_positive: int, false_negative: int, *, empty: float = np.nan) -> Rate:
    """Return ``2 tp / (2 tp + fp + fn)`` of three columns.

    Parameters
    ----------
    true_positive, false_positive, false_negative
        Columns.
    empty
        Value where neither side states anything: nan by default, 0 as scikit-learn's ``zero_division=0``.

    Returns
    -------
    Rate

    Examples
    --------
    >>> f1(0, 1, 2)(np.asarray([[2.0, 1.0, 1.0], [0.0, 0.0, 0.0]])).tolist()
    [0.6666666666666666, nan]
    """

    def value(sums: FloatArray) -> FloatArray:
        twice = 2.0 * sums[..., true_positive]
        score = divide(twice, twice + sums[..., false_positive] + sums[..., false_negative])
        return np.where(np.isnan(score), empty, score)

    return value


def f1_micro(classes: int, start: int = 0) -> Rate:
    """Return F1 of the counts summed over classes.

    Parameters
    ----------
    classes
        Number of classes, at least 1. The columns from ``start`` on are the true positives of every class, then
        the false positives of every class, then the false negatives.
    start
        First column.

    Returns
    -------
    Rate

    Examples
    --------
    >>> f1_micro(2)(np.asarray([[2.0, 0.0, 1.0, 0.0, 0.0, 1.0]])).tolist()
    [0.6666666666666666]
    """
    single = f1(0, 1, 2)

    def value(sums: FloatArray) -> FloatArray:
        block = sums[..., start : start + 3 * classes]
        return single(block.reshape(*block.shape[:-1], 3, classes).sum(axis=-1))

    return value


def f1_macro(classes: int, start: int = 0, *, empty: float = np.nan) -> Rate:
    """Return the mean over classes of their F1; columns as in `f1_micro`.

    Parameters
    ----------
    classes, start
        See `f1_micro`.
    empty
        F1 of a class that neither side states: nan leaves it out of the mean, 0 is scikit-learn's ``zero_division=0``.

    Returns
    -------
    Rate

    Examples
    --------
    >>> f1_macro(2, empty=0.0)(np.asarray([[2.0, 0.0, 1.0, 0.0, 1.0, 0.0]])).tolist()
    [0.3333333333333333]
    """
    single = f1(0, 1, 2, empty=empty)

    def value(sums: FloatArray) -> FloatArray:
        block = sums[..., start : start + 3 * classes]
        scores = single(np.moveaxis(block.reshape(*block.shape[:-1], 3, classes), -2, -1))
        defined = ~np.isnan(scores)
        return divide(np.where(defined, scores, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(np.float64))

    return value
