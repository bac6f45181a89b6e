"""Charts of the route audit: the modality lattice, cue gaps, and where answers and keys lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.rows import alt_text, found, of_main, panel_names, without_lone_average
from perimetry.reports.charts.selection import ordered, select_estimates
from perimetry.reports.charts.theme import short_names

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ROUTE_LABELS", "cue_gaps", "gains", "lattice", "positions"]

ROUTE_LABELS = {
    "optionsonly": "options only",
    "textonly": "+ text",
    "imageoptions": "+ image",
    "full": "full",
}
"""From the barest route to the whole item, as MedQA-MM stacks them."""

_GAINS = {
    "gain_text": "stem adds to options",
    "gain_image": "image adds to options",
    "gain_full": "both add to options",
    "image_effect": "image adds to text",
}
_MOST_CUES = 24


def lattice(estimates: pl.DataFrame, *, name: str = "lattice") -> ChartBlock:
    """Accuracy by route for every model: one panel a data set, chance as a dashed line.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table.
    name : str
        File name.
    """
    rows = [
        row
        for row in select_estimates(estimates, ["accuracy"])
        if row.condition in ROUTE_LABELS and row.value is not None
    ]
    rows = without_lone_average(rows)
    short = short_names(ordered(row.model for row in rows))
    found(rows, "accuracy by route")
    panels = panel_names(rows)
    marks = [Mark(short[row.model], row, ROUTE_LABELS[row.condition], row.dataset) for row in rows]
    seen = set()
    for row in select_estimates(estimates, ["chance"]):
        if row.dataset in panels and row.dataset not in seen and row.value is not None:
            seen.add(row.dataset)
            marks.append(Mark("", row, "chance", row.dataset, "reference"))
    series = [label for label in ROUTE_LABELS.values() if any(mark.series == label for mark in marks)]
    chart = interval_chart(
        marks, rows=list(short.values()), series=series, panels=panels, axis="accuracy, percent",
        columns=2 if len(panels) < 5 else 3,
    )  # fmt: skip
    caption = (
        "Accuracy with options alone, with the stem or the image added, and with everything; 95% intervals, dashed: "
        "chance. What lies above chance without the image is not evidence that the image was read."
    )
    return ChartBlock(chart, caption, name, alt_text("Accuracy by route", rows, False), "The modality lattice")


def gains(estimates: pl.DataFrame, *, name: str = "gains") -> ChartBlock:
    """What stem and image add, in points: one panel a gain, one row a model."""
    rows = of_main(select_estimates(estimates, list(_GAINS)))
    short = short_names(ordered(row.model for row in rows))
    marks = [Mark(short[row.model], row, panel=_GAINS[row.metric]) for row in rows]
    panels = [label for label in _GAINS.values() if any(mark.panel == label for mark in marks)]
    chart = interval_chart(
        marks, rows=list(short.values()), panels=panels, axis="points", signed=True, zero_line=True,
        show_resolved=True, columns=2,
    )  # fmt: skip
    caption = "Paired differences of routes on the same items, 95% intervals. Filled: the interval excludes zero."
    return ChartBlock(chart, caption, name, alt_text("Gains", rows, True), "What each input adds")


def positions(estimates: pl.DataFrame, *, name: str = "positions") -> ChartBlock:
    """Excess of answers over keys for each place of the options: one panel a model."""
    rows = of_main(select_estimates(estimates, ["position_excess"], stratum=None))
    short = short_names(ordered(row.model for row in rows))
    places = ordered(row.stratum for row in rows)
    marks = [Mark(row.stratum, row, panel=short[row.model]) for row in rows]
    chart = interval_chart(
        marks, rows=places, panels=list(short.values()), axis="points", signed=True, zero_line=True,
        show_resolved=True, columns=3 if len(short) > 2 else 2,
    )  # fmt: skip
    caption = (
        "How much more often a model names the option in a place than the key stands there, over all orders of the "
        "options, in points with 95% intervals. Without position bias all lie at zero."
    )
    return ChartBlock(chart, caption, name, alt_text("Position bias", rows, True), "Places that draw answers")


def cue_gaps(
    estimates: pl.DataFrame,
    conditions: Iterable[str],
    titles: Mapping[str, str] = MappingProxyType({}),
    *,
    name: str = "cue-gaps",
) -> ChartBlock:
    """Accuracy on items with a cue minus without it: one row a cue, one panel a model, one mark a route.

    Parameters
    ----------
    estimates : polars.DataFrame
    conditions : iterable of str
        Routes to draw.
    titles : mapping of str to str
        What cues are called; their names where it has none.
    name : str
        File name.
    """
    wanted = set(conditions)
    rows = [row for row in of_main(select_estimates(estimates, ["cue_gap"], stratum=None)) if row.condition in wanted]
    largest: dict[str, float] = {}
    for row in rows:
        largest[row.stratum] = max(largest.get(row.stratum, 0.0), abs(row.value or 0.0))
    kept = sorted(largest, key=lambda cue: (-largest[cue], cue))[:_MOST_CUES]
    rows = [row for row in rows if row.stratum in kept]
    short = short_names(ordered(row.model for row in rows))
    lines = [titles.get(cue, cue) for cue in kept]
    marks = [
        Mark(titles.get(row.stratum, row.stratum), row, ROUTE_LABELS[row.condition], short[row.model]) for row in rows
    ]
    series = [label for label in ROUTE_LABELS.values() if any(mark.series == label for mark in marks)]
    chart = interval_chart(
        marks, rows=lines, series=series, panels=list(short.values()), axis="points", signed=True, zero_line=True,
        columns=2,
    )  # fmt: skip
    more = f" The {_MOST_CUES} largest of {len(largest)} cues." if len(largest) > _MOST_CUES else ""
    caption = (
        "Accuracy on items whose key carries a cue (or that carry it as a whole) minus on the other items, with 95% "
        f"intervals. Other items on either side: a gap is a candidate, not an effect.{more}"
    )
    return ChartBlock(chart, caption, name, alt_text("Cue gaps", rows, True), "Items with a cue against items without")
