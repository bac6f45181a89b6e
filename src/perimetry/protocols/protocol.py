"""A protocol: which conditions to run and which estimates to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Structural

import polars as pl

from perimetry.cases import Question
from perimetry.inference import RequestStore
from perimetry.models import Decoding, PromptProfile
from perimetry.protocols.analysis import Analysis
from perimetry.reports import Site
from perimetry.runs.estimates import Estimate
from perimetry.runs.folder import RunFolder

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


@dataclass(frozen=True, slots=True)
class AuditProtocol:
    """One audit: everything in which it differs from the others.

    Parameters
    ----------
    name : str
    conditions : tuple of str
        Run unless the user names others.
    profile : PromptProfile
        The question as every model is put it.
    decoding : Decoding
    details : callable
        Per-trial statistics that go beyond the outcomes, for one model.
    estimate : callable
        All estimates of a run.
    judge : callable
        Verdicts from estimates, for the models named.
    page : callable
        The report.
    """

    name: str
    conditions: tuple[str, ...]
    profile: PromptProfile
    decoding: Decoding
    details: Callable[[RequestStore, str, pl.DataFrame, Sequence[Question]], pl.DataFrame]
    estimate: Callable[[Analysis], list[Estimate]]
    judge: Callable[[Sequence[str], Sequence[Estimate]], Mapping[str, Judgement]]
    page: Callable[[RunFolder, RequestStore, Analysis, Sequence[Estimate]], Site]
