"""Outcomes as a cube: items x conditions x repeats of one model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases.errors import DataError

__all__ = ["Cube"]

Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cube:
    """Scored answers of one model.

    Parameters
    ----------
    conditions : tuple of str
    applies : bool array, (items, conditions)
        Whether the condition applies to the item at all.
    answered : bool array, (items, conditions, repeats)
        Whether a response came. An unparsed response is an answer, and a wrong one; a failed request is none.
    correct : bool array, (items, conditions, repeats)
    overlap : float array, (items, conditions, repeats)
        Word overlap (F1) of open answers with the gold; nan for questions with options and failed requests.
    answers, texts : int64 array, (items, conditions, repeats)
        Codes of the extracted answers (-1: nothing extracted) and of the raw texts.
    """

    conditions: tuple[str, ...]
    applies: Flags
    answered: Flags
    correct: Flags
    overlap: Numbers
    answers: Codes
    texts: Codes

    @classmethod
    def from_outcomes(cls, outcomes: pl.DataFrame, conditions: Sequence[str], policy: str = "strict") -> Cube:
        """Build from the outcomes of one model, in the order of the plan (case, condition, repeat).

        Parameters
        ----------
        outcomes : polars.DataFrame
            Rows of one model.
        conditions : sequence of str
            As the plan orders them.
        policy : {"strict", "lenient"}
            Which answer rules to read.
        """
        suffix = "" if policy == "strict" else f"_{policy}"
        repeats = max(1, outcomes["repeat"].n_unique())
        width = len(conditions) * repeats
        if outcomes.height % width:
            raise DataError(
                f"outcomes hold {outcomes.height} rows, which is no multiple of {len(conditions)} conditions x "
                f"{repeats} repeats. Run `perimetry report` on the folder to make them again."
            )
        shape = (outcomes.height // width, len(conditions), repeats)
        request = outcomes["request_id"].is_not_null().to_numpy().reshape(shape)
        # Equal answers of one question get equal codes; only equality is ever asked.
        answers = outcomes[f"answer{suffix}"].cast(pl.Categorical).to_physical().cast(pl.Int64).fill_null(-1)
        return cls(
            conditions=tuple(conditions),
            applies=request[:, :, 0],
            answered=outcomes["answered"].fill_null(False).to_numpy().reshape(shape),
            correct=outcomes[f"correct{suffix}"].fill_null(False).to_numpy().reshape(shape),
            overlap=outcomes["token_f1"].fill_null(float("nan")).to_numpy().reshape(shape),
            answers=answers.to_numpy().reshape(shape),
            texts=outcomes["text_code"].fill_null(-1).to_numpy().reshape(shape),
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.applies.shape[0])

    def index(self, condition: str) -> int | None:
        """Position of a condition, or None if the run does not have it."""
        return self.conditions.index(condition) if condition in self.conditions else None

    def complete(self, *conditions: int) -> Flags:
        """Where all of these conditions have a response: (items, repeats)."""
        return np.asarray(self.answered[:, list(conditions)].all(axis=1), dtype=bool)

    def failed(self, *conditions: int) -> Flags:
        """Items to which all of these conditions apply but whose requests failed in every repeat: (items,)."""
        applies = self.applies[:, list(conditions)].all(axis=1)
        return np.asarray(applies & ~self.complete(*conditions).any(axis=1), dtype=bool)


def cell_mean(values: Numbers | Flags, observed: Flags) -> tuple[Numbers, Numbers]:
    """Average repeats inside a cell.

    Parameters
    ----------
    values, observed : array, (items, repeats)

    Returns
    -------
    tuple of float array, (items,)
        Mean over the observed repeats and 1, or 0 and 0 where none was observed.
    """
    count = observed.sum(axis=1)
    total = np.where(observed, values, 0).sum(axis=1, dtype=np.float64)
    mean = np.divide(total, count, out=np.zeros(len(count)), where=count > 0)
    return mean, (count > 0).astype(np.float64)
