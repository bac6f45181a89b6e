"""How the counterfactual audit fits into the frame of all audits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from perimetry.cases.errors import UsageError
from perimetry.conditions import DEFAULT_CONDITIONS
from perimetry.inference import RequestStore
from perimetry.protocols.counterfactual.rationales import score_rationales
from perimetry.runs.asked import Asked
from perimetry.runs.folder import RunFolder
from perimetry.runs.outcomes import score_outcomes
from perimetry.runs.preparation import Preparation

__all__ = ["check_nothing", "no_options", "score_rationales_of", "score_trials"]


def no_options(
    given: Mapping[str, Any], conditions: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The conditions that were named, or the audit's own; it takes no option beyond those of all audits.

    Raises
    ------
    UsageError
        For an option.
    """
    for name in given:
        raise UsageError(f"The counterfactual audit takes no option {name!r}. Leave it out.")
    return tuple(conditions or DEFAULT_CONDITIONS), ()


def check_nothing(asked: Asked) -> None:
    """Everything that was asked can run."""


def score_trials(folder: RunFolder, store: RequestStore, model: str, preparation: Preparation) -> pl.DataFrame:  # noqa: ARG001 - nothing of it lies in a cache
    """Score every trial of one model by the answer rules."""
    return score_outcomes(store, model, preparation.plan, preparation.questions)


def score_rationales_of(
    store: RequestStore, model: str, outcomes: pl.DataFrame, preparation: Preparation
) -> pl.DataFrame:
    """Score the rationales of one model."""
    return score_rationales(store, model, outcomes, preparation.questions)
