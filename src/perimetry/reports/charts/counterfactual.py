"""Charts of the counterfactual audit (CORAL: Figure 2, Tables 1, 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perimetry.reports.blocks import ChartBlock, Column, TableBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.radar import FEWEST_SPOKES, Spoke, radar_chart
from perimetry.reports.charts.rows import alt_text, found, panel_names, within, without_lone_average
from perimetry.reports.charts.selection import AVERAGES, Estimate, main_dataset, ordered, select_estimates
from perimetry.reports.charts.theme import short_names

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CONDITION_ORDER",
    "METRIC_LABELS",
    "accuracy_by_condition",
    "blank_drop_radar",
    "hard_negative_pool",
    "metric_forest",
    "model_comparison",
    "noise_floor",
]

CONDITION_ORDER = ("real", "retest", "hardneg", "mismatch", "blank", "shuffle", "noimage")
"""From the case as it is to the case without its image."""

METRIC_LABELS: Mapping[str, str] = {
    "accuracy": "accuracy",
    "vrs": "visual reliance (vrs)",
    "bd": "blank drop (bd)",
    "hn_gap": "hard-negative gap (hn_gap)",
    "is_pred": "same answer, shuffled (is_pred)",
    "is_raw": "same raw text, shuffled (is_raw)",
    "is_excess": "answers changed (is_excess)",
    "flip_excess": "answers changed (flip_excess)",
    "retest_agreement": "same answer, asked again",
    "vbr": "image helps (vbr)",
    "vhr": "image harms (vhr)",
    "nvcr": "new visual claims (nvcr)",
    "hvrr": "claims without the image (hvrr)",
    "rcr": "rationale changed (rcr)",
}
ARROWS = {"higher": " ↑", "lower": " ↓"}
FOREST = ("vrs", "bd", "hn_gap", "is_excess")
DIFFERENCES = frozenset({"vrs", "bd", "hn_gap", "is_excess", "flip_excess"})
COMPARED = ("accuracy", "vrs", "bd", "hn_gap", "is_pred", "is_excess", "vbr", "vhr")


def accuracy_by_condition(
    estimates: pl.DataFrame,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    name: str = "accuracy-by-condition",
) -> ChartBlock:
    """Accuracy under every condition: one panel a data set, one row a model, one mark a condition.

    Rows ``metric = "accuracy"`` give the marks; ``majority`` and ``chance``, where the table has them, dashed lines.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table.
    models, datasets : iterable of str or None
        Keep only these.
    name : str
        File name.

    Raises
    ------
    DataError
        When no row is left.
    """
    rows = within(select_estimates(estimates, ["accuracy"], models=models), datasets)
    rows = without_lone_average(rows)
    found(rows, "accuracy")
    short = short_names(ordered(row.model for row in rows))
    panels = panel_names(rows)
    marks = [Mark(short[row.model], row, row.condition or "real", row.dataset) for row in rows]
    lines: dict[tuple[str, str], Estimate] = {}
    for row in select_estimates(estimates, ["majority", "chance"]):
        if row.dataset in panels and row.value is not None:
            lines.setdefault((row.dataset, row.metric), row)
    marks += [Mark("", row, row.metric, row.dataset, "reference") for row in lines.values()]
    conditions = ordered((row.condition or "real" for row in rows), first=CONDITION_ORDER)
    chart = interval_chart(
        marks,
        rows=list(short.values()),
        series=conditions,
        panels=panels,
        axis="accuracy, percent",
        columns=2 if len(panels) < 5 else 3,
    )
    kinds = ordered(metric for _, metric in lines)
    caption = (
        "Accuracy under each condition, with 95% intervals. A model that uses the image loses accuracy without it."
    )
    if kinds:
        caption += f" Dashed lines: {' and '.join(kinds)}."
    return ChartBlock(chart, caption, name, alt_text("Accuracy by condition", rows, False), "Accuracy by condition")


def metric_forest(
    estimates: pl.DataFrame,
    metrics: Sequence[str] = FOREST,
    *,
    models: Iterable[str] | None = None,
    dataset: str | None = None,
    labels: Mapping[str, str] = METRIC_LABELS,
    name: str = "metrics",
    title: str = "Metrics with intervals",
) -> ChartBlock:
    """Forest plot: one panel a metric, one row a model.

    The dot with interval is the macro-mean over data sets, or the only data set there is; ticks are the single data
    sets. With several data sets and no macro-mean each data set has a row.

    Parameters
    ----------
    estimates : polars.DataFrame
    metrics : sequence of str
        Those of which the table has no row are left out.
    models : iterable of str or None
    dataset : str or None
        Whose value the dot is, when not the macro-mean.
    labels : mapping of str to str
        Panel titles; a metric's own name where it has none.
    name, title : str
    """
    rows = without_lone_average(within(select_estimates(estimates, metrics, models=models)))
    found(rows, ", ".join(metrics))
    main = dataset or main_dataset(rows)
    short = short_names(ordered(row.model for row in rows))
    panels: dict[str, str] = {}
    marks, order = [], list(short.values())
    for row in sorted(rows, key=lambda row: metrics.index(row.metric)):
        suffix = f" · {row.condition}" if row.metric == "flip_excess" and row.condition else ""
        panel = f"{labels.get(row.metric, row.metric)}{suffix}{ARROWS.get(row.direction, '')}"
        panels.setdefault(panel, row.metric)
        if main is None:
            line = f"{short[row.model]} · {row.dataset}"
            order = ordered([*(item for item in order if item not in short.values()), line])
            marks.append(Mark(line, row, panel=panel))
        else:
            marks.append(Mark(short[row.model], row, panel=panel, role="main" if row.dataset == main else "minor"))
    differences = all(row.metric in DIFFERENCES for row in rows)
    chart = interval_chart(
        marks,
        rows=order,
        panels=list(panels),
        axis="points" if differences else "percent",
        signed=differences,
        zero_line=differences,
        show_resolved=differences,
        independent=len(panels) > 1,
        columns=2 if len(panels) in (2, 4) else 3,
    )
    caption = f"Dots: {'each data set' if main is None else 'mean over data sets' if main == 'macro' else main}"
    caption += ", with 95% intervals."
    if any(mark.role == "minor" for mark in marks):
        caption += " Ticks: single data sets."
    if differences:
        caption += " Filled: the interval excludes zero. Hollow: it does not."
    return ChartBlock(
        chart, caption, name, alt_text(title, [m.estimate for m in marks if m.role == "main"], differences), title
    )


def blank_drop_radar(
    estimates: pl.DataFrame,
    *,
    metric: str = "bd",
    models: Iterable[str] | None = None,
    name: str = "blank-drop",
    title: str = "Blank drop by data set",
) -> ChartBlock:
    """Radar of the blank drop over data sets (CORAL, Figure 2); dots with intervals when there are fewer than three.

    Parameters
    ----------
    estimates : polars.DataFrame
    metric : str, default "bd"
        Any difference in points.
    models : iterable of str or None
    name, title : str
    """
    rows = [row for row in select_estimates(estimates, [metric], models=models) if row.dataset not in AVERAGES]
    found(rows, metric)
    datasets = ordered(row.dataset for row in rows if row.value is not None)
    alt = alt_text(title, rows, True)
    what = (
        "Accuracy on real images minus accuracy on blank ones, in points."
        if metric == "bd"
        else f"{metric}, in points."
    )
    if len(datasets) < FEWEST_SPOKES:
        short = short_names(ordered(row.model for row in rows))
        marks = [Mark(short[row.model], row, panel=row.dataset) for row in rows]
        chart = interval_chart(
            marks, rows=list(short.values()), axis="points", signed=True, zero_line=True, show_resolved=True
        )
        have = "1 data set" if len(datasets) == 1 else f"{len(datasets)} data sets"
        caption = (
            f"{what} Drawn as dots with 95% intervals, not as a radar: {have}, and a radar needs at least "
            f"{FEWEST_SPOKES}. Filled: the interval excludes zero."
        )
        return ChartBlock(chart, caption, name, alt, title)
    radar = radar_chart([Spoke(row.dataset, row.model, row) for row in rows if row.dataset in datasets], order=datasets)
    caption = (
        f"{what} Dashed: zero. Outside it, taking the image away costs accuracy; inside, it helps. "
        "Filled points: the 95% interval excludes zero. Hollow: it does not. Point at one for its interval."
    )
    return ChartBlock(radar, caption, name, alt, title)


def model_comparison(
    estimates: pl.DataFrame,
    first: str,
    second: str,
    metrics: Sequence[str] = COMPARED,
    *,
    labels: Mapping[str, str] = METRIC_LABELS,
    name: str = "comparison",
) -> ChartBlock:
    """Forest plot of two models on the same items: first minus second (CORAL, Table 4).

    Takes rows with ``comparator = "model:SECOND"`` whose ``model`` is `first` (or whose ``condition`` is
    ``"model:FIRST"``).

    Parameters
    ----------
    estimates : polars.DataFrame
    first, second : str
        Names as they stand in the table.
    metrics : sequence of str
        Their order; those of which the table has no row are left out.
    labels : mapping of str to str
    name : str

    Raises
    ------
    DataError
        When the table has no such row.
    """
    rows = within(select_estimates(estimates, metrics, comparisons=True))
    rows = [row for row in rows if row.comparator == f"model:{second}"]
    rows = without_lone_average([row for row in rows if first in (row.model, row.condition.removeprefix("model:"))])
    found(rows, f"comparisons of {first!r} with {second!r}")
    marks, order = [], []
    for row in sorted(rows, key=lambda row: metrics.index(row.metric)):
        shown = (
            row.condition
            and not row.condition.startswith("model:")
            and row.metric in ("accuracy", "flip_excess", "rcr")
        )
        line = labels.get(row.metric, row.metric) + (f" · {row.condition}" if shown else "")
        # Under a change neither way is better: a model that looks loses accuracy there.
        if row.metric != "accuracy" or row.condition in ("real", "retest"):
            line += ARROWS.get(row.direction, "")
        order.append(line)
        marks.append(Mark(line, row, panel=row.dataset))
    panels = panel_names(rows)
    chart = interval_chart(
        marks,
        rows=ordered(order),
        panels=panels,
        axis="points, first minus second",
        signed=True,
        zero_line=True,
        show_resolved=True,
        columns=3 if len(panels) > 2 else 2,
    )
    title = f"{first} minus {second}"
    caption = (
        f"{first} minus {second} on the same items, with 95% intervals. Filled: the interval excludes zero. "
        "Arrows: the better direction."
    )
    return ChartBlock(chart, caption, name, alt_text(title, rows, True), title)


def noise_floor(
    estimates: pl.DataFrame,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    name: str = "noise-floor",
) -> ChartBlock:
    """How often an answer stays the same: shuffled image against the same request asked again.

    Takes `retest_agreement` and `is_pred`; what lies between them is `is_excess`.
    """
    rows = within(select_estimates(estimates, ["retest_agreement", "is_pred"], models=models), datasets)
    found(rows, "retest_agreement and is_pred")
    if datasets is None and any(row.dataset == "macro" for row in rows):
        rows = (
            [row for row in rows if row.dataset == "macro"]
            if len(panel_names(rows)) > 2
            else without_lone_average(rows)
        )
    series = {"retest_agreement": "asked again", "is_pred": "image shuffled"}
    short = short_names(ordered(row.model for row in rows))
    marks = [Mark(short[row.model], row, series[row.metric], row.dataset) for row in rows]
    chart = interval_chart(
        marks,
        rows=list(short.values()),
        series=ordered((mark.series for mark in marks), first=tuple(series.values())),
        panels=panel_names(rows),
        axis="same answer, percent of items",
        columns=2,
    )
    caption = (
        "Share of items whose answer stays the same, with 95% intervals. Only the part by which shuffling the image "
        "changes more answers than asking again does is due to the image; a model that answers at random changes both."
    )
    return ChartBlock(chart, caption, name, alt_text("Noise floor", rows, False), "Noise floor")


def hard_negative_pool(rows: Iterable[Mapping[str, Any]], *, name: str = "hard-negatives") -> TableBlock:
    """Table of the hard-negative pools (CORAL, Table 1).

    Parameters
    ----------
    rows : iterable of mapping
        Keys ``dataset, rule, pairs, cosine_mean, cosine_min, cosine_max``, and ``gold_known`` (the share of pairs in
        which the negative's own answer to the question is known); absent ones are missing cells.
    """
    columns = (
        Column("dataset", "Pool"),
        Column("rule", "Match", help="question: same question, other answer; label: another answer"),
        Column("pairs", "Pairs", "integer"),
        Column("cosine_mean", "Mean cosine [range]", "number", 3, low="cosine_min", high="cosine_max"),
        Column("gold_known", "Gold known, %", "share", help="share of negatives whose answer to the question is known"),
    )
    caption = "Hard negatives: the most similar other image whose answer differs. Cosine in the embedder's space."
    return TableBlock(columns, tuple(dict(row) for row in rows), caption, name, "Hard-negative pools")
