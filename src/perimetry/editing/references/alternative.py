"""An alternative reference: the steps that led to it, and where they ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perimetry.editing.edit import Edit, Proposal, Round, Status, Verdict
from perimetry.editing.references.casing import in_style_of
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.taxonomy import Target

__all__ = ["Alternative", "edit_row", "row"]


@dataclass(frozen=True, slots=True)
class Alternative:
    """One study under one wanted form, or an ordered list of forms.

    Parameters
    ----------
    study, dataset, group : str
    steps : tuple of Target
    original : ReportText
    edits : tuple of Edit
        One a step, up to the first that was not accepted.
    """

    study: str
    dataset: str
    group: str
    steps: tuple[Target, ...]
    original: ReportText
    edits: tuple[Edit[ReportText], ...]

    @property
    def target(self) -> str:
        """Spelling of the wanted form; steps of a compound are joined by ``+``."""
        return "+".join(step.spelling for step in self.steps)

    @property
    def status(self) -> Status:
        """Of the last step; accepted only when every step was."""
        return self.edits[-1].status

    @property
    def text(self) -> ReportText | None:
        """The accepted alternative, in the case and spacing of the original."""
        result = self.edits[-1].result if len(self.edits) == len(self.steps) else None
        return None if result is None else in_style_of(result, self.original)


def row(alternative: Alternative) -> dict[str, Any]:
    """One line of ``alternatives.jsonl``.

    A study without an accepted alternative has None there; the last candidate with its verdicts stands under `last`.
    """
    edit = alternative.edits[-1]
    return {
        "id": alternative.study,
        "dataset": alternative.dataset,
        "group": alternative.group,
        "target": alternative.target,
        "status": alternative.status,
        "by": edit.by,
        "reason": edit.reason,
        "waiting": edit.waiting,
        "rounds": sum(len(each.rounds) for each in alternative.edits),
        "original": _sections(alternative.original),
        "alternative": _sections(alternative.text),
        "last": _sections(edit.last) if alternative.text is None else None,
        "verdicts": [_verdict(verdict) for verdict in _last_verdicts(edit)],
    }


def edit_row(edit: Edit[ReportText]) -> dict[str, Any]:
    """One line of ``edits.jsonl``: every round with every candidate and verdict."""
    return {
        "id": edit.task.target,
        "kind": edit.task.kind,
        "status": edit.status,
        "by": edit.by,
        "reason": edit.reason,
        "waiting": edit.waiting,
        "original": _sections(edit.task.original),
        "rounds": [_round(each) for each in edit.rounds],
    }


def _last_verdicts(edit: Edit[ReportText]) -> Sequence[Verdict]:
    for each in reversed(edit.rounds):
        if each.chosen is not None:
            return each.trials[each.chosen].verdicts
        for trial in reversed(each.trials):
            if trial.verdicts:
                return trial.verdicts
    return ()


def _round(each: Round[ReportText]) -> dict[str, Any]:
    return {
        "round": each.number,
        "chosen": each.chosen,
        "candidates": [
            {**_proposal(trial.proposal), "verdicts": [_verdict(verdict) for verdict in trial.verdicts]}
            for trial in each.trials
        ],
    }


def _proposal(proposal: Proposal[ReportText]) -> dict[str, Any]:
    return {
        "by": proposal.by,
        "text": _sections(proposal.content),
        "declined": proposal.declined or None,
        "reason": proposal.reason or None,
        "raw": proposal.raw or None,
        "temperature": proposal.temperature,
        "request_id": proposal.request_id or None,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "by": verdict.by,
        "outcome": verdict.outcome,
        "reason": verdict.reason or None,
        "answers": dict(verdict.answers) or None,
        "said": verdict.raw or None,
        "request_id": verdict.request_id or None,
    }


def _sections(report: ReportText | None) -> dict[str, str] | None:
    return None if report is None else {"findings": report.findings, "impression": report.impression}
