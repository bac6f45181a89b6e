"""Labels of many reports: what a labeller hands over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from perimetry.scoring.labels.classes import CHEXBERT_ORDER, POSITIVE, UNCERTAIN, columns_in

__all__ = ["LabelTable", "Uncertain"]

Labels: TypeAlias = NDArray[np.int8]

Uncertain = Literal["positive", "negative"]
"""What an uncertain label counts as."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelTable:
    """Labels of reports, one row a report, one column a class of `CHEXBERT_ORDER`.

    Parameters
    ----------
    labels : int8 array, (reports, 14)
        0 blank, 1 positive, 2 negative, 3 uncertain.
    reasons : tuple of str
        Why a report has no labels (its row is then all blank); empty where it has.
    notes : tuple of str, default ()
        What else to know of a report, for example that it was cut; empty strings, or no tuple at all, for nothing.

    Examples
    --------
    >>> table = LabelTable(np.zeros((2, 14), dtype=np.int8), ("", "the report is empty"))
    >>> len(table), table.positive("negative").any()
    (2, np.False_)
    """

    labels: Labels
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rows = len(self.reasons)
        if self.labels.shape != (rows, len(CHEXBERT_ORDER)) or self.labels.dtype != np.int8:
            raise ValueError(
                f"a label table with {rows} reasons has labels of shape {self.labels.shape} and type "
                f"{self.labels.dtype}; expected int8, ({rows}, {len(CHEXBERT_ORDER)})"
            )
        if self.notes and len(self.notes) != rows:
            raise ValueError(f"a label table of {rows} reports has {len(self.notes)} notes")
        if rows and not 0 <= int(self.labels.min()) <= int(self.labels.max()) <= UNCERTAIN:
            raise ValueError("labels are 0 blank, 1 positive, 2 negative or 3 uncertain")

    def __len__(self) -> int:
        return len(self.reasons)

    def positive(self, uncertain: Uncertain, classes: Sequence[str] = CHEXBERT_ORDER) -> NDArray[np.bool_]:
        """Which classes count as stated, ``(reports, classes)``."""
        labels = self.labels[:, columns_in(classes)]
        stated = labels == POSITIVE
        return np.asarray(stated | (labels == UNCERTAIN) if uncertain == "positive" else stated, dtype=np.bool_)

    def take(self, rows: Sequence[int] | NDArray[np.int64]) -> LabelTable:
        """Rows by position; one may come more than once."""
        index = np.asarray(rows, dtype=np.int64)
        picked = index.tolist()
        notes = tuple(self.notes[row] for row in picked) if self.notes else ()
        return LabelTable(self.labels[index], tuple(self.reasons[row] for row in picked), notes)
