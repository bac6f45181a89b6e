"""A seeded derangement of image sets."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.conditions.neighbours.pool import ImageSet
from perimetry.statistics.streams import below, derangement, raw_integers

__all__ = ["Derangement"]


class Derangement:
    """Gives each image set another one of the pool; independent of the order of the pool.

    Sets that share an image are never paired: the next set in key order steps in, so that only then two sets may be
    given the same one. A set from outside the pool draws one of its own.

    Parameters
    ----------
    sets : sequence of ImageSet
        Of one data set, sorted by key.
    seed : int
    dataset : str
        Part of the stream's key.
    """

    def __init__(self, sets: Sequence[ImageSet], seed: int, dataset: str) -> None:
        self._sets = sets
        self._seed = seed
        self._dataset = dataset
        self._rows = {one.key: row for row, one in enumerate(sets)}
        self._digests = [one.digests for one in sets]
        size = len(sets)
        self._order: list[int] = derangement(seed, "mismatch", dataset, labels=range(size)).tolist() if size > 1 else []

    def of(self, key: str, digests: frozenset[str]) -> ImageSet | None:
        """The set shown instead of the one with this key and these image digests; None if there is no other."""
        size = len(self._sets)
        if key in self._rows and self._order:
            start = self._order[self._rows[key]]
        elif size:
            start = int(below(raw_integers(self._seed, "mismatch", self._dataset, key, size=1), size)[0])
        else:
            return None
        for step in range(size):
            row = (start + step) % size
            if not digests & self._digests[row]:
                return self._sets[row]
        return None
