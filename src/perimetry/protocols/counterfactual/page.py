"""The report page of the counterfactual audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import failure_rows, reproduction, subtitle
from perimetry.protocols.counterfactual.cases import browser
from perimetry.protocols.counterfactual.estimates import LENIENT
from perimetry.protocols.counterfactual.verdict import Verdict, judge
from perimetry.reports import Block, Column, Figure, Section, Site, TableBlock, TextBlock
from perimetry.reports import Verdict as Card
from perimetry.reports.blocks import Cell
from perimetry.reports.charts import counterfactual as charts
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder

__all__ = ["page"]

_TONES: Mapping[str, str] = {
    "uses the image": "good",
    "marginal use": "partial",
    "does not use the image": "bad",
    "worse with the image": "bad",
    "mixed": "mixed",
}

_METRICS = ("vrs", "bd", "hn_gap", "is_pred", "is_excess", "retest_agreement", "vbr", "vhr")


def page(folder: RunFolder, store: RequestStore, analysis: Analysis, estimates: Sequence[Estimate]) -> Site:
    """Compose the page: verdicts, charts, tables, cases, failures, how to reproduce.

    Parameters
    ----------
    folder : RunFolder
    store : RequestStore
    analysis : Analysis
    estimates : sequence of Estimate
    """
    verdicts = judge(analysis.models, estimates)
    frame = estimate_frame(estimates)
    return Site(
        title="Counterfactual audit",
        subtitle=subtitle(analysis),
        verdicts=tuple(_card(verdict, estimates) for verdict in verdicts.values()),
        sections=tuple(_sections(analysis, frame, estimates)),
        browser=browser(store, analysis),
        failures=failure_rows(analysis),
        reproduce=reproduction(folder, analysis),
        notes=tuple(_cautions(analysis, estimates)),
    )


def _card(verdict: Verdict, estimates: Sequence[Estimate]) -> Card:
    row = _row(estimates, verdict.model, "vrs")
    figure = None
    if row is not None and row.value == row.value:
        figure = Figure("Visual reliance (vrs)", row.value, row.ci_low, row.ci_high)
    tone = _TONES.get(verdict.verdict, "open")
    return Card(verdict.model, verdict.verdict, verdict.reason, tone, figure)  # type: ignore[arg-type]


def _row(estimates: Sequence[Estimate], model: str, metric: str, stratum: str = "all") -> Estimate | None:
    for row in estimates:
        named = (row.model, row.metric, row.dataset, row.stratum)
        if named == (model, metric, "macro", stratum) and not row.comparator.startswith("model:"):
            return row
    return None


def _sections(analysis: Analysis, frame: pl.DataFrame, estimates: Sequence[Estimate]) -> Iterator[Section]:
    yield Section(
        "Accuracy under each change",
        "A model that reads the image loses accuracy when the image is taken away, scrambled or swapped.",
        (charts.accuracy_by_condition(frame),),
    )
    measured = {row.metric for row in estimates if row.value == row.value}
    blocks: list[Block] = []
    wanted = [metric for metric in ("vrs", "bd", "hn_gap", "is_excess") if metric in measured]
    if wanted:
        blocks.append(charts.metric_forest(frame, wanted))
    if "retest_agreement" in measured and "is_pred" in measured:
        blocks.append(charts.noise_floor(frame))
    if "bd" in measured:
        blocks.append(charts.blank_drop_radar(frame))
    blocks.append(_metric_table(analysis, estimates))
    yield Section(
        "Grounding metrics",
        "Differences in percentage points, with 95% intervals of a paired bootstrap over groups. The noise floor shows "
        "how often a plain repeat already gives the same answer.",
        tuple(blocks),
    )
    if len(analysis.models) > 1:
        yield _comparison(analysis, frame)
    if analysis.preparation.neighbours is not None:
        yield _pool(analysis)
    overlap = analysis.overlap
    if overlap is not None:
        yield Section(
            "Training and evaluation share images",
            "Baselines were fitted on the training split: an evaluation image that also stands there may be learned.",
            (_overlap_table(overlap),),
        )
    yield _parser(analysis, estimates)
    yield _funnel(analysis)


def _metric_table(analysis: Analysis, estimates: Sequence[Estimate]) -> TableBlock:
    rows = []
    for row in estimates:
        if row.stratum != "all" or row.comparator.startswith("model:") or not row.model:
            continue
        rows.append(
            {
                "model": row.model,
                "dataset": row.dataset,
                "metric": row.metric,
                "condition": row.condition,
                "value": _known(row.value),
                "ci_low": _known(row.ci_low),
                "ci_high": _known(row.ci_high),
                "n": row.n,
                "groups": row.groups,
                "missing": row.missing,
                "p_value": _known(row.p_value),
                "p_holm": _known(row.p_holm),
            }
        )
    columns: tuple[Column, ...] = (
        Column("model", "Model", "code"),
        Column("dataset", "Data set"),
        Column("metric", "Metric", "code"),
        Column("condition", "Condition", "code"),
        Column("value", "Value, %", "share", low="ci_low", high="ci_high"),
        Column("n", "Items", "integer"),
        Column("groups", "Groups", "integer"),
        Column("missing", "Missing", "integer", help="items left out because a request failed"),
        Column("p_value", "p", "p", help="exact McNemar"),
        Column("p_holm", "p (Holm)", "p"),
    )
    several = len({dataset for dataset, _ in analysis.preparation.plan.keys}) > 1
    kept = [row for row in rows if several or row["dataset"] == "macro"]
    if not several:
        columns = tuple(column for column in columns if column.key != "dataset")
    return TableBlock(
        columns, tuple(kept), "Every estimate of this audit; estimates.csv has more.", "metrics", "All metrics"
    )


def _known(value: float) -> float | None:
    return value if value == value else None


def _comparison(analysis: Analysis, frame: pl.DataFrame) -> Section:
    first, *others = analysis.models
    blocks: list[Block] = []
    for number, model in enumerate(others):
        rows = frame.filter((pl.col("model") == model) & pl.col("value").is_not_null())
        if rows.filter(pl.col("comparator") == f"model:{first}").height:
            blocks.append(charts.model_comparison(frame, model, first, name=f"comparison-{number + 1}"))
    return Section(
        f"Each model against {first}",
        f"Paired differences on the same items: model minus {first}. `perimetry compare` takes any other pair.",
        tuple(blocks) or (TextBlock(("No two models have items in common.",)),),
    )


def _pool(analysis: Analysis) -> Section:
    assert analysis.preparation.neighbours is not None
    index = analysis.preparation.neighbours
    rows = []
    for row in index.pool_table().iter_rows(named=True):
        pairs = row["pairs"]
        known = row.get("gold_known")
        rows.append(
            {**row, "dataset": row["condition"], "gold_known": None if not pairs or known is None else known / pairs}
        )
    return Section(
        "Where the other images come from",
        f"Nearest neighbours by the embedder {index.embedder}, among {index.sets:,} distinct images "
        f"of {index.cases:,} cases.",
        (charts.hard_negative_pool(rows),),
    )


def _overlap_table(overlap: pl.DataFrame) -> TableBlock:
    columns = (
        Column("dataset", "Data set"),
        Column("overlap", "Evaluation images that"),
        Column("images", "Images", "integer"),
        Column("image_share", "Share, %", "share"),
        Column("questions", "Questions", "integer"),
        Column("question_share", "Share, %", "share"),
    )
    words = {"same": "also occur in training", "twin": "have a near twin in training", "none": "are new"}
    rows = [{**row, "overlap": words.get(row["overlap"], row["overlap"])} for row in overlap.iter_rows(named=True)]
    return TableBlock(columns, tuple(rows), "Same file, or cosine of at least 0.999.", "overlap", "Overlap")


def _parser(analysis: Analysis, estimates: Sequence[Estimate]) -> Section:
    rows = []
    for model in analysis.models:
        for metric, condition in (
            ("accuracy", "real"),
            ("unparsed", "real"),
            ("vrs", "shuffle"),
            ("is_excess", "shuffle"),
        ):
            pair: dict[str, Cell] = {"model": model, "metric": metric}
            for stratum, key in (("all", "strict"), (LENIENT, "lenient")):
                for row in estimates:
                    place = (row.model, row.metric, row.condition, row.dataset, row.stratum)
                    if place == (model, metric, condition, "macro", stratum) and not row.comparator.startswith(
                        "model:"
                    ):
                        pair |= {
                            key: _known(row.value),
                            f"{key}_low": _known(row.ci_low),
                            f"{key}_high": _known(row.ci_high),
                        }
            if len(pair) > 2:
                rows.append(pair)
    columns = (
        Column("model", "Model", "code"),
        Column("metric", "Metric", "code"),
        Column("strict", "Strict rules, %", "share", low="strict_low", high="strict_high"),
        Column("lenient", "Lenient rules, %", "share", low="lenient_low", high="lenient_high"),
    )
    return Section(
        "Does the way answers are read matter?",
        "An answer that no rule can read counts as wrong. Lenient rules read more of them, at a higher risk of error.",
        (TableBlock(columns, tuple(rows), "The same responses under both sets of answer rules.", "parser"),),
    )


def _funnel(analysis: Analysis) -> Section:
    rows: list[dict[str, Cell]] = []
    for case_set in analysis.preparation.case_sets:
        funnel = case_set.funnel
        rows.append({"dataset": case_set.name, "step": "records read", "count": funnel.entered, "examples": ""})
        rows += [
            {
                "dataset": case_set.name,
                "step": f"left out: {step.reason}",
                "count": step.removed,
                "examples": ", ".join(step.examples),
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


def _cautions(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[str]:
    """What a reader has to know before believing the verdicts."""
    for model in analysis.models:
        row = _row(estimates, model, "accuracy")
        unparsed = [e for e in estimates if (e.model, e.metric, e.condition) == (model, "unparsed", "real")]
        macro = [e for e in unparsed if e.dataset == "macro" and e.stratum == "all" and not e.comparator]
        if macro and macro[0].value == macro[0].value and macro[0].value > 0.05:
            share = f"{100 * macro[0].value:.0f}%"
            yield f"{model}: no answer could be read from {share} of its responses; they count as wrong."
        if row is not None and row.missing:
            yield f"{model}: {row.missing:,} items have no response under real; they leave every comparison."
    sizes = [len(case_set.cases) for case_set in analysis.preparation.case_sets]
    if min(sizes, default=0) < 100:
        yield "A data set of this run has fewer than 100 items: intervals are wide."
