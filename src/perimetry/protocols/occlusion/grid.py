"""Outcomes of one model as arrays: cases x conditions, repeats averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases.chexpert import ABNORMAL, CHEXBERT_ORDER
from perimetry.protocols.occlusion.family import Family, families_of
from perimetry.runs.plan import Plan
from perimetry.scoring.labels.classes import POSITIVE, UNCERTAIN

__all__ = ["Grid"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Labelled reports of one model.

    Parameters
    ----------
    conditions : tuple of str
    families : tuple of Family
        Region conditions that differ in strength alone.
    datasets : str array, (cases,)
    finding : int array, (cases,)
        Index into `ABNORMAL` of the class under examination; -1 for the study itself.
    present : bool array, (cases,)
        Whether the study shows it; False for stand-ins and for studies themselves.
    true : float array, (cases,)
        1 where the class counts as true, 0 where not, nan where it cannot be told (no reference report).
    truth : uint8 array, (cases, 14)
        Codes of every class.
    applies, answered : bool array, (cases, conditions)
    said : float array, (cases, conditions, 14)
        Share of the repeats whose report states each class; 0 where nothing was answered.
    voiced : float array, (cases, conditions)
        Share of the answered repeats whose report holds a word.
    strict : bool
        Whether an uncertain statement counts as none.
    """

    conditions: tuple[str, ...]
    families: tuple[Family, ...]
    datasets: NDArray[np.str_]
    finding: NDArray[np.int64]
    present: Flags
    true: Numbers
    truth: Codes
    applies: Flags
    answered: Flags
    said: Numbers
    voiced: Numbers
    strict: bool = False

    @classmethod
    def of(cls, outcomes: pl.DataFrame, plan: Plan, strict: bool = False) -> Grid:
        """Build from the outcomes of one model, in the order of the plan."""
        case = plan.trials["case"].to_numpy()
        condition = plan.trials["condition"].to_numpy()
        cases, conditions = len(plan.keys), len(plan.conditions)
        first = np.unique(case, return_index=True)[1]
        facts = outcomes[first]
        answered = outcomes["answered"].fill_null(False).to_numpy()
        codes = np.zeros((outcomes.height, len(CHEXBERT_ORDER)), dtype=np.uint8)
        codes[outcomes["labels"].is_not_null().to_numpy()] = outcomes["labels"].drop_nulls().to_numpy()
        stated = codes == POSITIVE if strict else (codes == POSITIVE) | (codes == UNCERTAIN)
        shape = (cases, conditions)
        count, voiced, said = np.zeros(shape), np.zeros(shape), np.zeros((*shape, len(CHEXBERT_ORDER)))
        where = (case[answered], condition[answered])
        np.add.at(count, where, 1.0)
        np.add.at(voiced, where, 1.0 - outcomes["silent"].fill_null(False).to_numpy()[answered])
        np.add.at(said, where, stated[answered].astype(np.float64))
        applies = np.zeros(shape, dtype=bool)
        applies[case, condition] = outcomes["request_id"].is_not_null().to_numpy()
        many = np.maximum(count, 1.0)
        place = {name: number for number, name in enumerate(ABNORMAL)}
        return cls(
            conditions=plan.conditions,
            families=families_of(plan.conditions),
            datasets=facts["dataset"].to_numpy().astype(str),
            finding=facts["finding"].replace_strict(place, default=-1, return_dtype=pl.Int64).fill_null(-1).to_numpy(),
            present=facts["present"].fill_null(False).to_numpy(),
            true=facts["true_strict" if strict else "true"].cast(pl.Float64).fill_null(float("nan")).to_numpy(),
            truth=facts["truth"].to_numpy(),
            applies=applies,
            answered=count > 0,
            said=said / many[:, :, None],
            voiced=voiced / many,
            strict=strict,
        )

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes under examination."""
        there = set(self.finding.tolist())
        return tuple(name for number, name in enumerate(ABNORMAL) if number in there)

    def index(self, condition: str) -> int | None:
        """Position of a condition, or None if the run does not have it."""
        return self.conditions.index(condition) if condition in self.conditions else None

    def stated(self, condition: int) -> Numbers:
        """How far each case's report states the class under examination: (cases,)."""
        at = np.maximum(self.finding, 0)
        # The thirteen localisable classes are the first of CheXbert's order.
        values: Numbers = self.said[np.arange(len(at)), condition, at]
        return values

    def usable(self, conditions: Sequence[int]) -> Flags:
        """Cases with a report under all of these conditions."""
        return np.asarray(self.answered[:, list(conditions)].all(axis=1), dtype=bool)

    def failed(self, conditions: Sequence[int]) -> Flags:
        """Cases to which all of these conditions apply, and that have no report under one of them."""
        return np.asarray(self.applies[:, list(conditions)].all(axis=1) & ~self.usable(conditions), dtype=bool)
