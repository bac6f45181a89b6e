"""Requests of one round, asked together through the store and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from perimetry.inference import Progress, RequestPlan
from perimetry.models.request import FINAL_KINDS, Request
from perimetry.scoring.judges import Answer, Judge, Missing
from perimetry.scoring.judges.answer import readable

__all__ = ["LONGEST_RAW", "ask_all", "may_come", "text_of"]

LONGEST_RAW = 2000
"""Characters of an answer that could not be read which an edit repeats; the store has all of it."""


@dataclass(frozen=True, slots=True)
class _Named:
    """Progress that says what it is the progress of: counts begin anew in every round."""

    shown: Progress
    what: str

    def start(self, label: str, total: int) -> None:
        self.shown.start(f"{label}, {self.what}", total)

    def update(self, answered: int, failures: int) -> None:
        self.shown.update(answered, failures)

    def message(self, text: str) -> None:
        self.shown.message(text)

    def finish(self) -> None:
        self.shown.finish()


def ask_all(judge: Judge, requests: Sequence[Request], what: str = "") -> Mapping[str, Answer]:
    """Ask what the store does not hold, and give all answers by request id; equal requests are one.

    `what` is shown beside the model's name while it is being asked.
    """
    plan = RequestPlan.of({request.id: request for request in requests}.values())
    named = _Named(judge.progress, what) if judge.progress is not None and what else judge.progress
    replace(judge, progress=named).ask(plan)
    return judge.answers(plan)


def text_of(answer: Answer | None) -> str | Missing:
    """The text to be read, or why there is none."""
    return readable(answer)


def may_come(answer: Answer | None) -> bool:
    """Whether an answer that is not there may still come: it was not asked for, or failed for a passing reason."""
    return answer is None or bool(answer.failure_kind and answer.failure_kind not in FINAL_KINDS)
