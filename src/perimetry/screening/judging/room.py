"""The judge of a screening: opened once, asked about one data set after another, closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perimetry.cases import CaseSet
from perimetry.inference import Budget, RequestStore, SilentProgress, Summary, choose_progress
from perimetry.models import resolve_model
from perimetry.scoring.judges import Judge, listening
from perimetry.screening.judging.judging import Judging
from perimetry.screening.judging.opinion import Opinion, form_opinion
from perimetry.screening.judging.prompt import cue_prompt
from perimetry.screening.judging.requests import CueRequests, plan_requests
from perimetry.screening.run import Screening

__all__ = ["JudgeRoom", "open_judge"]


@dataclass(slots=True, eq=False)
class JudgeRoom:
    """A judge with its store.

    Parameters
    ----------
    judge : Judge
    judging : Judging
    images : bool
        Whether it is shown images.
    summaries : list of Summary
        How each asking ended.
    """

    judge: Judge
    judging: Judging
    images: bool
    summaries: list[Summary] = field(default_factory=list)

    def check(self, case_set: CaseSet) -> None:
        """Refuse data that may not be sent there; see `check_data_use`."""
        self.judge.check(case_set.name, case_set.data_use, self.judging.allow_remote)

    def count(self, case_set: CaseSet) -> tuple[int, int]:
        """Requests about a data set, and those of them that the store has no final answer for; asks nobody."""
        plan = plan_requests(self._builder(case_set))
        return len(plan), self.judge.unasked(plan)

    def mend(self) -> None:
        """Set damaged lines of the store aside, and say so."""
        self.judge.mend()

    def opinion(self, case_set: CaseSet, screening: Screening) -> Opinion:
        """Ask about the items of a data set what is not answered yet, and read all answers.

        Where requests were only failing nothing more is asked.

        Raises
        ------
        StoreError, UsageError
            As `perimetry.inference.ask`.
        KeyboardInterrupt
            When the asking was interrupted; what was answered is stored.
        """
        builder = self._builder(case_set)
        plan = plan_requests(builder)
        if len(plan):
            self.judge.ask(plan)
        pending = self.judge.unasked(plan) if len(plan) else 0
        return form_opinion(screening, builder, self.judge.name, self.judge.answers, pending)

    @property
    def settings(self) -> dict[str, Any]:
        """What the answers depend on, for the record."""
        return {
            "model": self.judge.name,
            "prompt": cue_prompt().spelling,
            "decoding": self.judging.decoding.spelling,
            "schema": self.judging.structured,
            "images": self.images,
        }

    def _builder(self, case_set: CaseSet) -> CueRequests:
        return CueRequests(case_set.questions, self.judging.decoding, self.judging.structured, self.images)


@contextmanager
def open_judge(judging: Judging, folder: Path, images: bool) -> Iterator[JudgeRoom]:
    """Open the judge, and close it at the end; what it says is kept in ``FOLDER/responses``.

    Raises
    ------
    UnknownNameError, UsageError
        For a specification that names no model.
    """
    model = resolve_model(judging.spec, judging.options)
    budget = Budget(judging.settings.max_requests)
    summaries: list[Summary] = []

    try:
        progress = choose_progress() if judging.progress else SilentProgress()
        store = RequestStore(folder / "responses")
        judge = Judge(model, store, judging.settings, progress, budget, listening(summaries, budget))
        yield JudgeRoom(judge, judging, images, summaries)
    finally:
        model.close()
