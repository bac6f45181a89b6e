"""Where the neighbours of one data set's cases come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perimetry.cases.question import Question
from perimetry.conditions.neighbours.eligibility import Eligibility
from perimetry.conditions.neighbours.embedder import Vectors
from perimetry.conditions.neighbours.pool import Embedded, ImageSet, image_sets

__all__ = ["Scope", "scope_of"]


@dataclass(frozen=True)
class Scope:
    """The readable image sets that may be neighbours, with their vectors.

    Parameters
    ----------
    dataset : str
        Whose cases ask.
    sets : tuple of ImageSet
        Sorted by key.
    positions : mapping of str to int
        Position of each set by its key.
    vectors : float32 array, (sets, dimensions)
    embedded : Embedded
        Vectors of everything, the asking cases included.
    eligibility : Eligibility
    """

    dataset: str
    sets: tuple[ImageSet, ...]
    positions: Mapping[str, int]
    vectors: Vectors
    embedded: Embedded
    eligibility: Eligibility

    def query(self, case: Question) -> int | None:
        """Row of the case's own images in `embedded`; None where they cannot be read."""
        return self.embedded.rows.get(self.embedded.keys.of(case.images))


def scope_of(dataset: str, pool: Sequence[Question], embedded: Embedded) -> Scope:
    """The scope of a data set: its own part of the pool, or the whole pool where it has no part in it.

    So the neighbours of one data set do not depend on what other data sets share its run.
    """
    own = [question for question in pool if question.dataset == dataset] or pool
    sets = tuple(one for one in image_sets(own, embedded.keys) if one.key in embedded.rows)
    rows = np.array([embedded.rows[one.key] for one in sets], dtype=np.int64)
    whole = np.array_equal(rows, np.arange(len(rows)))
    return Scope(
        dataset=dataset,
        sets=sets,
        positions={one.key: position for position, one in enumerate(sets)},
        # The sets of a pool of one data set are the first rows: a view and no second copy.
        vectors=embedded.vectors[: len(rows)] if whole else embedded.vectors[rows],
        embedded=embedded,
        eligibility=Eligibility(sets, embedded.keys),
    )
