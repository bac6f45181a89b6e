"""Charts of the diagnostic guessers: accuracy against chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import AVERAGES, Estimate, ordered, select_estimates
from perimetry.reports.charts.theme import short_names
from perimetry.reports.numbers import interval_text, number_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["guesser_accuracy", "guesser_option_counts"]

CHANCE = "chance"
SHUFFLED = "accuracy_shuffled_keys"
LISTED_IN_ALT = 12


def guesser_accuracy(
    estimates: pl.DataFrame, *, name: str = "guessers", title: str = "Accuracy without any image"
) -> ChartBlock:
    """Guessers against chance: one panel a data set, one row a guesser; hollow rows are the check on shuffled keys.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table of ``perimetry guess``.
    name, title : str
    """
    rows = [row for row in select_estimates(estimates, ["accuracy", SHUFFLED]) if not row.comparator]
    own = ordered(row.dataset for row in rows if row.dataset not in AVERAGES)
    kept = [row for row in rows if len(own) > 1 or row.dataset in own]
    panels = ordered((row.dataset for row in kept), last=("pooled", "macro"))
    short = short_names(panels, 30)
    marks = [
        Mark(
            "chance" if row.model == CHANCE else _line(row),
            row,
            "chance" if row.model == CHANCE else ("shuffled keys" if row.metric == SHUFFLED else "keys as they are"),
            short[row.dataset] if len(panels) > 1 else "",
            "reference" if row.model == CHANCE else "main",
        )
        for row in kept
    ]
    lines = ordered(mark.row for mark in marks if mark.role == "main")
    chart = interval_chart(
        marks,
        rows=lines,
        series=ordered(mark.series for mark in marks if mark.role == "main"),
        panels=[short[panel] for panel in panels] if len(panels) > 1 else None,
        axis="accuracy, percent",
        columns=min(2, len(panels)),
    )
    told = [
        f"{row.dataset}, {_line(row)}: {interval_text(row.value, row.ci_low, row.ci_high)}"
        for row in kept
        if row.model != CHANCE and row.metric == "accuracy"
    ][:LISTED_IN_ALT]
    bases = [
        f"chance on {row.dataset}: {number_text(row.value and 100 * row.value, 1)}"
        for row in kept
        if row.model == CHANCE
    ]
    caption = (
        "Share of items guessed right by rankers that see no image, with 95% intervals; dashed: chance. With shuffled "
        "keys a guesser has to be at chance, one check in twenty apart."
    )
    return ChartBlock(chart, caption, name, f"{title}, percent. {'; '.join([*told, *bases[:LISTED_IN_ALT]])}.", title)


def guesser_option_counts(estimates: pl.DataFrame, *, name: str = "guessers-options") -> ChartBlock | None:
    """Distance from chance by number of options; None where all items have the same number.

    Parameters
    ----------
    estimates : polars.DataFrame
    name : str
    """
    rows = [
        row
        for row in select_estimates(estimates, ["accuracy"], stratum=None)
        if row.comparator == CHANCE and row.stratum.startswith("options=") and row.dataset not in AVERAGES and row.n
    ]
    if not rows:
        return None
    panels = ordered(row.dataset for row in rows)
    short = short_names(panels, 30)
    marks = [Mark(_options(row), row, _line(row), short[row.dataset] if len(panels) > 1 else "") for row in rows]
    chart = interval_chart(
        marks,
        rows=sorted(ordered(mark.row for mark in marks), key=lambda text: int(text.split()[0])),
        panels=[short[panel] for panel in panels] if len(panels) > 1 else None,
        axis="accuracy less chance, percentage points",
        signed=True,
        zero_line=True,
        columns=min(2, len(panels)),
    )
    caption = "Accuracy less chance, by the number of options of an item, with 95% intervals."
    told = [
        f"{row.dataset}, {row.stratum}, {_line(row)}: {interval_text(row.value, row.ci_low, row.ci_high, sign=True)}"
        for row in rows
    ]
    return ChartBlock(chart, caption, name, "; ".join(told[:LISTED_IN_ALT]), "By number of options")


def _options(row: Estimate) -> str:
    return f"{row.stratum.removeprefix('options=')} options"


def _line(row: Estimate) -> str:
    return row.model.removeprefix("guesser:")
