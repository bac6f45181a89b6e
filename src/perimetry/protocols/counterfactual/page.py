"""The report page of the counterfactual audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import failure_rows, file_name, funnel, reproduction, subtitle
from perimetry.protocols.counterfactual.cases import browser
from perimetry.protocols.counterfactual.estimates import LENIENT
from perimetry.protocols.counterfactual.verdict import Verdict, judge
from perimetry.reports import Block, Column, Figure, Section, Site, TableBlock, TextBlock
from perimetry.reports import Verdict as Card
from perimetry.reports.blocks import Cell
from perimetry.reports.charts import counterfactual as charts
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder
from perimetry.scoring import COUNTERFACTUAL

__all__ = ["page"]

_TONES: Mapping[str, str] = {
    "uses the image": "good",
    "marginal use": "partial",
    "does not use the image": "bad",
    "worse with the image": "bad",
    "mixed": "mixed",
}


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
    blocks += _metric_tables(analysis, estimates)
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
    yield from _parser(analysis, estimates)
    yield funnel(analysis)


def _metric_tables(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[TableBlock]:
    """One table a data set: a row for each metric and condition, a column for each model."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in analysis.preparation.plan.keys))
    for dataset in ["macro", *datasets] if len(datasets) > 1 else datasets:
        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for row in estimates:
            if row.dataset != dataset or row.stratum != "all" or not row.model or row.comparator.startswith("model:"):
                continue
            cells = rows.setdefault((row.metric, row.condition), {"metric": row.metric, "condition": row.condition})
            number = analysis.models.index(row.model)
            cells |= {
                f"value{number}": _known(row.value),
                f"low{number}": _known(row.ci_low),
                f"high{number}": _known(row.ci_high),
                "n": min(row.n, int(cells.get("n") or row.n)),
            }
        order = list(COUNTERFACTUAL)
        kept = [rows[key] for key in sorted(rows, key=lambda key: order.index(key[0])) if _says_something(rows[key])]
        columns = (
            Column("metric", "Metric", "code"),
            Column("condition", "Condition", "code"),
            *(
                Column(f"value{number}", model, "share", low=f"low{number}", high=f"high{number}")
                for number, model in enumerate(analysis.models)
            ),
            Column("n", "Items", "integer", help="fewest over the models"),
        )
        title = "Mean over data sets" if dataset == "macro" else f"All metrics on {dataset}"
        caption = (
            "Percent and percentage points with 95% intervals; estimates.csv has p values, groups and missing items."
        )
        yield TableBlock(columns, tuple(kept), caption, f"metrics-{file_name(dataset)}", title)


def _says_something(cells: Mapping[str, Cell]) -> bool:
    """Whether a row is worth its place: shares of unread answers are shown only where there are some."""
    if cells["metric"] != "unparsed":
        return True
    return any(value for key, value in cells.items() if key.startswith("value"))


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
        f"Paired differences on the same items: model minus {first}. perimetry compare takes any other pair.",
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


def _parser(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[Section]:
    """Strict beside lenient rules; nothing where no number of this run hangs on them."""
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
            if pair.get("strict") is not None or pair.get("lenient") is not None:
                rows.append(pair)
    columns = (
        Column("model", "Model", "code"),
        Column("metric", "Metric", "code"),
        Column("strict", "Strict rules, %", "share", low="strict_low", high="strict_high"),
        Column("lenient", "Lenient rules, %", "share", low="lenient_low", high="lenient_high"),
    )
    if not rows:
        return
    yield Section(
        "Does the way answers are read matter?",
        "An answer that no rule can read counts as wrong. Lenient rules read more of them, at a higher risk of error.",
        (TableBlock(columns, tuple(rows), "The same responses under both sets of answer rules.", "parser"),),
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
