"""What the estimates of a run are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from perimetry.runs.contrasts import Items
from perimetry.runs.preparation import Preparation

__all__ = ["Analysis"]


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """Scored trials of a run and what is known about its cases.

    Parameters
    ----------
    preparation : Preparation
    models : tuple of str
    outcomes : mapping of model to polars.DataFrame
        In the order of the plan.
    details : mapping of model to polars.DataFrame
        Per-trial statistics that one protocol adds to the outcomes (rationales).
    overlap : polars.DataFrame or None
        How many evaluation images also occur in training, where the run has a training split.
    """

    preparation: Preparation
    models: tuple[str, ...]
    outcomes: Mapping[str, pl.DataFrame]
    details: Mapping[str, pl.DataFrame]
    overlap: pl.DataFrame | None = None

    @property
    def items(self) -> Items:
        """Data set and group of each item, in the order of the plan."""
        return Items(
            tuple(dataset for dataset, _ in self.preparation.plan.keys),
            tuple(case.group for case in self.preparation.cases),
        )
