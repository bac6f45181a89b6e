"""Array types of the package and the checks that every entry point shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perimetry.statistics.errors import StatisticsError

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
RawArray: TypeAlias = NDArray[np.uint64]
BoolArray: TypeAlias = NDArray[np.bool_]

ROUND_OFF = 1e-9
"""Differences no larger than this are round-off, not effects: they count as zero wherever a sign is read."""


def as_statistics(statistics: ArrayLike, items: int) -> FloatArray:
    """Check a matrix of sufficient statistics.

    Parameters
    ----------
    statistics
        ``(items, columns)`` or ``(items,)``, finite.
    items
        Number of rows expected.

    Returns
    -------
    numpy.ndarray
        float64, ``(items, columns)``.

    Raises
    ------
    StatisticsError
        If the shape does not fit or a value is not finite.

    Examples
    --------
    >>> as_statistics([1, 0], items=2).shape
    (2, 1)
    """
    matrix = np.asarray(statistics, dtype=np.float64)
    if matrix.ndim == 1:
        matrix = matrix[:, None]
    if matrix.ndim != 2 or matrix.shape[0] != items:
        raise StatisticsError(
            f"statistics: found shape {matrix.shape}, expected ({items}, columns): one row for each item of the "
            "plan, in the plan's order; give items that are missing a row of zeros"
        )
    finite = np.isfinite(matrix)
    if not finite.all():
        row, column = (int(k) for k in np.argwhere(~finite)[0])
        raise StatisticsError(
            f"statistics: found {matrix[row, column]} at row {row}, column {column}, expected finite numbers; a "
            "missing item has zeros in its numerator and its denominator (see mean_columns)"
        )
    return matrix


def check_level(level: float) -> None:
    """Raise ``StatisticsError`` unless ``0 < level < 1``.

    Examples
    --------
    >>> check_level(0.95)
    """
    if not 0.0 < level < 1.0:
        raise StatisticsError(f"level: found {level}, expected a share between 0 and 1 such as 0.95")


def same_length(**named: Sequence[object] | NDArray[np.generic]) -> int:
    """Return the common length of named sequences, or raise ``StatisticsError`` naming them all.

    Examples
    --------
    >>> same_length(left=[1, 2], right=[3, 4])
    2
    """
    lengths = {name: len(values) for name, values in named.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise StatisticsError(f"lengths differ: {found}; expected one entry an item in each, in the same order")
    return next(iter(lengths.values()))
