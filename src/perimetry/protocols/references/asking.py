"""Systems that are models: each is asked for the report of every study, once, and the answers are kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from perimetry.cases.dataset import CaseSet
from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import DataError
from perimetry.cases.study import Study
from perimetry.inference import Budget, RequestPlan, RequestStore, Settings, SilentProgress, Summary, choose_progress
from perimetry.models import REPORT_PROFILE, ModelContext, render_study, resolve_model
from perimetry.models.request import Decoding, Request
from perimetry.protocols.references.systems import SystemReports
from perimetry.protocols.score.alternatives import section_text
from perimetry.scoring.judges import Judge
from perimetry.scoring.report_metric import Report
from perimetry.scoring.report_text import report_of

__all__ = ["AskedModels", "asked_models", "is_model", "report_plan"]

_MODEL = re.compile(r"^(?:openai|hf|card|reader|baseline):")
_SEED = 42


def is_model(spelling: str) -> bool:
    """Whether ``--systems`` names a model rather than a file.

    Examples
    --------
    >>> is_model("openai:mine@http://127.0.0.1:8000/v1"), is_model("reports.jsonl:ours,theirs")
    (True, False)
    """
    return bool(_MODEL.match(spelling))


@dataclass(frozen=True, slots=True)
class _Requests:
    """Builds the request of a study when its turn comes; picklable, so that worker processes can."""

    studies: tuple[Study, ...]
    ids: tuple[str, ...]
    decoding: Decoding

    def __call__(self, index: int) -> Request:
        study = self.studies[index]
        prompt = render_study(study, REPORT_PROFILE)
        return Request(self.ids[index], study.id, study.dataset, "real", 0, _SEED, prompt, self.decoding)


def report_plan(loaded: Sequence[CaseSet], section: str, decoding: Decoding) -> tuple[RequestPlan, dict[str, Study]]:
    """A request for every study that has the section, and the study of each request."""
    tail = (REPORT_PROFILE.spelling, decoding.spelling, "references")
    held = {
        digest_parts([study.digest, *tail]): study
        for one in loaded
        for study in one.studies
        if section_text(study.sections, section)
    }
    builder = _Requests(tuple(held.values()), tuple(held), decoding)
    return RequestPlan(pl.Series("request_id", list(held), dtype=pl.String), builder), held


@dataclass(frozen=True, slots=True, eq=False)
class AskedModels:
    """Models that write reports.

    Parameters
    ----------
    models : mapping of specification to Judge
        A judge is a model with a store; here it is asked for reports.
    plan : RequestPlan
    studies : mapping of request id to Study
    section : str
    summaries : list of Summary
    """

    models: Mapping[str, Judge]
    plan: RequestPlan
    studies: Mapping[str, Study]
    section: str
    summaries: list[Summary]

    def check(self, loaded: Sequence[CaseSet], allow_remote: Collection[str]) -> None:
        """Refuse credentialed studies to a model that is not on this machine."""
        for one in loaded:
            for model in self.models.values():
                model.check(one.name, one.data_use, allow_remote)

    def counts(self) -> dict[str, tuple[int, int]]:
        """For each model: its requests, and those without a final answer."""
        return {model.name: (len(self.plan), model.unasked(self.plan)) for model in self.models.values()}

    def ask(self) -> SystemReports:
        """Ask what is not stored yet, and read the reports; a study without an answer has none.

        Raises
        ------
        DataError
            Where a model has given no report at all.
        """
        style = "findings" if self.section == "findings" else "report"
        found: dict[str, dict[tuple[str, str], Report]] = {}
        for model in self.models.values():
            summary = model.ask(self.plan)
            self.summaries.append(summary)
            if summary.stopped == "interrupted":
                raise KeyboardInterrupt(summary.message)
            reports: dict[tuple[str, str], Report] = {}
            for identity, answer in model.answers(self.plan).items():
                if not answer.failure_kind and answer.text is not None:
                    study = self.studies[identity]
                    reports[study.dataset, study.id] = report_of(answer.text, style, answer.finish_reason).text
            if not reports:
                raise DataError(_silent(summary))
            found[model.name] = reports
        return SystemReports("the models' answers", found)


def _silent(summary: Summary) -> str:
    told = "; ".join(f"{kind}: {message}" for kind, message in summary.examples) or summary.message or "none was asked"
    return (
        f"{summary.model} has given no report for any of {summary.planned:,} studies ({told.rstrip('.')}). See that it "
        "answers, then give the same command again."
    )


@contextmanager
def asked_models(
    specs: Sequence[str],
    loaded: Sequence[CaseSet],
    section: str,
    folder: Path,
    execution: Settings,
    context: ModelContext | None,
    max_new_tokens: int,
    *,
    progress: bool = False,
) -> Iterator[AskedModels]:
    """Models ready to be asked; closed at the end.

    Parameters
    ----------
    specs : sequence of str
    loaded : sequence of CaseSet
    section : str
    folder : Path
        Answers are kept in ``FOLDER/responses``.
    execution, context : optional
    max_new_tokens : int
    progress : bool, default False
    """
    plan, studies = report_plan(loaded, section, Decoding(max_new_tokens))
    budget = Budget(execution.max_requests)
    opened = {spec: resolve_model(spec, context) for spec in specs}
    try:
        models = {
            spec: Judge(
                model,
                RequestStore(folder / "responses"),
                execution,
                choose_progress() if progress else SilentProgress(),
                budget,
            )
            for spec, model in opened.items()
        }
        yield AskedModels(models, plan, studies, section, [])
    finally:
        for model in opened.values():
            model.close()
