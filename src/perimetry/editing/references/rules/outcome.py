"""What a rule makes of a report: another text, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from perimetry.editing.references.report import ReportText

__all__ = ["Declined", "Draw", "Rewritten", "Rule"]


@dataclass(frozen=True, slots=True)
class Declined:
    """Why a rule has no alternative.

    Parameters
    ----------
    status : {"infeasible", "already_in_form"}
    reason : str
    """

    status: Literal["infeasible", "already_in_form"]
    reason: str


Rewritten: TypeAlias = ReportText | Declined

Draw: TypeAlias = Callable[[str, int], int]
"""A choice below a bound that depends on the seed, the report and a name only."""

Rule: TypeAlias = Callable[[ReportText, Draw], Rewritten]
