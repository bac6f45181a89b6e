"""Sufficient statistics: per-item columns whose sums give a metric, with zeros where an item is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import FloatArray, same_length


def average_repeats(values: ArrayLike, axis: int = -1) -> FloatArray:
    """Average repeats inside each cell, before any interval (MedQA-MM, "Metrics and Uncertainty").

    Parameters
    ----------
    values
        Outcomes with one axis of repeats, nan where a repeat is missing.
    axis
        The axis of repeats; the last by default.

    Returns
    -------
    numpy.ndarray
        ``values`` without that axis: the mean of the repeats that are there, nan where none is.

    Examples
    --------
    >>> average_repeats([[1.0, 0.0], [1.0, float("nan")]]).tolist()
    [0.5, 1.0]
    """
    cube = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(cube)
    count = present.sum(axis=axis).astype(np.float64)
    total = np.where(present, cube, 0.0).sum(axis=axis)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0.0), dtype=np.float64)


def mean_columns(values: ArrayLike) -> FloatArray:
    """Return ``(value, 1)`` an item, ``(0, 0)`` where the value is nan; finish with ``ratio(0, 1)``.

    Parameters
    ----------
    values
        ``(items,)``.

    Returns
    -------
    numpy.ndarray
        ``(items, 2)``; the second column sums to the number of items that count.

    Examples
    --------
    >>> mean_columns([1.0, float("nan")]).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    flat = np.asarray(values, dtype=np.float64).ravel()
    present = ~np.isnan(flat)
    return np.stack([np.where(present, flat, 0.0), present.astype(np.float64)], axis=1)


def paired_columns(left: ArrayLike, right: ArrayLike) -> FloatArray:
    """Return ``(left, right, 1)`` an item, zeros unless both are there: complete cases of one contrast.

    Finish with ``difference(ratio(0, 2), ratio(1, 2))``: both sides are measured on the same items.

    Parameters
    ----------
    left, right
        ``(items,)``, nan where missing.

    Returns
    -------
    numpy.ndarray
        ``(items, 3)``; items less the sum of the third column is the contrast's ``missing``.

    Raises
    ------
    StatisticsError
        If the lengths differ.

    Examples
    --------
    >>> paired_columns([1.0, 1.0], [0.0, float("nan")]).tolist()
    [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    one = np.asarray(left, dtype=np.float64).ravel()
    two = np.asarray(right, dtype=np.float64).ravel()
    same_length(left=one, right=two)
    both = ~(np.isnan(one) | np.isnan(two))
    return np.stack([np.where(both, one, 0.0), np.where(both, two, 0.0), both.astype(np.float64)], axis=1)
