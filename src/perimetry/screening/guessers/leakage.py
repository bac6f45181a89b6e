"""The leakage proof: what the training items of each fold share with the items they are to guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.screening.guessers.identity import Identities

__all__ = ["Overlap", "Trained", "overlap_frame", "overlaps"]

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What one fold really did: positions of the items that were trained on, and of those that were guessed."""

    fold: int
    training: Places
    evaluation: Places


@dataclass(frozen=True, slots=True)
class Overlap:
    """Identity values of one kind that occur on both sides of a fold.

    Parameters
    ----------
    kind : str
    values : int
        Distinct values among the items.
    repeated : int
        Of these, held by two items or more: what could have leaked.
    overlap : int
        Values on both sides, summed over folds.
    templates, template_items : int
        Values set apart as templates, and the items that have one.
    """

    kind: str
    values: int
    repeated: int
    overlap: int
    templates: int = 0
    template_items: int = 0


def overlaps(identities: Identities, trained: Sequence[Trained]) -> tuple[Overlap, ...]:
    """Count, for each kind of identity, the values that training and evaluation share.

    The count is made from the items that were used, not from the rule that chose them.

    Examples
    --------
    >>> found = Identities({"stem": [("a",), ("a",), ("b",)]})
    >>> overlaps(found, [Trained(0, np.array([0]), np.array([1, 2]))])[0].overlap
    1
    """
    rows = []
    for kind, values in identities.values.items():
        counts = Counter(value for row in values for value in row)
        shared = 0
        for fold in trained:
            training = {value for place in fold.training.tolist() for value in values[place]}
            evaluation = {value for place in fold.evaluation.tolist() for value in values[place]}
            shared += len(training & evaluation)
        templates = identities.templates.get(kind, {})
        repeated = sum(count > 1 for count in counts.values())
        rows.append(Overlap(kind, len(counts), repeated, shared, len(templates), sum(templates.values())))
    return tuple(rows)


def overlap_frame(found: Sequence[Overlap]) -> pl.DataFrame:
    """As a table: kind, values, repeated, overlap, templates, template_items."""
    schema = {"kind": pl.String} | dict.fromkeys(
        ("values", "repeated", "overlap", "templates", "template_items"), pl.Int64
    )
    rows = [(it.kind, it.values, it.repeated, it.overlap, it.templates, it.template_items) for it in found]
    return pl.DataFrame(rows, schema=schema, orient="row")
