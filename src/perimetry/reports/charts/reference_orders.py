"""Charts of the reference audit: gaps of pairs, reversals and rank paths under every variation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.references import LISTED_IN_ALT, alt_text, condition_name, faceted
from perimetry.reports.charts.selection import Estimate, ordered
from perimetry.reports.charts.theme import GRID, colour_range, printable, shape_range, short_names
from perimetry.reports.numbers import interval_text

__all__ = ["pair_gaps", "rank_paths", "reversal_map"]

HEAT = ("#ffffff", "#fdd0a2", "#fd8d3c", "#d94801")


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
    return ChartBlock(chart, caption, name, alt_text(title, rows), title)


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
    chart = alt.layer(cells, text).properties(width=max(240, 104 * len(metrics)), height=30 * len(conditions))
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
    chart = faceted(
        layers.properties(width=max(220, 30 * len(conditions)), height=36 * len(names)), values, len(panels), y=True
    )
    said = "; ".join(
        f"{one['system']} {one['panel']} {one['condition']} {one['reading']}" for one in values[:LISTED_IN_ALT]
    )
    caption = "First place on top. Lines that cross: the order depends on how the references are worded."
    return ChartBlock(chart, caption, name, f"{title}. {said}.", title)


def _other(row: Estimate) -> str:
    return row.comparator.removeprefix("model:")
