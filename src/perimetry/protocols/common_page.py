"""Parts of a report that every audit shows alike."""

from __future__ import annotations

import re

import polars as pl

from perimetry.cases.digest import digest_bytes
from perimetry.protocols.analysis import Analysis
from perimetry.reports import Column, FailureRow, Reproduce, Section, TableBlock
from perimetry.reports.blocks import Cell
from perimetry.runs.folder import RunFolder

__all__ = ["failure_rows", "file_name", "funnel", "reproduction", "subtitle"]


# Failures whose message is this package's own.
_OWN_WORDS = frozenset({"unreadable_image", "not_recorded", "timeout", "unreachable"})


def file_name(text: str) -> str:
    """A name that may stand in a file name of the report; a digest keeps apart what would read alike.

    Examples
    --------
    >>> file_name("vqa-rad"), file_name("VQA-RAD (test)")
    ('vqa-rad', 'vqa-rad-test-8924d6')
    """
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:50]
    return name if name == text else f"{name or 'data'}-{digest_bytes(text.encode('utf-8', 'replace'))[:6]}"


def subtitle(analysis: Analysis) -> str:
    """What was run, in one line."""
    preparation = analysis.preparation
    sets = ", ".join(
        f"{case_set.name} ({len(case_set.cases):,} item{'s' if len(case_set.cases) != 1 else ''})"
        for case_set in preparation.case_sets
    )
    models, conditions = len(analysis.models), len(preparation.conditions)
    return (
        f"{sets} · {models} model{'s' if models != 1 else ''} · "
        f"{conditions} condition{'s' if conditions != 1 else ''} · "
        f"{preparation.asked.repeats} repeat{'s' if preparation.asked.repeats != 1 else ''}"
    )


def failure_rows(analysis: Analysis) -> tuple[FailureRow, ...]:
    """Trials without an answer, counted by model, data set, condition and kind."""
    rows: list[FailureRow] = []
    for model in analysis.models:
        failed = (
            analysis.outcomes[model]
            .filter(pl.col("request_id").is_not_null() & ~pl.col("answered").fill_null(False))
            .with_columns(pl.col("failure_kind").fill_null("not asked yet"))
            .group_by("dataset", "condition", "failure_kind", maintain_order=True)
            .agg(pl.len().alias("count"), pl.col("failure_message").drop_nulls().first())
        )
        withheld = analysis.preparation.withheld
        rows += [
            FailureRow(model, kind, count, dataset, condition, _example(kind, message, dataset in withheld))
            for dataset, condition, kind, count, message in failed.iter_rows()
        ]
    return tuple(rows)


def _example(kind: str, message: str | None, withheld: bool) -> str:
    """A failure's message; where texts are withheld, only one in which nobody can have quoted a question."""
    return "" if message is None or (withheld and kind not in _OWN_WORDS) else message


def reproduction(folder: RunFolder, analysis: Analysis) -> Reproduce:
    """Command, versions, seeds and digests as run.toml has them."""
    settings = folder.read_settings()
    asked = analysis.preparation.asked
    return Reproduce(
        command=settings.get("command", ""),
        versions={key: str(value) for key, value in settings.get("versions", {}).items()},
        seeds={"run": str(asked.seed), "bootstrap": str(asked.seed)},
        digests={f"cases of {name}": digest for name, digest in settings.get("digests", {}).items()},
        notes=(
            *(text for model in settings.get("models", []) for text in model.get("warnings", [])),
            f"Decoding: {asked.decoding.spelling}.",
            f"Prompt profile: {analysis.preparation.profile.spelling}.",
            "`perimetry report` on this folder makes outcomes, estimates and this page again without asking a model.",
        ),
    )


def funnel(analysis: Analysis) -> Section:
    """From the records of every data set to its items, and the trials to which a condition does not apply."""
    rows: list[dict[str, Cell]] = []
    for case_set in analysis.preparation.case_sets:
        funnel = case_set.funnel
        rows.append({"dataset": case_set.name, "step": "records read", "count": funnel.entered, "examples": ""})
        rows += [
            {
                "dataset": case_set.name,
                "step": f"left out: {step.reason}",
                "count": step.removed,
                # An example may quote a field of its record.
                "examples": "" if case_set.name in analysis.preparation.withheld else ", ".join(step.examples),
            }
            for step in funnel.steps
        ]
        rows.append(
            {"dataset": case_set.name, "step": "items of this run", "count": len(case_set.cases), "examples": ""}
        )
        rows += [
            {"dataset": case_set.name, "step": f"note: {note}", "count": None, "examples": ""} for note in funnel.notes
        ]
    for row in analysis.preparation.plan.not_applicable().iter_rows(named=True):
        rows.append(
            {
                "dataset": row["dataset"],
                "step": f"trials to which {row['condition']} does not apply",
                "count": row["trials"],
                "examples": "",
            }
        )
    columns = (
        Column("dataset", "Data set"),
        Column("step", "Step"),
        Column("count", "Records", "integer"),
        Column("examples", "For example", "code"),
    )
    return Section(
        "From records to items",
        "How many records entered, how many were left out, and why.",
        (TableBlock(columns, tuple(rows), "Counted while loading.", "funnel"),),
    )
