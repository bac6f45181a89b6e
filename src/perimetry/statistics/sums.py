"""Sums of sufficient statistics: exact, so that they do not depend on the order in which they are added."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from perimetry.statistics.arrays import FloatArray, IntArray
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.interval import BootstrapResult, Distribution

Finish: TypeAlias = Callable[[FloatArray], FloatArray]
"""``(strata, rows, columns)`` sums to ``(rows,)`` values of a metric, nan where it is undefined."""

_FEW_COLUMNS = 64
_UNTHREADED = 1 << 18  # multiplications of a product that OpenBLAS leaves to one thread


def exact_grid(matrix: FloatArray, codes: IntArray, groups: int) -> FloatArray:
    """Round each column to a grid of a power of two on which no resample's sum can round.

    Floating-point sums depend on their order, and BLAS chooses the order by shape, threads and machine. On a grid so
    fine that the largest possible sum still fits 53 bits, every partial sum is exact, so every order gives the same
    bits. Whole numbers are on the grid already. Any other value moves by at most ``groups * 2**-52`` of the largest
    group sum of its column: 2e-11 of it for 100,000 groups.

    Parameters
    ----------
    matrix
        ``(items, columns)``, finite.
    codes
        ``(items,)`` group of each item.
    groups
        Number of groups over all strata.

    Returns
    -------
    numpy.ndarray
        ``(items, columns)``.

    Examples
    --------
    >>> exact_grid(np.asarray([[1.0], [3.0]]), np.asarray([0, 1]), 2).tolist()
    [[1.0], [3.0]]
    """
    if matrix.size == 0:
        return matrix
    largest = group_sums(np.abs(matrix), codes, groups).max(axis=0) * groups
    exponent = 52 - np.frexp(largest)[1]  # largest < 2**frexp, so sums stay below 2**52 steps of the grid
    with np.errstate(under="ignore"):
        return np.asarray(np.ldexp(np.rint(np.ldexp(matrix, exponent)), -exponent), dtype=np.float64)


def group_sums(matrix: FloatArray, codes: IntArray, groups: int) -> FloatArray:
    """Add the rows of each group.

    Parameters
    ----------
    matrix
        ``(items, columns)``.
    codes
        ``(items,)``, each of ``0 .. groups - 1`` at least once.
    groups
        Number of groups.

    Returns
    -------
    numpy.ndarray
        ``(groups, columns)``.

    Examples
    --------
    >>> group_sums(np.asarray([[1.0], [2.0], [4.0]]), np.asarray([1, 0, 1]), 2).tolist()
    [[2.0], [5.0]]
    """
    if codes.size == 0:
        return np.zeros((groups, matrix.shape[1]))
    order = np.argsort(codes, kind="stable")
    first = np.searchsorted(codes[order], np.arange(groups))
    return np.asarray(np.add.reduceat(matrix[order], first, axis=0), dtype=np.float64)


def exact_product(weights: FloatArray, summed: FloatArray) -> FloatArray:
    """Multiply weights with group sums, in pieces where columns are few.

    A product of few columns is over before the threads of BLAS have met, and on a busy machine waiting for them costs
    more than the product. Pieces stay below the size from which BLAS uses threads. On the grid of `exact_grid` every
    partial sum is exact, so that the pieces change no bit.

    Parameters
    ----------
    weights
        ``(rows, groups)`` whole numbers.
    summed
        ``(groups, columns)`` on the grid.

    Returns
    -------
    numpy.ndarray
        ``(rows, columns)``.

    Examples
    --------
    >>> exact_product(np.asarray([[2.0, 0.0]]), np.asarray([[1.0], [5.0]])).tolist()
    [[2.0]]
    """
    rows, groups = weights.shape
    columns = summed.shape[1]
    if columns > _FEW_COLUMNS:
        return np.asarray(weights @ summed, dtype=np.float64)
    piece = max(1, _UNTHREADED // max(1, rows * columns))
    out = np.zeros((rows, columns))
    for start in range(0, groups, piece):
        out += weights[:, start : start + piece] @ summed[start : start + piece]
    return out


def observed_sums(matrix: FloatArray, codes: IntArray, offsets: IntArray) -> FloatArray:
    """Add the rows of each stratum, correctly rounded (`math.fsum`), so in any row order alike.

    Parameters
    ----------
    matrix
        ``(items, columns)``.
    codes
        ``(items,)`` group of each item.
    offsets
        ``(strata + 1,)``: stratum ``s`` holds groups ``offsets[s] .. offsets[s + 1] - 1``.

    Returns
    -------
    numpy.ndarray
        ``(strata, columns)``.

    Examples
    --------
    >>> observed_sums(np.asarray([[1.0], [2.0]]), np.asarray([0, 1]), np.asarray([0, 2])).tolist()
    [[3.0]]
    """
    stratum = np.searchsorted(offsets, codes, side="right") - 1
    result = np.empty((offsets.size - 1, matrix.shape[1]))
    for s in range(offsets.size - 1):
        rows = matrix[stratum == s]
        result[s] = [math.fsum(rows[:, column].tolist()) for column in range(matrix.shape[1])]
    return result


@dataclass(frozen=True, eq=False)
class ResampledSums:
    """Sums of statistics over the data and over every resample of a plan; make it with `Resampling.resample`.

    Attributes
    ----------
    strata
        Names of the strata.
    groups
        Number of groups in each.
    names
        Names of the columns; their numbers as text unless named.
    observed
        ``(strata, columns)`` over the data as they are.
    sums
        ``(strata, resamples, columns)``.
    active
        ``(strata, columns)``: groups with a non-zero entry.

    Examples
    --------
    >>> from perimetry.statistics import Resampling, pooled, ratio
    >>> plan = Resampling.from_groups(["a", "b", "c", "d"], resamples=1000)
    >>> sums = plan.resample([[1, 1], [0, 1], [1, 1], [1, 1]], names=["right", "asked"])
    >>> sums.estimate(pooled(ratio(0, 1)), columns=["right", "asked"]).value
    0.75
    """

    strata: tuple[str, ...]
    groups: tuple[int, ...]
    names: tuple[str, ...]
    observed: FloatArray
    sums: FloatArray
    active: IntArray

    def distribution(
        self,
        finish: Finish,
        *,
        columns: Sequence[int | str] | None = None,
        strata: Sequence[str] | None = None,
    ) -> Distribution:
        """Return a metric on the data and on every resample.

        Parameters
        ----------
        finish
            Maps ``(strata, rows, columns)`` sums to ``(rows,)`` values, nan where undefined: see `ratio`, `pooled`,
            `macro`. It must treat rows apart from one another.
        columns
            Columns it sees, by name or number and in this order; all by default. Name only those the metric uses:
            the groups that are active in none of them carry no information on it.
        strata
            Strata it sees, in this order; all by default.

        Returns
        -------
        Distribution

        Raises
        ------
        StatisticsError
            If a column or stratum does not exist, or ``finish`` returns another shape.
        """
        kept = [self._column(column) for column in (range(len(self.names)) if columns is None else columns)]
        seen = [self._stratum(name) for name in (self.strata if strata is None else strata)]
        data = self.observed[np.ix_(seen, kept)][:, None, :]
        value = np.asarray(finish(data), dtype=np.float64)
        samples = np.asarray(
            finish(self.sums.transpose(0, 2, 1)[np.ix_(seen, kept)].transpose(0, 2, 1)), dtype=np.float64
        )
        if value.shape != (1,) or samples.shape != (self.sums.shape[1],):
            raise StatisticsError(
                f"finish: found shapes {value.shape} and {samples.shape} for 1 and {self.sums.shape[1]} rows, expected "
                "one value a row; wrap a rate in pooled(...) or macro(...)"
            )
        active = self.active[np.ix_(seen, kept)].max(axis=1, initial=0)
        lone = [self.strata[s] for s, count in zip(seen, active, strict=True) if count == 1]
        note = (
            f"one group only in {', '.join(lone)}: its spread is not in the interval"
            if lone and active.sum() > 1
            else ""
        )
        return Distribution(float(value[0]), samples, int(active.sum()), note)

    def estimate(
        self,
        finish: Finish,
        *,
        columns: Sequence[int | str] | None = None,
        strata: Sequence[str] | None = None,
        level: float = 0.95,
    ) -> BootstrapResult:
        """Return a metric with its interval; parameters and errors as in `distribution`."""
        return self.distribution(finish, columns=columns, strata=strata).summary(level)

    def _column(self, column: int | str) -> int:
        if isinstance(column, str):
            if column not in self.names:
                raise StatisticsError(f"column: found {column!r}, expected one of {', '.join(self.names)}")
            return self.names.index(column)
        if not 0 <= column < len(self.names):
            raise StatisticsError(f"column: found {column}, expected 0 to {len(self.names) - 1}")
        return column

    def _stratum(self, name: str) -> int:
        if name not in self.strata:
            raise StatisticsError(f"stratum: found {name!r}, expected one of {', '.join(self.strata)}")
        return self.strata.index(name)
