"""What is read from a judge's answer: a judgement with a value, or the reason why there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, Protocol

from perimetry.scoring.report_metric import ScoreTable

__all__ = ["Judgement", "Missing", "MissingKind", "UnreadableAnswerError", "count_missing"]

MissingKind = Literal["not_asked", "failed", "refused", "cut_off", "unreadable", "nothing_to_compare", "empty"]
"""Why a pair has no value: never asked (budget, interruption), no answer (endpoint), a refusal, an answer that ends too
early, one that cannot be read, one that says that there is nothing to compare, or two empty reports."""


class Judgement(Protocol):
    """A judge's answer as the arithmetic needs it."""

    @property
    def value(self) -> float:
        """The metric of this pair."""
        ...


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a pair has no value.

    Examples
    --------
    >>> Missing("unreadable", "no matched findings").reason
    'unreadable: no matched findings'
    """

    kind: MissingKind
    detail: str

    @property
    def reason(self) -> str:
        """As it stands in `ScoreTable.reasons`."""
        return f"{self.kind}: {self.detail}"


class UnreadableAnswerError(ValueError):
    """An answer that holds no judgement; the message becomes the reason. Raised and caught within the readers."""


def count_missing(table: ScoreTable) -> dict[str, int]:
    """How many pairs of a judge metric's table are missing, by kind; most frequent first.

    Examples
    --------
    >>> from perimetry.scoring.report_metric import mean_table
    >>> nan = float("nan")
    >>> count_missing(mean_table([nan, 1.0, nan], ["refused: a", "", "refused: b"]))
    {'refused': 2}
    """
    return dict(Counter(reason.partition(":")[0] for reason in table.reasons if reason).most_common())
