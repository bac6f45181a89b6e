"""The page of scored reports: the answer first, then places, scores, differences, classes, and reports side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from perimetry.protocols.score.band_section import band_section
from perimetry.protocols.score.bands import Band
from perimetry.protocols.score.estimates import Findings
from perimetry.protocols.score.passages import PassageReader, passages
from perimetry.protocols.score.ranking import rank_frame
from perimetry.protocols.score.scored import Scored, belongs
from perimetry.protocols.score.tables import class_names, class_section, difference_section, main_parts, score_section
from perimetry.protocols.score.verdict import Answer, answers, contradictions, reading
from perimetry.reports import Block, Column, Reproduce, Section, Site, TableBlock, TextBlock
from perimetry.reports import Verdict as Card
from perimetry.reports.blocks import Cell
from perimetry.reports.charts import scores as charts
from perimetry.runs.estimates import estimate_frame
from perimetry.statistics import excludes_zero

__all__ = ["PageFacts", "page"]

_FEW_REPORTS = 100
_FEW_TEXTS = 0.2
_MANY_MISSING = 0.05


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the page says beyond scores.

    Parameters
    ----------
    texts : bool
        Whether reports may be quoted.
    data_use : str
        As it was given; empty if it was not.
    reproduce : Reproduce
    reader : PassageReader or None
        Reads labels and spans from a report.
    notes : tuple of str
        Further cautions.
    bands : tuple of Band
        Scores against several references, if there are any.
    """

    texts: bool
    data_use: str
    reproduce: Reproduce
    reader: PassageReader | None
    notes: tuple[str, ...] = ()
    bands: tuple[Band, ...] = ()


def page(scored: Scored, findings: Findings, facts: PageFacts) -> Site:
    """Compose the page.

    Parameters
    ----------
    scored : Scored
    findings : Findings
    facts : PageFacts
    """
    reports = scored.reports
    systems = len(scored.systems)
    groups = len(set(reports.groups))
    shared = f" in {groups:,} groups" if groups < len(reports) else ""
    return Site(
        title="Report metrics",
        subtitle=(
            f"{reports.name} ({len(reports):,} reports{shared}) · {systems} system{'s' if systems != 1 else ''} · "
            f"{len(scored.metrics)} metric{'s' if len(scored.metrics) != 1 else ''}"
        ),
        verdicts=tuple(_card(answer) for answer in answers(scored, findings)),
        sections=tuple(_sections(scored, findings, facts)),
        reproduce=facts.reproduce,
        notes=(*_cautions(scored, findings), *facts.notes),
        verdict_heading="Which system is best, and do the metrics agree?" if systems > 1 else "How does it score?",
        asked=False,
        unit_note="Values are in each metric's own unit, with 95% intervals in brackets.",
    )


def _card(answer: Answer) -> Card:
    return Card(answer.metric, answer.verdict, answer.reason, answer.tone)


def _sections(scored: Scored, findings: Findings, facts: PageFacts) -> Iterator[Section]:
    frame = estimate_frame(findings.estimates)
    compared = estimate_frame(findings.compared)
    ranks = rank_frame(findings.rankings).to_dicts()
    parts = main_parts(findings)
    if findings.rankings:
        yield _agreement(scored, findings, ranks)
    yield score_section(scored, findings, compared, parts)
    if len(scored.systems) > 1:
        yield difference_section(scored, findings, frame, parts)
    for named in scored.metrics:
        classes = class_names(findings, named.label)
        if classes:
            yield class_section(scored, findings, compared, named.label, classes)
    if facts.bands:
        yield band_section(facts.bands)
    yield Section(
        "Single reports",
        "How the values of single reports spread, each system's on the reports that it has one for. scores.parquet and "
        "scores.csv have every one of them.",
        (charts.score_distributions(scored.frame(), [named.label for named in scored.metrics]),),
    )
    yield _side_by_side(scored, facts)
    missing = scored.missing()
    if missing.height:
        yield Section("What has no value", "Never counted as 0, 0.5 or 1.", (_missing_table(missing),))
    yield Section(
        "The metrics", "A value can be compared with another one of the same signature only.", (_metrics(scored),)
    )


def _agreement(scored: Scored, findings: Findings, ranks: Sequence[Mapping[str, Cell]]) -> Section:
    blocks: list[Block] = []
    told = [
        f"{one.sentence}. Its F1 on the abnormal classes by {one.labels}: {reading(one.f1)}."
        for one in contradictions(scored, findings)
    ]
    if told:
        blocks.append(TextBlock(tuple(told), "caution", "Praised for its words, blind to findings"))
    if len(findings.rankings) > 1:
        blocks.append(charts.place_chart(ranks))
    blocks.append(charts.place_shares_chart(ranks))
    lead = "Places of the systems by each metric, and how often a resample of the reports gives another order."
    return Section("Do the metrics agree?", lead, tuple(blocks))


def _side_by_side(scored: Scored, facts: PageFacts) -> Section:
    title = "Reports that differ most"
    if not facts.texts:
        told = f"Reports are not quoted: the data are {facts.data_use}. scores.parquet has the values of every report."
        return Section(title, "", (TextBlock((told,)),))
    return Section(
        title,
        "Beside the reference: first those on which the systems differ most, then those on which the metrics do.",
        (passages(scored, facts.reader),),
    )


def _missing_table(missing: pl.DataFrame) -> TableBlock:
    columns = (
        Column("system", "System", "name"),
        Column("metric", "Metric", "code"),
        Column("reason", "Why"),
        Column("count", "Reports", "integer"),
        Column(
            "counted_in_sets",
            "In sets all the same",
            "flag",
            help="has no value alone, but its counts are in every set",
        ),
    )
    caption = "Values that could not be computed. They leave every estimate that needs them, unless marked."
    return TableBlock(columns, tuple(missing.to_dicts()), caption, "missing", "Missing values")


def _metrics(scored: Scored) -> TableBlock:
    rows = [
        {
            "metric": named.label,
            "meaning": named.info.meaning,
            "direction": named.info.direction,
            "range": f"{named.info.low:g} to {named.info.high:g}",
            "signature": named.info.signature,
            "citation": named.info.citation,
        }
        for named in scored.metrics
    ]
    columns = (
        Column("metric", "Metric", "code"),
        Column("meaning", "What it is"),
        Column("direction", "Better"),
        Column("range", "Range"),
        Column("signature", "Signature", "code"),
        Column("citation", "Source"),
    )
    return TableBlock(columns, tuple(rows), "docs/metrics.md says when not to use one.", "metrics", "Metrics")


def _cautions(scored: Scored, findings: Findings) -> Iterator[str]:
    """What a reader has to know before believing a ranking."""
    reports = scored.reports
    wanted = len(set(reports.references))
    for system, count in reports.silent.items():
        if count:
            yield f"{system} says nothing in {count:,} of {len(reports):,} reports: they have the worst value."
    for system, texts in reports.systems.items():
        distinct = len(set(texts))
        if distinct == 1 and len(texts) > 1:
            yield f"{system} gives one and the same report for all {len(texts):,} cases."
        elif distinct < _FEW_TEXTS * wanted:
            yield f"{system} has {distinct:,} distinct reports for {len(texts):,} cases (references: {wanted:,})."
    for named in scored.metrics:
        tables = scored.tables[named.label]
        lost = {system: int((~belongs(table)).sum()) for system, table in tables.items()}
        many = [f"{count:,} of {system}" for system, count in lost.items() if count > _MANY_MISSING * len(reports)]
        if many:
            yield f"{named.label} has no value for some of the {len(reports):,} reports: {', '.join(many)}."
        for system, table in tables.items():
            noted = sum(bool(note) for note in table.notes)
            if noted:
                first = next(note for note in table.notes if note)
                yield f"{named.label}, {system}: {noted:,} values carry a note, for example: {first}."
    if len(reports) < _FEW_REPORTS:
        yield f"There are only {len(reports):,} reports: intervals are wide."
    turned = [
        row
        for row in findings.estimates
        if row.comparator
        and row.stratum == "all"
        and row.direction == "lower"
        and excludes_zero(row.ci_low, row.ci_high)
    ]
    if turned:
        names = ", ".join(dict.fromkeys(row.metric for row in turned))
        yield f"Lower is better for {names}: a positive difference is a loss."
