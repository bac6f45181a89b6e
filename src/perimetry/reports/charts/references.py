"""Charts of the reference audit: spreads of shifts, shifts of each system, style profiles, style against errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import Estimate, ordered
from perimetry.reports.charts.theme import (
    INK,
    SURFACE,
    ZERO,
    colour_range,
    printable,
    shape_range,
    short_names,
)
from perimetry.reports.numbers import interval_text

__all__ = [
    "alt_text",
    "condition_name",
    "faceted",
    "model_shifts",
    "shift_boxes",
    "style_profiles",
    "trust_chart",
]

BOX = "#9ecae1"
LISTED_IN_ALT = 12


def condition_name(condition: str) -> str:
    """A variation as a reader would say it.

    Examples
    --------
    >>> condition_name("findings_scope:minimal+negation:implicit")
    'findings scope: minimal + negation: implicit'
    """
    return condition.replace("_", " ").replace(":", ": ").replace("+", " + ")


def shift_boxes(rows: Iterable[Mapping[str, Any]], *, name: str = "shift-boxes") -> ChartBlock:
    """Normalised shifts over (model, data set) pairs: one panel a metric, one box a variation (paper, Figure 4).

    Parameters
    ----------
    rows : iterable of mapping
        Keys ``metric, condition, p05, p25, p50, p75, p95, pairs`` and ``values``, the shift of each pair.
    name : str
    """
    import altair as alt

    held = list(rows)
    panels = ordered(str(row["metric"]) for row in held)
    lines = ordered(condition_name(str(row["condition"])) for row in held)
    values: list[dict[str, Any]] = []
    for row in held:
        base = {
            "row": condition_name(str(row["condition"])),
            "panel": printable(str(row["metric"])),
            "place": panels.index(str(row["metric"])),
        }
        told = ", ".join(f"{row[key]:+.3f}" for key in ("p05", "p25", "p50", "p75", "p95"))
        box = {key: round(float(row[key]), 5) for key in ("p05", "p25", "p50", "p75", "p95")}
        values.append({**base, **box, "kind": "box", "reading": f"{told} over {row['pairs']} pairs"})
        values += [
            {**base, "kind": "pair", "shift": round(float(shift), 5), "who": who, "reading": f"{shift:+.3f}"}
            for who, shift in row["values"].items()
        ]
    y = alt.Y("row:N", sort=None, scale=alt.Scale(domain=lines), title=None)
    boxes = (
        alt.Chart()
        .transform_filter(alt.FieldEqualPredicate(field="kind", equal="box"))
        .encode(
            y=y, tooltip=[alt.Tooltip("row:N", title="variation"), alt.Tooltip("reading:N", title="5, 25, 50, 75, 95%")]
        )
    )
    pairs = (
        alt.Chart()
        .transform_filter(alt.FieldEqualPredicate(field="kind", equal="pair"))
        .encode(
            y=y,
            x=alt.X("shift:Q"),
            tooltip=[alt.Tooltip("who:N", title="system"), alt.Tooltip("reading:N", title="shift, SD")],
        )
    )
    title = "shift of the score, in standard deviations over models"
    layers = (
        alt.Chart().mark_rule(color=ZERO, strokeDash=[3, 3]).encode(x=alt.datum(0)),
        boxes.mark_rule(color=INK).encode(x=alt.X("p05:Q", title=title, axis=alt.Axis(tickCount=6)), x2="p95:Q"),
        boxes.mark_bar(color=BOX, height=11, stroke=INK, strokeWidth=0.8).encode(x="p25:Q", x2="p75:Q"),
        boxes.mark_tick(color=INK, thickness=2, size=13).encode(x="p50:Q"),
        pairs.mark_point(size=16, color=INK, opacity=0.55, filled=True),
    )
    chart = faceted(alt.layer(*layers).properties(width=300, height={"step": 22}), values, len(panels))
    said = "; ".join(
        f"{row['metric']} {condition_name(str(row['condition']))} median {float(row['p50']):+.2f}"
        for row in held[:LISTED_IN_ALT]
    )
    caption = (
        "Box: quartiles; line: 5th to 95th percentile; small dots: each pair of model and data set. A shift is the "
        "mean over the studies that have the alternative, over the metric's standard deviation under the originals."
    )
    return ChartBlock(chart, caption, name, f"Shifts under every variation. {said}.", "Shifts under every variation")


def model_shifts(
    rows: Sequence[Estimate], *, name: str = "model-shifts", title: str = "Shifts of each system"
) -> ChartBlock:
    """Shift of every system under every variation, in the metric's own unit (paper, Figure 6).

    Parameters
    ----------
    rows : sequence of Estimate
        Of one data set, with ``comparator`` ``original``.
    name, title : str
    """
    short = short_names(ordered(row.model for row in rows))
    marks = [Mark(condition_name(row.condition), row, short[row.model], row.metric) for row in rows]
    panels = ordered(mark.panel for mark in marks)
    chart = interval_chart(
        marks,
        series=list(short.values()),
        panels=panels,
        axis="alternative minus original",
        signed=True,
        zero_line=True,
        show_resolved=True,
        independent=len(panels) > 1,
        columns=2,
        scale=1.0,
        digits=3,
    )
    caption = (
        "Alternative minus original on the studies that have the alternative, with 95% intervals, in each metric's own "
        "unit. Filled: the interval excludes zero."
    )
    return ChartBlock(chart, caption, name, alt_text(title, rows), title)


def style_profiles(
    rows: Sequence[Estimate], meanings: Mapping[str, str], *, name: str = "style", title: str = "Style profiles"
) -> ChartBlock:
    """Style of every system and set of references: one panel a feature.

    Parameters
    ----------
    rows : sequence of Estimate
        ``style:FEATURE`` rows of one data set; ``model`` is the system or ``references``.
    meanings : mapping of feature to str
        Titles of the panels.
    name, title : str
    """
    lines = {row: condition_name(row.condition) if row.condition else row.model for row in rows}
    whose = short_names(ordered(lines.values()))
    marks = [
        Mark(
            whose[lines[row]],
            row,
            "references" if row.condition else "systems",
            meanings[row.metric.removeprefix("style:")],
        )
        for row in rows
    ]
    chart = interval_chart(
        marks,
        rows=list(whose.values()),
        series=ordered(mark.series for mark in marks),
        panels=ordered(mark.panel for mark in marks),
        axis="value",
        independent=True,
        columns=2,
        scale=1.0,
        digits=2,
    )
    caption = "Systems, the references as they are, and the references under every variation; with 95% intervals."
    return ChartBlock(chart, caption, name, alt_text(title, rows), title)


def trust_chart(rows: Iterable[Mapping[str, Any]], *, name: str = "trust") -> ChartBlock:
    """What a metric takes off for style against what it takes off for a planted error.

    Parameters
    ----------
    rows : iterable of mapping
        Keys ``metric, style, style_low, style_high, error, error_low, error_high, ratio``; nan is left out.
    name : str
    """
    import altair as alt

    held = [row for row in rows if row["style"] == row["style"] and row["error"] == row["error"]]
    names = ordered(str(row["metric"]) for row in held)
    most = max(
        [0.01, *(float(row[key]) for row in held for key in ("style_high", "error_high") if row[key] == row[key])]
    )
    least = min([0.0, *(float(row["style_low"]) for row in held if row["style_low"] == row["style_low"])])
    values = [
        {
            "metric": str(row["metric"]),
            **{
                key: float(row[key]) for key in ("style", "style_low", "style_high", "error", "error_low", "error_high")
            },
            "reading": interval_text(row["ratio"], row["ratio_low"], row["ratio_high"], 2, scale=1),
        }
        for row in held
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        color=alt.Color(
            "metric:N",
            sort=None,
            scale=alt.Scale(domain=names, range=colour_range(names)),
            legend=alt.Legend(title=None, columns=4),
        ),
        tooltip=[
            alt.Tooltip("metric:N"),
            alt.Tooltip("style:Q", title="loss to style", format=".3f"),
            alt.Tooltip("error:Q", title="loss to errors", format=".3f"),
            alt.Tooltip("reading:N", title="ratio"),
        ],
    )
    shape = alt.Shape(
        "metric:N",
        sort=None,
        scale=alt.Scale(domain=names, range=shape_range(names)),
        legend=alt.Legend(title=None, columns=4),
    )
    scale = alt.Scale(domain=[least, most], nice=True)
    x = alt.X("style:Q", title="taken off for another wording of the same", scale=scale)
    y = alt.Y("error:Q", title="taken off for a planted error", scale=scale)
    line = alt.Chart(alt.InlineData(values=[{"a": 0.0}, {"a": most}])).mark_line(color=ZERO, strokeDash=[4, 3])
    layers = (
        line.encode(x="a:Q", y="a:Q"),
        base.mark_rule().encode(x=alt.X("style_low:Q", scale=scale), x2="style_high:Q", y=y),
        base.mark_rule().encode(x=x, y=alt.Y("error_low:Q", scale=scale), y2="error_high:Q"),
        base.mark_point(size=90, filled=True, opacity=1, stroke=SURFACE).encode(x=x, y=y, shape=shape),
    )
    chart: Any = alt.layer(*layers).properties(width=420, height=340)
    said = "; ".join(f"{one['metric']} {one['reading']}" for one in values)
    caption = (
        "Mean loss with 95% intervals, in each metric's own unit, of a report that would otherwise be its reference. "
        "Above the line, an error costs more than another wording. Metrics of other units stand on the same axes: the "
        "ratio compares, the places do not."
    )
    return ChartBlock(chart, caption, name, f"Style against errors; ratios: {said}.", "Style against errors")


def faceted(layered: Any, values: Sequence[Mapping[str, Any]], panels: int, *, y: bool = False) -> Any:
    """One panel, or panels two abreast; with `y`, each has its own y axis drawn."""
    import altair as alt

    if panels < 2:
        return layered.properties(data=alt.InlineData(values=list(values)))
    chart: Any = layered.facet(
        facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
        columns=2,
        data=alt.InlineData(values=list(values)),
    )
    return chart.resolve_axis(x="independent") if not y else chart.resolve_axis(x="independent", y="independent")


def alt_text(title: str, rows: Sequence[Estimate]) -> str:
    """The chart in words: the first dozen values, and how many more there are."""
    parts = []
    for row in rows[:LISTED_IN_ALT]:
        names = " ".join(part for part in (row.model, row.metric, condition_name(row.condition)) if part)
        parts.append(
            f"{names} {interval_text(row.value, row.ci_low, row.ci_high, 3, scale=1, sign=bool(row.comparator))}"
        )
    more = len(rows) - len(parts)
    return f"{title}. {'; '.join(parts)}{f'; and {more} more values' if more > 0 else ''}."
