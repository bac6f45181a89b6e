"""The page of a rewriting: how many reports reached each form, why others did not, and both texts side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from perimetry.editing.edit import Verdict
from perimetry.editing.funnel import EditFunnel
from perimetry.editing.references.alternative import Alternative
from perimetry.editing.references.marking import difference_marks
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.shown import Examples
from perimetry.reports import (
    Block,
    Column,
    FailureRow,
    Marked,
    Passage,
    PassageGroup,
    PassagesBlock,
    Reproduce,
    Section,
    Site,
    TableBlock,
    TextBlock,
)
from perimetry.reports import Verdict as Answer
from perimetry.reports.charts.references import condition_name

__all__ = ["page"]

REASONS = 6

_FUNNEL = (
    Column("form", "Form", "code"),
    Column("tasks", "Reports", "integer"),
    Column("accepted", "Accepted", "integer"),
    Column("share", "% of reports", "share"),
    Column("infeasible", "Not possible", "integer", help="the report lacks what the form needs"),
    Column("already_in_form", "In form before", "integer"),
    Column("rejected", "Rejected", "integer", help="the last of the rounds ended without an acceptable alternative"),
    Column("waiting", "Waiting", "integer", help="no answer came: the same command asks again"),
    Column("failed", "Failed", "integer", help="nothing that could be read was proposed"),
    Column("proposed", "With a candidate", "integer"),
)
_REASONS = (
    Column("form", "Form", "code"),
    Column("reason", "Why"),
    Column("edits", "Reports", "integer"),
    Column("status", "Ending"),
    Column("by", "Decided by"),
    Column("examples", "For example"),
)


def page(
    dataset: str,
    studies: int,
    funnels: Sequence[EditFunnel],
    examples: Examples,
    reproduce: Reproduce,
    *,
    made_by: str,
    checked_by: str,
    left_out: Sequence[str] = (),
    failures: Sequence[FailureRow] = (),
    quoting: bool = True,
) -> Site:
    """Compose the page.

    Parameters
    ----------
    dataset : str
    studies : int
        Reports that were tried.
    funnels : sequence of EditFunnel
    examples : Examples
        Alternatives that are shown.
    reproduce : Reproduce
    made_by, checked_by : str
        Generator and verifiers.
    left_out : sequence of str
        Reports that were not tried, and why.
    failures : sequence of FailureRow
    quoting : bool, default True
        False leaves out every text (restricted and credentialed data).
    """
    accepted = sum(dict(funnel.endings)["accepted"] for funnel in funnels)
    asked = not (made_by.startswith("rules") and checked_by == made_by)
    return Site(
        title="Alternative references",
        subtitle=f"{dataset} · {studies:,} reports · {len(funnels)} forms · made by {made_by}, checked by {checked_by}",
        verdicts=(_answer(dataset, funnels, accepted),),
        sections=(
            Section(
                "How far it got",
                "Every report under every form, and how it ended. Nothing is left out in silence.",
                (_funnel(funnels), *_reasons(funnels, quoting=quoting)),
            ),
            Section(
                "Side by side",
                "Marked: what only one of the two texts has. − the original, + the alternative.",
                tuple(_side_by_side([funnel.kind for funnel in funnels], examples, quoting=quoting)),
            ),
        ),
        reproduce=reproduce,
        failures=tuple(failures),
        notes=(
            "Accepted means: the rules account for every content word of both texts. It is no radiologist's opinion.",
            *left_out,
        ),
        verdict_heading="Which reports could be told otherwise?",
        asked=asked,
        unit_note="Shares are percent of the reports that were tried.",
    )


def _answer(dataset: str, funnels: Sequence[EditFunnel], accepted: int) -> Answer:
    most = sorted(funnels, key=lambda one: -dict(one.endings)["accepted"])
    named = "; ".join(f"{condition_name(one.kind)} ({dict(one.endings)['accepted']:,})" for one in most[:3])
    none = [condition_name(one.kind) for one in funnels if not dict(one.endings)["accepted"]]
    waiting = sum(one.waiting for one in funnels)
    sentence = f"{accepted:,} alternatives were accepted; most for {named}."
    if none:
        sentence += f" None for {'; '.join(none)}."
    if waiting:
        sentence += f" {waiting:,} wait for an answer: the same command goes on from here."
    return Answer(dataset, f"{accepted:,} alternatives", sentence, "partial" if none or waiting else "good")


def _funnel(funnels: Sequence[EditFunnel]) -> TableBlock:
    rows = []
    for one in funnels:
        endings = dict(one.endings)
        share = endings["accepted"] / one.tasks if one.tasks else None
        counts = {"tasks": one.tasks, "proposed": one.proposed, "waiting": one.waiting}
        rows.append({"form": one.kind, **counts, "share": share, **endings})
    return TableBlock(_FUNNEL, tuple(rows), "The endings of a row add up to its reports.", "funnel", "Funnel")


def _reasons(funnels: Sequence[EditFunnel], *, quoting: bool) -> Iterator[Block]:
    rows: list[dict[str, Any]] = []
    for one in funnels:
        for status, by, reason, count, examples in one.reasons[:REASONS]:
            shown = ", ".join(examples) if quoting else None
            rows.append(
                {
                    "form": one.kind,
                    "status": _ENDINGS[status],
                    "by": by,
                    "reason": reason,
                    "edits": count,
                    "examples": shown,
                }
            )
    if rows:
        yield TableBlock(_REASONS, tuple(rows), "funnel.json has all of them.", "reasons", "Why not")


_ENDINGS = {
    "infeasible": "not possible",
    "already_in_form": "in form before",
    "rejected": "rejected",
    "failed": "failed",
    "waiting": "waiting",
}


def _side_by_side(targets: Sequence[str], examples: Examples, *, quoting: bool) -> Iterator[Block]:
    if not quoting:
        yield TextBlock(("The terms of this data set do not let its reports be shown; alternatives.jsonl has them.",))
        return
    for target in targets:
        accepted, rejected = examples.of(target, "accepted"), examples.of(target, "rejected")
        groups = tuple(_group(each) for each in (*accepted.kept, *rejected.kept))
        if groups:
            caption = f"{len(accepted.kept)} of {accepted.seen:,} accepted"
            if rejected.seen:
                caption += f", {len(rejected.kept)} of {rejected.seen:,} rejected"
            yield PassagesBlock(groups, f"{caption}; drawn with seed {examples.seed}.", target.replace(":", " · "), 1)


def _group(each: Alternative) -> PassageGroup:
    shown = each.text or each.edits[-1].last or each.original
    before, after, old, new = _compared(each.original, shown)
    edit = each.edits[-1]
    note = "accepted" if each.text else f"rejected: {edit.reason} ({edit.by})"
    facts = tuple((verdict.by, _said(verdict)) for trial in edit.rounds[-1].trials for verdict in trial.verdicts)
    return PassageGroup(
        each.study,
        note,
        (
            Passage("Original", before, old, reference=True),
            Passage("Alternative" if each.text else "Rejected candidate", after, new, facts=facts),
        ),
    )


def _said(verdict: Verdict) -> str:
    return verdict.outcome.replace("_", " ") + (f": {verdict.reason}" if verdict.reason else "")


def _compared(original: ReportText, other: ReportText) -> tuple[str, str, tuple[Marked, ...], tuple[Marked, ...]]:
    """Both texts under their sections' names, and the marks of each: a section is held against its own."""
    before = after = ""
    old: list[Marked] = []
    new: list[Marked] = []
    for name in dict.fromkeys((*original.sections, *other.sections)):
        before += f"{name.upper()}\n"
        after += f"{name.upper()}\n"
        lost, added = difference_marks(original.get(name), other.get(name))
        old += [replace(mark, start=mark.start + len(before), end=mark.end + len(before)) for mark in lost]
        new += [replace(mark, start=mark.start + len(after), end=mark.end + len(after)) for mark in added]
        before += f"{original.get(name)}\n"
        after += f"{other.get(name)}\n"
    return before.rstrip(), after.rstrip(), tuple(old), tuple(new)
