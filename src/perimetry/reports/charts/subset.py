"""The chart of a subset: accuracy before and after, beside a random filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import AVERAGES, Estimate, ordered, select_estimates
from perimetry.reports.charts.theme import short_names
from perimetry.reports.numbers import interval_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["subset_accuracy"]

SERIES = {"all": "all items", "kept": "kept", "random": "random filter"}
LISTED_IN_ALT = 12


def subset_accuracy(
    estimates: pl.DataFrame, metric: str, *, name: str, title: str, caption: str = ""
) -> ChartBlock | None:
    """Accuracy on all items, on the kept ones and after a random filter; None where nobody has that metric.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table of ``perimetry subset``.
    metric : str
        ``accuracy``, or that of answers that chose.
    name, title, caption : str
    """
    rows = [
        row
        for row in select_estimates(estimates, [metric, "accuracy"], stratum=None)
        if not row.comparator and row.stratum in SERIES and row.value is not None
    ]
    chance = [row for row in rows if row.model == "chance" and row.stratum == "kept"]
    own = [row for row in rows if row.model != "chance" and row.metric == metric]
    names = ordered(row.dataset for row in own if row.dataset not in AVERAGES)
    panels = names if len(names) < 2 else [*names, "pooled"]
    own = [row for row in own if row.dataset in panels]
    if not own:
        return None
    short = short_names(panels, 30)
    lines = short_names([_line(row) for row in own], 40)
    marks = [
        Mark(lines[_line(row)], row, SERIES[row.stratum], short[row.dataset] if len(panels) > 1 else "") for row in own
    ]
    marks += [
        Mark("chance", row, "chance", short[row.dataset] if len(panels) > 1 else "", "reference")
        for row in chance
        if row.dataset in panels
    ]
    chart = interval_chart(
        marks,
        rows=list(lines.values()),
        series=[it for it in SERIES.values() if any(mark.series == it for mark in marks)],
        panels=[short[panel] for panel in panels] if len(panels) > 1 else None,
        axis="accuracy, percent",
        columns=min(2, len(panels)),
    )
    told = [
        f"{row.dataset}, {_line(row)}, {SERIES[row.stratum]}: {interval_text(row.value, row.ci_low, row.ci_high)}"
        for row in own
    ]
    text = caption or "With 95% intervals of a bootstrap over groups; dashed: chance on the kept items."
    return ChartBlock(chart, text, name, f"{title}, percent. {'; '.join(told[:LISTED_IN_ALT])}.", title)


def _line(row: Estimate) -> str:
    who = row.model.removeprefix("guesser:") if row.model.startswith("guesser:") else row.model
    what = "guesser" if row.model.startswith("guesser:") else row.condition
    return f"{who} ({what})" if what else who
