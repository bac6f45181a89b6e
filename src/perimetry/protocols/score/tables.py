"""Scores, differences and classes on the page: systems side by side are always measured on the same reports."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from perimetry.protocols.common_page import file_name
from perimetry.protocols.score.estimates import ABNORMAL, Findings
from perimetry.protocols.score.scored import Scored, belongs
from perimetry.reports import Block, Column, Section, TableBlock
from perimetry.reports.blocks import Cell
from perimetry.reports.charts import scores as charts
from perimetry.runs.estimates import Estimate
from perimetry.scoring.labels.classes import NO_FINDING

__all__ = ["class_names", "class_section", "difference_section", "main_parts", "score_section"]

_PAIRS_DRAWN = 15


def main_parts(findings: Findings) -> list[tuple[str, str]]:
    """Metrics and their main strata in the order of the estimates."""
    kept = [
        (row.metric, row.stratum)
        for row in findings.estimates
        if row.stratum in ("all", ABNORMAL) and not row.metric.startswith("rank:")
    ]
    return list(dict.fromkeys(kept))


def class_names(findings: Findings, metric: str) -> list[str]:
    """Class strata of a metric, No Finding last."""
    found = [row.stratum for row in findings.estimates if row.metric == metric and row.stratum not in ("all", ABNORMAL)]
    return sorted(dict.fromkeys(found), key=lambda name: name == NO_FINDING)


def score_section(
    scored: Scored, findings: Findings, compared: pl.DataFrame, parts: Sequence[tuple[str, str]]
) -> Section:
    """What stands side by side was measured on the same reports; where a system has more, its own values follow."""
    own = [row for row in findings.estimates if not row.comparator and not row.metric.startswith("rank:")]
    uneven = {
        named.label
        for named in scored.metrics
        if any((belongs(one) & ~scored.shared(named.label)).any() for one in scored.tables[named.label].values())
    }
    caption = "With 95% intervals of a bootstrap over groups."
    blocks: list[Block] = [
        charts.score_intervals(compared, parts),
        _score_table(scored, findings.compared, parts, caption, "scores", "Scores"),
    ]
    lead = "Every system by every metric, on all reports that it has a value for."
    if uneven:
        lead = "Every system by every metric, on the reports that every system has a value for."
        caption = "Each system on all reports that it has a value for, which are not the same ones. Do not compare."
        lost = [part for part in parts if part[0] in uneven]
        blocks.append(_score_table(scored, own, lost, caption, "scores-own", "Each system by itself"))
    return Section("Scores", lead, tuple(blocks))


def _score_table(
    scored: Scored, rows: Sequence[Estimate], parts: Sequence[tuple[str, str]], caption: str, name: str, title: str
) -> TableBlock:
    known = {(row.model, row.metric, row.stratum): row for row in rows}
    lines: list[dict[str, Cell]] = []
    for metric, stratum in parts:
        cells: dict[str, Cell] = {"metric": metric, "part": _part(stratum)}
        found = [known[system, metric, stratum] for system in scored.systems]
        for number, row in enumerate(found):
            cells["direction"] = row.direction
            cells |= _interval(number, row)
        counts = dict.fromkeys(f"{row.n:,}" for row in found)
        cells["n"] = next(iter(counts)) if len(counts) == 1 else " / ".join(f"{row.n:,}" for row in found)
        lines.append(cells)
    columns = (
        Column("metric", "Metric", "code"),
        Column("part", "Part"),
        Column("direction", "Better"),
        *_system_columns(scored),
        Column("n", "Reports", help="that the values are of; one number a system where they differ"),
    )
    return TableBlock(columns, tuple(lines), caption, name, title)


def _part(stratum: str) -> str:
    return "whole" if stratum == "all" else f"{stratum} classes"


def _system_columns(scored: Scored) -> tuple[Column, ...]:
    return tuple(
        Column(f"value{number}", system, "number", 3, low=f"low{number}", high=f"high{number}")
        for number, system in enumerate(scored.systems)
    )


def _interval(number: int, row: Estimate) -> dict[str, Cell]:
    return {
        f"value{number}": _known(row.value),
        f"low{number}": _known(row.ci_low),
        f"high{number}": _known(row.ci_high),
    }


def _known(value: float) -> float | None:
    return value if value == value else None


def difference_section(
    scored: Scored, findings: Findings, frame: pl.DataFrame, parts: Sequence[tuple[str, str]]
) -> Section:
    """Paired differences of every two systems."""
    blocks: list[Block] = []
    systems = len(scored.systems)
    if systems * (systems - 1) // 2 <= _PAIRS_DRAWN:
        blocks.append(charts.score_differences(frame, parts))
    rows = [
        {
            "metric": row.metric,
            "part": _part(row.stratum),
            "first": row.model,
            "second": row.comparator.removeprefix("model:"),
            "value": _known(row.value),
            "low": _known(row.ci_low),
            "high": _known(row.ci_high),
            "above": _known(row.p_positive),
            "p": _known(row.p_value),
            "holm": _known(row.p_holm),
            "n": row.n,
        }
        for row in findings.estimates
        if row.comparator and (row.metric, row.stratum) in parts
    ]
    columns = (
        Column("metric", "Metric", "code"),
        Column("part", "Part"),
        Column("first", "First", "name"),
        Column("second", "Second", "name"),
        Column("value", "First minus second", "number", 3, low="low", high="high", resolve=True),
        Column("above", "P(> 0)", "number", 3, help="share of resamples in which the difference is above zero"),
        Column("p", "p", "p", help="two-sided, read off the resamples"),
        Column("holm", "p, Holm", "p", help="adjusted within the metric, over all pairs"),
        Column("n", "Reports", "integer", help="those on which both have a value"),
    )
    caption = "Paired differences on the same reports."
    blocks.append(TableBlock(columns, tuple(rows), caption, "differences", "Every pair of systems"))
    return Section("Differences", "Every two systems on the reports that both have a value for.", tuple(blocks))


def class_section(
    scored: Scored, findings: Findings, compared: pl.DataFrame, metric: str, classes: Sequence[str]
) -> Section:
    """F1 of every class, with how often it is stated."""
    known = {(row.model, row.stratum): row for row in findings.compared if row.metric == metric}
    totals = {system: _counts(scored, metric, system) for system in scored.systems}
    shared = int(scored.shared(metric).sum())
    rows = []
    for name in classes:
        cells: dict[str, Cell] = {"class": name, "stated": totals[scored.systems[0]][name][1]}
        for number, system in enumerate(scored.systems):
            cells |= _interval(number, known[system, name]) | {f"said{number}": totals[system][name][0]}
        rows.append(cells)
    columns = [Column("class", "Class"), Column("stated", "In references", "integer")]
    for number, system in enumerate(scored.systems):
        columns.append(Column(f"value{number}", f"{system}, F1", "number", 3, low=f"low{number}", high=f"high{number}"))
        columns.append(Column(f"said{number}", "stated", "integer", help=f"reports in which {system} states the class"))
    name = file_name(metric)
    lead = "A system that repeats one healthy report scores well by words and finds nothing: it shows here."
    if shared < len(scored.reports):
        lead += f" On the {shared:,} of {len(scored.reports):,} reports that every system has a value for."
    return Section(
        f"Findings by class: {metric}",
        lead,
        (
            charts.class_scores(compared, metric, classes, name=f"classes-{name}", title=f"F1 by class, {metric}"),
            TableBlock(
                tuple(columns), tuple(rows), "A dash: neither side states the class.", f"classes-{name}", "Classes"
            ),
        ),
    )


def _counts(scored: Scored, metric: str, system: str) -> dict[str, tuple[int, int]]:
    """Per class, on the reports that every system has a value for: how many of the system state it, and references."""
    table = scored.tables[metric][system]
    total = dict(zip(table.columns, table.statistics[scored.shared(metric)].sum(axis=0).tolist(), strict=True))
    names = [name.removeprefix("tp:") for name in table.columns if name.startswith("tp:")]
    return {
        name: (int(total[f"tp:{name}"] + total[f"fp:{name}"]), int(total[f"tp:{name}"] + total[f"fn:{name}"]))
        for name in names
    }
