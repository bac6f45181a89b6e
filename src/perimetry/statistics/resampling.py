"""Resampling plans: groups drawn with replacement within strata, the same draws for everything that is measured.

CORAL section 3.4 resamples items within each benchmark. Here the unit is the group (an image or a patient), which is
the item wherever a group holds one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perimetry.statistics.arrays import FloatArray, IntArray, as_statistics, same_length
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.streams import below, philox
from perimetry.statistics.sums import ResampledSums, exact_grid, exact_product, group_sums, observed_sums

_DRAWN_AT_ONCE = 1 << 16  # weights counted at once: they stay in the second-level cache
_KEPT_AT_ONCE = 1 << 22  # weights in memory at once: 32 MB
_ROWS_AT_ONCE = 128
_NARROW = 1 << 20  # groups up to which a draw takes 32 bits: each is then within 0.03% of equally likely


@dataclass(frozen=True, eq=False)
class Resampling:
    """A plan of resamples over items; make it with `Resampling.from_groups`.

    The weights of a stratum depend on ``(seed, its name, how many groups it has)`` and on nothing else, and go to its
    groups in the sorted order of their names. So one plan, or two plans over the same items in another row order,
    give every model, condition and metric the same resamples; a data set resampled alone gets the draws that it gets
    beside others; and the first 1,000 of 10,000 resamples are the 1,000 resamples of a shorter plan.

    Attributes
    ----------
    strata
        Names of the strata (data sets), sorted.
    groups
        Number of groups in each stratum, at least 1.
    codes
        int64, ``(items,)``: each item's group, numbered over all strata in canonical order.
    resamples
        B, 10,000 by default.
    seed
        42 by default.

    Examples
    --------
    >>> plan = Resampling.from_groups(["p1", "p1", "p2"], ["vqa-rad"] * 3, resamples=100)
    >>> plan.strata, plan.groups, plan.sums([1, 0, 1]).shape
    (('vqa-rad',), (2,), (1, 100, 1))
    """

    strata: tuple[str, ...]
    groups: tuple[int, ...]
    codes: IntArray
    resamples: int
    seed: int

    @classmethod
    def from_groups(
        cls,
        groups: Sequence[str | int] | NDArray[np.generic],
        strata: Sequence[str] | None = None,
        *,
        resamples: int = 10_000,
        seed: int = 42,
    ) -> Resampling:
        """Make a plan from each item's group and stratum.

        Parameters
        ----------
        groups
            One group name (or integer code, read as its decimal spelling) an item. The same name in two strata is two
            groups.
        strata
            One stratum name an item, usually the data set; one stratum for all when left out.
        resamples
            B, at least 1.
        seed
            Any integer.

        Returns
        -------
        Resampling

        Raises
        ------
        StatisticsError
            If lengths differ, a group is empty or of another type, or ``resamples`` is below 1.

        Examples
        --------
        >>> Resampling.from_groups([1, 2, 3]).groups
        (3,)
        """
        if resamples < 1:
            raise StatisticsError(f"resamples: found {resamples}, expected 1 or more")
        names = [_group_name(row, group) for row, group in enumerate(groups)]
        where = ["all"] * len(names) if strata is None else [str(stratum) for stratum in strata]
        same_length(groups=names, strata=where)
        members: dict[str, set[str]] = {}
        for stratum, name in zip(where, names, strict=True):
            members.setdefault(stratum, set()).add(name)
        kept = tuple(sorted(members))
        numbers: dict[tuple[str, str], int] = {}
        for stratum in kept:
            for name in sorted(members[stratum]):
                numbers[stratum, name] = len(numbers)
        codes = np.fromiter((numbers[key] for key in zip(where, names, strict=True)), np.int64, len(names))
        return cls(kept, tuple(len(members[stratum]) for stratum in kept), codes, resamples, seed)

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.codes.size)

    def weights(self, stratum: int, start: int = 0, stop: int | None = None) -> FloatArray:
        """Return how often each group of a stratum is drawn in resamples ``start .. stop - 1``.

        Parameters
        ----------
        stratum
            Index into `strata`.
        start, stop
            Resamples wanted; all by default. Any part of the plan is drawn without the rest.

        Returns
        -------
        numpy.ndarray
            ``(stop - start, groups[stratum])``, whole numbers whose rows sum to the number of groups.
        """
        end = self.resamples if stop is None else stop
        count = self.groups[stratum]
        rows = max(1, _DRAWN_AT_ONCE // count)
        drawn = np.empty((end - start, count))
        for first in range(start, end, rows):
            last = min(first + rows, end)
            drawn[first - start : last - start] = self._draw(stratum, first, last)
        return drawn

    def resample(self, statistics: ArrayLike, names: Sequence[str] | None = None) -> ResampledSums:
        """Sum sufficient statistics over the data and over each resample.

        Give all columns that belong together in one call: the weights are drawn once a call.

        Parameters
        ----------
        statistics
            ``(items, columns)``, finite; an item that is missing for a column has zeros in its numerator and its
            denominator.
        names
            Names of the columns, for use in `ResampledSums.estimate`.

        Returns
        -------
        ResampledSums
            Sums that are exact for whole numbers and for fractions on the grid of `exact_grid`, hence bit for bit the
            same whatever the row order, the block size, the number of BLAS threads and the machine.

        Raises
        ------
        StatisticsError
            If the shape does not fit the plan, a value is not finite, or names do not fit the columns.

        Examples
        --------
        >>> plan = Resampling.from_groups(["a", "b", "c"], resamples=100)
        >>> plan.resample([[1, 1], [0, 1], [1, 1]]).observed.tolist()
        [[2.0, 3.0]]
        """
        matrix = as_statistics(statistics, self.items)
        labels = tuple(str(k) for k in range(matrix.shape[1])) if names is None else tuple(names)
        if len(labels) != matrix.shape[1] or len(set(labels)) != len(labels):
            raise StatisticsError(
                f"names: found {len(labels)} ({len(set(labels))} distinct) for {matrix.shape[1]} columns, expected "
                "one distinct name a column"
            )
        total = sum(self.groups)
        offsets = np.concatenate([[0], np.cumsum(self.groups)]).astype(np.int64)
        summed = group_sums(exact_grid(matrix, self.codes, total), self.codes, total)
        touched = group_sums((matrix != 0.0).astype(np.float64), self.codes, total) > 0.0
        # Each column's resamples lie side by side in memory: a metric reads few columns of many.
        store = np.empty((len(self.strata), matrix.shape[1], self.resamples))
        active = np.empty((len(self.strata), matrix.shape[1]), dtype=np.int64)
        for stratum in range(len(self.strata)):
            part = slice(int(offsets[stratum]), int(offsets[stratum + 1]))
            active[stratum] = touched[part].sum(axis=0)
            for start, stop in self._blocks(stratum):
                store[stratum, :, start:stop] = exact_product(self.weights(stratum, start, stop), summed[part]).T
        return ResampledSums(
            strata=self.strata,
            groups=self.groups,
            names=labels,
            observed=observed_sums(matrix, self.codes, offsets),
            sums=store.transpose(0, 2, 1),
            active=active,
        )

    def sums(self, statistics: ArrayLike) -> FloatArray:
        """Return ``(strata, resamples, columns)`` sums over each resample; see `resample`."""
        return self.resample(statistics).sums

    def observed(self, statistics: ArrayLike) -> FloatArray:
        """Return ``(strata, columns)`` sums over the data as they are, correctly rounded."""
        offsets = np.concatenate([[0], np.cumsum(self.groups)]).astype(np.int64)
        return observed_sums(as_statistics(statistics, self.items), self.codes, offsets)

    def _draw(self, stratum: int, start: int, stop: int) -> IntArray:
        count = self.groups[stratum]
        rows = stop - start
        narrow = count <= _NARROW
        # Rows start on whole Philox blocks of four words, so that any resample can be reached by the counter.
        words = -(-(-(-count // 2) if narrow else count) // 4) * 4
        stream = philox(self.seed, "bootstrap", self.strata[stratum], count, block=start * words // 4)
        raw = np.asarray(stream.random_raw(rows * words), dtype="<u8").reshape(rows, words)
        if narrow:
            product = raw.view("<u4")[:, :count].astype(np.uint64)
            product *= np.uint64(count)
            product >>= np.uint64(32)
            index = product.view(np.int64)
        else:
            index = below(raw[:, :count], count)
        index += np.arange(rows, dtype=np.int64)[:, None] * count
        return np.bincount(index.ravel(), minlength=rows * count).reshape(rows, count)

    def _blocks(self, stratum: int) -> Iterator[tuple[int, int]]:
        rows = max(1, min(_ROWS_AT_ONCE, _KEPT_AT_ONCE // self.groups[stratum]))
        for start in range(0, self.resamples, rows):
            yield start, min(start + rows, self.resamples)


def _group_name(row: int, group: object) -> str:
    if isinstance(group, str) and group:
        return str(group)
    if isinstance(group, int | np.integer) and not isinstance(group, bool):
        return str(int(group))
    raise StatisticsError(
        f"groups: found {group!r} for item {row}, expected a non-empty name or an integer; give an item that shares "
        "nothing with others its own id as group"
    )
