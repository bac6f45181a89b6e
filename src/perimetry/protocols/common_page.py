"""Parts of a report that every audit shows alike."""

from __future__ import annotations

import re

import polars as pl

from perimetry.protocols.analysis import Analysis
from perimetry.reports import FailureRow, Reproduce
from perimetry.runs.folder import RunFolder

__all__ = ["failure_rows", "file_name", "reproduction", "subtitle"]


def file_name(text: str) -> str:
    """A name that may stand in a file name of the report.

    Examples
    --------
    >>> file_name("VQA-RAD (test)")
    'vqa-rad-test'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "data"


def subtitle(analysis: Analysis) -> str:
    """What was run, in one line."""
    preparation = analysis.preparation
    sets = ", ".join(f"{case_set.name} ({len(case_set.cases):,} items)" for case_set in preparation.case_sets)
    models = len(analysis.models)
    return (
        f"{sets} · {models} model{'s' if models != 1 else ''} · {len(preparation.conditions)} conditions · "
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
        rows += [
            FailureRow(model, kind, count, dataset, condition, message or "")
            for dataset, condition, kind, count, message in failed.iter_rows()
        ]
    return tuple(rows)


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
