"""The page of a reference audit: the answer first, then boxes, shifts, gaps, reversals, bands, style and trust."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from perimetry.protocols.common_page import file_name
from perimetry.protocols.references import tables
from perimetry.protocols.references.coverage import coverage_notes
from perimetry.protocols.references.examples import examples
from perimetry.protocols.references.findings import Findings, MetricFindings
from perimetry.protocols.references.profiles import REFERENCES
from perimetry.protocols.references.style import FEATURES
from perimetry.protocols.references.verdict import answers
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.protocols.score.band_section import band_section
from perimetry.reports import Block, Column, Reproduce, Section, Site, TableBlock, TextBlock
from perimetry.reports import Verdict as Card
from perimetry.reports.charts import reference_orders as order_charts
from perimetry.reports.charts import references as charts
from perimetry.reports.charts import select_estimates
from perimetry.runs.estimates import estimate_frame

__all__ = ["PageFacts", "page"]

_FEW_STUDIES = 100
_FEW_PAIRS = 8
_PAIRS_DRAWN = 24
"""Panels of a chart of gaps: fifty systems are 1,225 pairs, which nobody looks at and no browser draws."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the page says beyond estimates.

    Parameters
    ----------
    texts : bool
        Whether reports may be quoted.
    reproduce : Reproduce
    notes : tuple of str
    """

    texts: bool
    reproduce: Reproduce
    notes: tuple[str, ...] = ()


def page(findings: Findings, facts: PageFacts) -> Site:
    """Compose the page."""
    material = findings.material
    studies = sum(len(one.reports) for one in material.sets)
    return Site(
        title="Reference audit",
        subtitle=(
            f"{', '.join(one.name for one in material.sets)} ({studies:,} studies) · {len(material.systems)} systems · "
            f"{len(material.variations)} variations · {len(findings.metrics)} metrics"
        ),
        verdicts=tuple(Card(one.metric, one.verdict, one.reason, one.tone) for one in answers(findings)),
        sections=tuple(_sections(findings, facts)),
        reproduce=facts.reproduce,
        notes=(*_cautions(findings), *facts.notes),
        verdict_heading="Does the order of the systems hold when references say the same in other words?",
        asked=False,
        unit_note="Values are in each metric's own unit, with 95% intervals in brackets.",
    )


def _sections(findings: Findings, facts: PageFacts) -> Iterator[Section]:
    frame = estimate_frame(findings.estimates)
    several = len(findings.material.sets) > 1
    yield Section(
        "How far do scores move?",
        "The same content in another style, and nothing else. A metric that measures content alone would not move.",
        tuple(_moves(findings, frame, several)),
    )
    yield Section(
        "Does the order of the systems turn?",
        "Over all studies; a study without the alternative keeps its original score.",
        tuple(_turns(findings, frame, several)),
    )
    yield band_section([band for one in findings.metrics for band in one.bands])
    yield _trust(findings)
    yield _style(findings, frame)
    if facts.texts:
        lead = "For every variation, the reports whose scores move most."
        yield Section("Single reports", lead, (examples(findings),))
    else:
        told = f"Reports are not quoted: the data are {findings.material.data_use}. scores.parquet has every value."
        yield Section("Single reports", "", (TextBlock((told,)),))
    lead = "Alternatives are used where a verifier accepted them."
    yield Section("The alternatives", lead, (tables.coverage_table(findings),))
    missing = _missing(findings)
    if missing is not None:
        yield Section("What has no value", "Never counted as 0, 0.5 or 1.", (missing,))


def _moves(findings: Findings, frame: pl.DataFrame, several: bool) -> Iterator[Block]:
    boxes = list(tables.box_rows(findings))
    rows = {(row.metric, row.condition): row for row in findings.estimates}
    yield tables.spread_table(findings, rows)
    if boxes:
        yield charts.shift_boxes(boxes)
    for one in findings.material.sets:
        shifts = [
            row
            for metric in findings.metrics
            for row in select_estimates(frame, [metric.label])
            if row.comparator == ORIGINAL and row.dataset == one.name
        ]
        if any(row.value is not None for row in shifts):
            title = f"Shifts of each system on {one.name}" if several else "Shifts of each system"
            yield charts.model_shifts(shifts, name=f"model-shifts-{file_name(one.name)}", title=title)
    yield tables.shift_table(findings)


def _turns(findings: Findings, frame: pl.DataFrame, several: bool) -> Iterator[Block]:
    for one in findings.material.sets:
        rows = list(tables.reversal_rows(findings, one.name))
        if not rows:
            continue
        slug, where = file_name(one.name), f" on {one.name}" if several else ""
        yield order_charts.reversal_map(rows, name=f"reversals-map-{slug}", title=f"Reversals{where}")
        yield tables.pair_table(findings, one.name, where)
        ranks = [
            row
            for metric in findings.metrics
            for row in select_estimates(frame, [f"rank:{metric.label}"])
            if row.dataset == one.name
        ]
        yield order_charts.rank_paths(ranks, name=f"rank-paths-{slug}", title=f"Rank paths{where}")
        for metric in findings.metrics:
            gaps = [row for row in select_estimates(frame, [metric.label], comparisons=True) if row.dataset == one.name]
            shown, every = _telling(metric, one.name)
            gaps = [row for row in gaps if (row.model, row.comparator.removeprefix("model:")) in shown]
            if gaps:
                block = order_charts.pair_gaps(
                    gaps,
                    metric.label,
                    name=f"gaps-{file_name(metric.label)}-{slug}",
                    title=f"Gaps by {metric.label}{where}",
                )
                if len(shown) < every:
                    told = f" {len(shown)} of {every:,} pairs: those that turn, then the closest; pairs.csv has all."
                    block = replace(block, caption=block.caption + told)
                yield block
        yield tables.reversal_table(findings, one.name, where)


def _telling(metric: MetricFindings, dataset: str) -> tuple[set[tuple[str, str]], int]:
    """Pairs that are drawn (those that turn, then the closest under the originals), and how many there are."""
    weights: dict[tuple[str, str], tuple[int, float]] = {}
    for order in metric.orders:
        if order.dataset != dataset:
            continue
        for pair in order.pairs:
            key = (pair.after.left, pair.after.right)
            turns = weights.get(key, (0, 0.0))[0] - (pair.change != "kept" or pair.turned)
            weights[key] = (turns, abs(pair.before.gap.value))
    first = sorted(weights, key=lambda key: weights[key])[:_PAIRS_DRAWN]
    return set(first), len(weights)


def _trust(findings: Findings) -> Section:
    title = "Which metric to trust here?"
    rows = list(tables.trust_rows(findings))
    if not rows:
        told = (
            "Nothing to hold against each other: no reference has both another wording and a planted error. Errors are "
            "planted by rules unless --no-plant is given; --corrupted FILE (id, kind, text) brings others."
        )
        return Section(title, "", (TextBlock((told,)),))
    lead = "A good metric takes much off for an error and little for another wording of the same."
    if findings.planted is not None and findings.planted.by_rules:
        lead += (
            " The errors were planted by rules of this project, one of a kind in every reference that has a place for "
            "it; f1_rules knows much the same words, which may flatter it. Judges are asked about planted errors only "
            "where --corrupted brings them."
        )
    kinds = _losses(findings)
    return Section(title, lead, (charts.trust_chart(rows), tables.trust_table(findings), kinds))


def _losses(findings: Findings) -> TableBlock:
    rows = [
        {
            "metric": one.label,
            "role": "error" if row.metric.startswith("error") else "style",
            "condition": row.condition,
            "dataset": row.dataset,
            "value": row.value if row.value == row.value else None,
            "low": row.ci_low if row.ci_low == row.ci_low else None,
            "high": row.ci_high if row.ci_high == row.ci_high else None,
            "n": row.n,
        }
        for one in findings.metrics
        for name in ("error_loss", "style_loss")
        for row in findings.rows(f"{name}:{one.label}")
    ]
    columns = (
        Column("dataset", "Data set", "name"),
        Column("metric", "Metric", "code"),
        Column("role", "What"),
        Column("condition", "Kind", "code"),
        Column("value", "Taken off", "number", 4, low="low", high="high", resolve=True),
        Column("n", "Reports", "integer"),
    )
    caption = "Of a report that would otherwise be its reference."
    return TableBlock(columns, tuple(rows), caption, "losses", "By kind of error and variation")


def _style(findings: Findings, frame: pl.DataFrame) -> Section:
    blocks: list[Block] = []
    names = [f"style:{feature.name}" for feature in FEATURES]
    several = len(findings.material.sets) > 1
    for one in findings.material.sets:
        rows = [
            row
            for row in select_estimates(frame, names)
            if row.dataset == one.name and (row.model == REFERENCES or row.value is not None)
        ]
        title = f"Style profiles on {one.name}" if several else "Style profiles"
        meanings = {feature.name: feature.meaning for feature in FEATURES}
        blocks.append(charts.style_profiles(rows, meanings, name=f"style-{file_name(one.name)}", title=title))
    links = [
        {
            "metric": metric.label,
            "dataset": row.dataset,
            "condition": row.condition,
            "feature": row.stratum,
            "value": row.value if row.value == row.value else None,
            "low": row.ci_low if row.ci_low == row.ci_low else None,
            "high": row.ci_high if row.ci_high == row.ci_high else None,
            "n": row.n,
        }
        for metric in findings.metrics
        for row in findings.rows(f"style_link:{metric.label}")
        if row.value == row.value
    ]
    links.sort(key=lambda row: -abs(float(row["value"] or 0.0)))
    columns = (
        Column("dataset", "Data set", "name"),
        Column("metric", "Metric", "code"),
        Column("condition", "Variation", "code"),
        Column("feature", "Side of style"),
        Column("value", "Correlation", "number", 2, low="low", high="high", resolve=True),
        Column("n", "Studies", "integer"),
    )
    caption = (
        "Correlation over single reports of a score's shift with how much nearer the reference came to the report in "
        "this side of style. It shows which systems gain and why: those that write so already. The strongest first."
    )
    blocks.append(TableBlock(columns, tuple(links), caption, "style-links", "Who gains, and why"))
    return Section(
        "Style", "Read by rules from every text; see docs/references.md for what each counts.", tuple(blocks)
    )


def _missing(findings: Findings) -> TableBlock | None:
    rows = [
        {"metric": one.label, "system": system, "condition": condition, "reason": reason, "count": count}
        for one in findings.metrics
        for system, condition, reason, count in one.missing
    ]
    if not rows:
        return None
    columns = (
        Column("system", "System", "name"),
        Column("metric", "Metric", "code"),
        Column("condition", "References", "code"),
        Column("reason", "Why"),
        Column("count", "Reports", "integer"),
    )
    return TableBlock(columns, tuple(rows), "Values that could not be computed.", "missing", "Missing values")


def _cautions(findings: Findings) -> Iterator[str]:
    material = findings.material
    for one in material.sets:
        for why, count in one.left_out.items():
            yield f"{one.name}: {count:,} {'study is' if count == 1 else 'studies are'} left out ({why})."
        if len(one.reports) < _FEW_STUDIES:
            yield f"{one.name} has only {len(one.reports):,} studies: intervals are wide."
        for system, count in one.reports.silent.items():
            if count:
                yield f"{system} says nothing in {count:,} reports of {one.name}: they have the worst value."
        unmet = one.alternatives.unmet(one.reports.ids)
        if unmet:
            yield f"{one.name}: {unmet}"
    yield from (told for told, _ in coverage_notes(material))
    pairs = sum(len(one.reports.systems) for one in material.sets)
    if pairs < _FEW_PAIRS:
        yield f"Percentiles and interquartile ranges are over {pairs} pairs of system and data set: a rough picture."
    if material.untouched:
        named = ", ".join(charts.condition_name(each) for each in material.untouched)
        yield f"Tried, and no study has an accepted alternative: {named}."
    for metric in findings.metrics:
        left = sum(metric.left.values())
        if left:
            noun = "study is" if left == 1 else "studies are"
            yield f"{metric.label}: {left:,} {noun} not ranked on, because a value is missing."
    if findings.planted is not None and findings.planted.unknown:
        yield f"{findings.planted.unknown:,} corrupted references are of studies outside this audit and not used."
