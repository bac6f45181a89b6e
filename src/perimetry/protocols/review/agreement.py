"""The part of the page on agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perimetry.protocols.review.outcomes import HOWS, Settled
from perimetry.protocols.review.study import ReviewStudy
from perimetry.protocols.review.tables import interval_cells, rater_rows
from perimetry.reports import Block, Column, Section, TableBlock
from perimetry.reports.blocks import ColumnKind
from perimetry.runs.estimates import Estimate

__all__ = ["agreement_section", "interval_column"]


def interval_column(key: str, label: str, kind: ColumnKind, digits: int = 1) -> Column:
    """A column whose ends stand under ``KEY_low`` and ``KEY_high``, and ``KEY_note`` where there are none.

    Examples
    --------
    >>> interval_column("kappa", "Kappa", "number", 2).low
    'kappa_low'
    """
    return Column(key, label, kind, digits, low=f"{key}_low", high=f"{key}_high", note=f"{key}_note")


def agreement_section(
    study: ReviewStudy, settled: Sequence[Settled], estimates: Sequence[Estimate], told: Sequence[dict[str, Any]]
) -> Section:
    """Shares of how items were settled, kappa, raters two by two, and what each rater did."""
    metrics = [*(f"agreement_{how}" for how in HOWS), "agreement_first_two", "kappa", "kappa_linear"]
    rows = []
    for one in told:
        row: dict[str, Any] = {"task": one["task"], "items": one["items"], "open": one["open"]}
        for metric in metrics:
            it = next(
                (
                    e
                    for e in _ordered(estimates)
                    if e.metric == metric and e.condition == one["task"] and not e.comparator
                ),
                None,
            )
            if it is not None:
                row |= interval_cells(metric, it)
                row |= {"rated_twice": it.n} if metric == "agreement_first_two" else {}
                row |= {"settled": it.n} if metric == "agreement_unanimous" else {}
        rows.append(row)
    columns = (
        Column("task", "Task", "code"),
        Column("items", "Items", "integer"),
        Column("open", "Open", "integer", help="no consensus yet"),
        Column("settled", "Settled", "integer", help="what the next three columns are shares of"),
        interval_column("agreement_unanimous", "Unanimous", "share"),
        interval_column("agreement_majority", "Majority of three", "share"),
        interval_column("agreement_adjudicated", "Fourth rater", "share"),
        Column("rated_twice", "Rated twice", "integer", help="what the next columns are of"),
        interval_column("agreement_first_two", "First two agree", "share"),
        interval_column("kappa", "Kappa", "number", 2),
        interval_column("kappa_linear", "Kappa, linear weights", "number", 2),
    )
    blocks: list[Block] = [
        TableBlock(
            columns,
            tuple(rows),
            "How settled items were settled, in percent; then the first two ratings of all items that have both.",
            "agreement",
        ),
    ]
    twos: list[dict[str, Any]] = [
        {
            "task": row.condition,
            "one": row.model.removeprefix("rater:"),
            "other": row.comparator.removeprefix("model:rater:"),
            "n": row.n,
            **interval_cells(row.metric, row),
        }
        for row in _ordered(estimates)
        if row.comparator.startswith("model:rater:") and row.n
    ]
    merged: dict[tuple[str, str, str], dict[str, Any]] = {}
    for two in twos:
        merged.setdefault((two["task"], two["one"], two["other"]), {}).update(two)
    if merged:
        beside = (
            Column("task", "Task", "code"),
            Column("one", "Rater", "name"),
            Column("other", "Rater", "name"),
            Column("n", "Items of both", "integer"),
            interval_column("agreement", "Equal", "share"),
            interval_column("kappa", "Kappa", "number", 2),
            interval_column("kappa_linear", "Kappa, linear weights", "number", 2),
        )
        blocks.append(
            TableBlock(
                beside, tuple(merged.values()), "Items whose first two ratings are theirs.", "rater-pairs", "Two by two"
            )
        )
    own = (
        Column("task", "Task", "code"),
        Column("rater", "Rater", "name"),
        Column("dealt", "Dealt", "integer"),
        Column("rated", "Rated", "integer"),
        Column("left_open", "Left open", "integer"),
        Column("equal", "Equal to the consensus", "integer"),
    )
    blocks.append(TableBlock(own, tuple(rater_rows(study, settled)), "Items.", "raters", "Raters"))
    lead = "Two raters, a third where they differ, a fourth where all three do; the fourth decides."
    return Section("Agreement", lead, tuple(blocks))


def _ordered(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Rows over all items: those pooled where there are several data sets."""
    pooled = [row for row in estimates if row.dataset == "pooled"]
    return [row for row in (pooled or estimates) if row.stratum == "all"]
