"""Charts of the reference audit: spreads of shifts, shifts a model, gaps of pairs, reversals, ranks, style, trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import Estimate, ordered
from perimetry.reports.charts.theme import (
    GRID,
    INK,
    MUTED,
    SURFACE,
    ZERO,
    colour_range,
    printable,
    shape_range,
    short_names,
)
from perimetry.reports.numbers import interval_text

__all__ = [
    "condition_name",
    "model_shifts",
    "pair_gaps",
    "rank_paths",
    "reversal_map",
    "shift_boxes",
    "style_profiles",
    "trust_chart",
]

BOX = "#9ecae1"
LISTED_IN_ALT = 12
HEAT = ("#ffffff", "#fdd0a2", "#fd8d3c", "#d94801")


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
    chart = _faceted(alt.layer(*layers).properties(width=300, height={"step": 22}), values, len(panels))
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
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


def pair_gaps(rows: Sequence[Estimate], metric: str, *, name: str, title: str) -> ChartBlock:
    """Gap of every pair of systems under the originals and every variation (paper, Figure 7a).

    Parameters
    ----------
    rows : sequence of Estimate
        Of one metric and data set, with ``comparator`` ``model:NAME``.
    metric, name, title : str
    """
    short = short_names(ordered(one for row in rows for one in (row.model, _other(row))), 20)
    marks = [Mark(condition_name(row.condition), row, "", f"{short[row.model]} − {short[_other(row)]}") for row in rows]
    panels = ordered(mark.panel for mark in marks)
    chart = interval_chart(
        marks,
        panels=panels,
        axis=printable(metric),
        signed=True,
        zero_line=True,
        show_resolved=True,
        columns=3 if len(panels) > 2 else 2,
        scale=1.0,
        digits=3,
    )
    caption = (
        "First minus second over all studies, with paired 95% intervals; a study without the alternative keeps its "
        "original score. Hollow: a tie. A dot on the other side of zero than the original: the order is reversed."
    )
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


def reversal_map(rows: Iterable[Mapping[str, Any]], *, name: str = "reversals", title: str = "Reversals") -> ChartBlock:
    """Share of pairs whose order is reversed, a metric and variation (paper, Figure 7b).

    Parameters
    ----------
    rows : iterable of mapping
        Keys ``metric, condition, plain, by_verdict, changed, zero, pairs``.
    name, title : str
    """
    import altair as alt

    held = list(rows)
    metrics = ordered(str(row["metric"]) for row in held)
    conditions = ordered(condition_name(str(row["condition"])) for row in held)
    values = [
        {
            "metric": str(row["metric"]),
            "condition": condition_name(str(row["condition"])),
            "share": round(100 * row["plain"] / row["pairs"], 3) if row["pairs"] else 0.0,
            "text": f"{row['plain']} / {row['changed']}" + (f" ({row['zero']})" if row["zero"] else ""),
            "dark": bool(row["pairs"] and row["plain"] / row["pairs"] > 0.5),
            "reading": (
                f"{row['plain']} of {row['pairs']} pairs reversed, {row['by_verdict']} of them with another verdict; "
                f"{row['changed']} verdicts changed; {row['zero']} became ties of two zeros"
            ),
        }
        for row in held
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "metric:N",
            sort=None,
            scale=alt.Scale(domain=metrics),
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0),
        ),
        y=alt.Y("condition:N", sort=None, scale=alt.Scale(domain=conditions), title=None),
        tooltip=[alt.Tooltip("metric:N"), alt.Tooltip("condition:N"), alt.Tooltip("reading:N", title="pairs")],
    )
    cells = base.mark_rect(stroke=GRID, strokeWidth=1).encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(type="linear", domain=[0, 33, 66, 100], range=list(HEAT), interpolate="rgb"),
            legend=alt.Legend(title="percent of pairs reversed", gradientLength=160),
        )
    )
    text = base.mark_text(fontSize=12, color="#1b1f24").encode(text="text:N")
    chart = alt.layer(cells, text).properties(width=max(240, 104 * len(metrics)), height=26 * len(conditions))
    said = "; ".join(f"{one['metric']} {one['condition']}: {one['reading']}" for one in values[:LISTED_IN_ALT])
    caption = (
        "Pairs whose leader falls behind / pairs whose verdict (win, tie, loss by the 95% interval) changes; in "
        "brackets, further pairs that become a tie because both systems score zero."
    )
    return ChartBlock(chart, caption, name, f"{title}. {said}.", title)


def rank_paths(rows: Sequence[Estimate], *, name: str = "rank-paths", title: str = "Rank paths") -> ChartBlock:
    """Place of every system from the originals through every variation: one panel a metric.

    Parameters
    ----------
    rows : sequence of Estimate
        ``rank:METRIC`` rows of one data set.
    name, title : str
    """
    import altair as alt

    held = [row for row in rows if row.value is not None]
    short = short_names(ordered(row.model for row in held))
    names = list(short.values())
    panels = ordered(row.metric.removeprefix("rank:") for row in held)
    conditions = ordered(condition_name(row.condition) for row in held)
    values = [
        {
            "panel": printable(row.metric.removeprefix("rank:")),
            "place": panels.index(row.metric.removeprefix("rank:")),
            "condition": condition_name(row.condition),
            "system": short[row.model],
            "rank": row.value,
            "reading": interval_text(row.value, row.ci_low, row.ci_high, scale=1),
        }
        for row in held
    ]
    base = alt.Chart().encode(
        x=alt.X(
            "condition:N",
            sort=None,
            scale=alt.Scale(domain=conditions),
            title=None,
            axis=alt.Axis(labelAngle=-40, labelLimit=150),
        ),
        y=alt.Y(
            "rank:Q",
            title="place",
            scale=alt.Scale(domain=[0.7, len(names) + 0.3], reverse=True, nice=False),
            axis=alt.Axis(values=list(range(1, len(names) + 1)), format="d"),
        ),
        color=alt.Color(
            "system:N",
            sort=None,
            scale=alt.Scale(domain=names, range=colour_range(names)),
            legend=alt.Legend(title=None, columns=4),
        ),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("condition:N", title="references"),
            alt.Tooltip("reading:N", title="place, 95% interval"),
        ],
    )
    shape = alt.Shape(
        "system:N",
        sort=None,
        scale=alt.Scale(domain=names, range=shape_range(names)),
        legend=alt.Legend(title=None, columns=4),
    )
    layers = alt.layer(
        base.mark_line(strokeWidth=2, opacity=0.75),
        base.mark_point(size=70, filled=True, opacity=1).encode(shape=shape),
    )
    chart = _faceted(
        layers.properties(width=max(220, 30 * len(conditions)), height=36 * len(names)), values, len(panels), y=True
    )
    said = "; ".join(
        f"{one['system']} {one['panel']} {one['condition']} {one['reading']}" for one in values[:LISTED_IN_ALT]
    )
    caption = "First place on top. Lines that cross: the order depends on how the references are worded."
    return ChartBlock(chart, caption, name, f"{title}. {said}.", title)


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
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


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
    scale = alt.Scale(domain=[least, most], nice=True)
    x = alt.X("style:Q", title="taken off for another wording of the same", scale=scale)
    y = alt.Y("error:Q", title="taken off for a planted error", scale=scale)
    line = alt.Chart(alt.InlineData(values=[{"a": 0.0}, {"a": most}])).mark_line(color=ZERO, strokeDash=[4, 3])
    layers = (
        line.encode(x="a:Q", y="a:Q"),
        base.mark_rule().encode(x=alt.X("style_low:Q", scale=scale), x2="style_high:Q", y=y),
        base.mark_rule().encode(x=x, y=alt.Y("error_low:Q", scale=scale), y2="error_high:Q"),
        base.mark_point(size=90, filled=True, opacity=1, stroke=SURFACE).encode(x=x, y=y),
        base.mark_text(align="left", dx=9, dy=-7, color=MUTED, fontSize=12).encode(
            x=x, y=y, text="metric:N", color=alt.value(MUTED)
        ),
    )
    chart: Any = alt.layer(*layers).properties(width=420, height=340)
    said = "; ".join(f"{one['metric']} {one['reading']}" for one in values)
    caption = (
        "Mean loss with 95% intervals, in each metric's own unit, of a report that would otherwise be its reference. "
        "Above the line, an error costs more than another wording. Metrics of other units stand on the same axes: the "
        "ratio compares, the places do not."
    )
    return ChartBlock(chart, caption, name, f"Style against errors; ratios: {said}.", "Style against errors")


def _faceted(layered: Any, values: Sequence[Mapping[str, Any]], panels: int, *, y: bool = False) -> Any:
    import altair as alt

    if panels < 2:
        return layered.properties(data=alt.InlineData(values=list(values)))
    chart: Any = layered.facet(
        facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
        columns=2,
        data=alt.InlineData(values=list(values)),
    )
    return chart.resolve_axis(x="independent") if not y else chart.resolve_axis(x="independent", y="independent")


def _other(row: Estimate) -> str:
    return row.comparator.removeprefix("model:")


def _alt(title: str, rows: Sequence[Estimate]) -> str:
    parts = []
    for row in rows[:LISTED_IN_ALT]:
        names = " ".join(part for part in (row.model, row.metric, condition_name(row.condition)) if part)
        parts.append(
            f"{names} {interval_text(row.value, row.ci_low, row.ci_high, 3, scale=1, sign=bool(row.comparator))}"
        )
    more = len(rows) - len(parts)
    return f"{title}. {'; '.join(parts)}{f'; and {more} more values' if more > 0 else ''}."
