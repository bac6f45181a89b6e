"""A protocol: which conditions to run and which estimates to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Structural

import polars as pl

from perimetry.inference import RequestStore
from perimetry.models import Decoding
from perimetry.protocols.analysis import Analysis
from perimetry.reports import Site
from perimetry.runs.asked import Asked
from perimetry.runs.design import Design, Profile
from perimetry.runs.estimates import Estimate
from perimetry.runs.folder import RunFolder
from perimetry.runs.preparation import Preparation

__all__ = ["AuditProtocol", "Judgement"]


class Judgement(Structural):
    """A verdict on one model."""

    @property
    def model(self) -> str:
        """Name of the model."""
        ...

    @property
    def verdict(self) -> str:
        """Two to five words."""
        ...

    @property
    def reason(self) -> str:
        """One sentence with the intervals that decided."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """As plain data for verdicts.json."""
        ...


def no_details(store: RequestStore, model: str, outcomes: pl.DataFrame, preparation: Preparation) -> pl.DataFrame:  # noqa: ARG001 - everything stands in the outcomes
    """There is nothing beyond the outcomes."""
    return pl.DataFrame()


@dataclass(frozen=True, slots=True)
class AuditProtocol:
    """One audit: everything in which it differs from the others.

    Parameters
    ----------
    name : str
    conditions : tuple of str
        Run unless the user names others.
    design : Design
        What its trials are made of: cases, and the words in which every model is given them.
    decoding : Decoding
    options : callable
        From what only this audit takes (name to value as a user gives it) and the conditions that were named (or None)
        to conditions and the spelled options that `Asked.options` holds. Raises `UsageError` for what it does not know.
    check : callable
        Told of what was asked before anything is loaded; raises `UsageError` for what cannot run.
    columns : sequence of str
        Columns that the outcomes must have.
    outcomes : callable
        Score every trial of one model, a shard of responses at a time.
    estimate : callable
        All estimates of a run.
    judge : callable
        Verdicts from estimates, for the models named.
    page : callable
        The report.
    details : callable, default `no_details`
        Per-trial statistics that go beyond the outcomes, for one model.
    """

    name: str
    conditions: tuple[str, ...]
    design: Design
    decoding: Decoding
    options: Callable[[Mapping[str, Any], Sequence[str] | None], tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]
    check: Callable[[Asked], None]
    columns: Sequence[str]
    outcomes: Callable[[RunFolder, RequestStore, str, Preparation], pl.DataFrame]
    estimate: Callable[[Analysis], list[Estimate]]
    judge: Callable[[Sequence[str], Sequence[Estimate]], Mapping[str, Judgement]]
    page: Callable[[RunFolder, RequestStore, Analysis, Sequence[Estimate]], Site]
    details: Callable[[RequestStore, str, pl.DataFrame, Preparation], pl.DataFrame] = no_details

    @property
    def profile(self) -> Profile:
        """The words in which every model is given a case."""
        profile: Profile = self.design.profile
        return profile
