"""Charts of scored reports: systems by metric, their differences, places, classes and distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import Estimate, ordered, select_estimates
from perimetry.reports.charts.theme import INK, MUTED, colour_range, printable, shape_range, short_names
from perimetry.reports.numbers import interval_text

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "class_scores",
    "metric_title",
    "place_chart",
    "place_shares_chart",
    "score_differences",
    "score_distributions",
    "score_intervals",
]

ARROWS = {"higher": " ↑", "lower": " ↓"}
BINS = 24
LISTED_IN_ALT = 12
PLACES = ("#08519c", "#4292c6", "#9ecae1", "#d3e3f1")


def metric_title(metric: str, stratum: str = "all", direction: str = "") -> str:
    """A metric, its part if it is not the whole, and an arrow to the better side.

    Examples
    --------
    >>> metric_title("f1_rules", "abnormal", "higher")
    'f1_rules · abnormal ↑'
    """
    return f"{metric}{'' if stratum == 'all' else f' · {stratum}'}{ARROWS.get(direction, '')}"


def score_intervals(
    estimates: pl.DataFrame, parts: Sequence[tuple[str, str]], *, name: str = "scores", title: str = "Scores"
) -> ChartBlock:
    """Every system by every metric: one panel a metric, one row a system, dots with intervals in the metric's own unit.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table.
    parts : sequence of (metric, stratum)
        Panels, in order.
    name, title : str
    """
    rows = [row for part in parts for row in _of(estimates, part)]
    short = short_names(ordered(row.model for row in rows))
    marks = [Mark(short[row.model], row, panel=metric_title(row.metric, row.stratum, row.direction)) for row in rows]
    panels = ordered(mark.panel for mark in marks)
    chart = interval_chart(
        marks,
        rows=list(short.values()),
        panels=panels,
        axis="value",
        independent=len(panels) > 1,
        columns=2 if len(panels) in (2, 4) else 3,
        scale=1.0,
        digits=3,
    )
    caption = "Dots with 95% intervals, each metric in its own unit. Arrows: the better direction."
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


def score_differences(
    estimates: pl.DataFrame, parts: Sequence[tuple[str, str]], *, name: str = "differences", title: str = "Differences"
) -> ChartBlock:
    """Paired differences of every two systems: one panel a metric, one row a pair.

    Parameters
    ----------
    estimates : polars.DataFrame
    parts : sequence of (metric, stratum)
    name, title : str
    """
    rows = [row for part in parts for row in _of(estimates, part, comparisons=True)]
    systems = short_names(ordered(one for row in rows for one in (row.model, _other(row))), 20)
    lines = {row: f"{systems[row.model]} − {systems[_other(row)]}" for row in rows}
    marks = [Mark(lines[row], row, panel=metric_title(row.metric, row.stratum, row.direction)) for row in rows]
    panels = ordered(mark.panel for mark in marks)
    chart = interval_chart(
        marks,
        rows=ordered(lines.values()),
        panels=panels,
        axis="difference",
        signed=True,
        zero_line=True,
        show_resolved=True,
        independent=len(panels) > 1,
        columns=2 if len(panels) in (2, 4) else 3,
        scale=1.0,
        digits=3,
    )
    caption = (
        "First minus second on the same reports, with 95% intervals of a paired bootstrap. "
        "Filled: the interval excludes zero. Hollow: it does not."
    )
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


def class_scores(estimates: pl.DataFrame, metric: str, classes: Sequence[str], *, name: str, title: str) -> ChartBlock:
    """F1 of every class: one row a class, one mark a system.

    Parameters
    ----------
    estimates : polars.DataFrame
    metric : str
    classes : sequence of str
        Strata, in order; those without any value are left out.
    name, title : str
    """
    rows = [row for stratum in classes for row in _of(estimates, (metric, stratum))]
    known = ordered(row.stratum for row in rows if row.value is not None)
    short = short_names(ordered(row.model for row in rows))
    marks = [Mark(row.stratum, row, short[row.model]) for row in rows if row.stratum in known]
    chart = interval_chart(marks, rows=known, series=list(short.values()), axis="F1", scale=1.0, digits=3, columns=1)
    caption = "F1 of each class with 95% intervals. A class that neither a system nor the references state has none."
    return ChartBlock(chart, caption, name, _alt(title, rows), title)


def place_chart(
    ranks: Iterable[Mapping[str, Any]], *, name: str = "places", title: str = "Places by metric"
) -> ChartBlock:
    """Places of the systems from metric to metric: lines that cross are metrics that disagree.

    Parameters
    ----------
    ranks : iterable of mapping
        Keys ``metric, stratum, system, rank, ci_low, ci_high, p_best``; rows without a rank are left out.
    name, title : str
    """
    import altair as alt

    rows = [row for row in ranks if row["rank"] is not None]
    short = short_names(ordered(str(row["system"]) for row in rows))
    names = list(short.values())
    shown = ordered(metric_title(str(row["metric"]), str(row["stratum"])) for row in rows)
    values = [
        {
            "metric": metric_title(str(row["metric"]), str(row["stratum"])),
            "system": short[str(row["system"])],
            "rank": row["rank"],
            "reading": interval_text(row["rank"], row["ci_low"], row["ci_high"], scale=1),
        }
        for row in rows
    ]
    colour = alt.Color(
        "system:N",
        sort=None,
        scale=alt.Scale(domain=names, range=colour_range(names)),
        legend=alt.Legend(title=None, columns=4),
    )
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("metric:N", sort=None, scale=alt.Scale(domain=shown), title=None, axis=alt.Axis(labelAngle=-20)),
        y=alt.Y(
            "rank:Q",
            title="place",
            scale=alt.Scale(domain=[0.7, len(names) + 0.3], reverse=True, nice=False),
            axis=alt.Axis(values=list(range(1, len(names) + 1)), format="d"),
        ),
        color=colour,
        tooltip=[
            alt.Tooltip("system:N", title="system"),
            alt.Tooltip("metric:N", title="metric"),
            alt.Tooltip("reading:N", title="place, 95% interval"),
        ],
    )
    shape = alt.Shape(
        "system:N",
        sort=None,
        scale=alt.Scale(domain=names, range=shape_range(names)),
        legend=alt.Legend(title=None, columns=4),
    )
    lines = base.mark_line(strokeWidth=2, opacity=0.75)
    points = base.mark_point(size=90, filled=True, opacity=1).encode(shape=shape)
    chart = alt.layer(lines, points).properties(width=min(760, 150 * max(2, len(shown))), height=46 * len(names))
    told = "; ".join(f"{item['system']} {item['metric']} {item['reading']}" for item in values[:LISTED_IN_ALT])
    caption = "First place on top. Lines that cross are metrics that order the systems differently."
    return ChartBlock(chart, caption, name, f"{title}. {told}.", title)


def place_shares_chart(
    ranks: Iterable[Mapping[str, Any]], *, name: str = "rank-stability", title: str = "How steady is the order?"
) -> ChartBlock:
    """Share of resamples in which a system has each place: one panel a metric, one bar a system.

    Parameters
    ----------
    ranks : iterable of mapping
        Keys ``metric, stratum, system, place_1, place_2, ...``.
    name, title : str
    """
    import altair as alt

    rows = [row for row in ranks if row["rank"] is not None]
    short = short_names(ordered(str(row["system"]) for row in rows))
    names = list(short.values())
    panels = ordered(metric_title(str(row["metric"]), str(row["stratum"])) for row in rows)
    values = []
    for row in rows:
        panel = metric_title(str(row["metric"]), str(row["stratum"]))
        for place in range(1, len(names) + 1):
            share = row[f"place_{place}"]
            if share:
                values.append(
                    {
                        "system": short[str(row["system"])],
                        "panel": printable(panel),
                        "order": panels.index(panel),
                        "place": str(place),
                        "number": place,
                        "share": round(100 * share, 2),
                    }
                )
    places = [str(place) for place in range(1, len(names) + 1)]
    bars = (
        alt.Chart()
        .mark_bar()
        .encode(
            y=alt.Y("system:N", sort=None, scale=alt.Scale(domain=names), title=None),
            x=alt.X("share:Q", title="percent of resamples", stack="zero", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color(
                "place:O",
                scale=alt.Scale(domain=places, range=place_colours(len(places))),
                legend=alt.Legend(title="place", columns=8),
            ),
            order=alt.Order("number:Q"),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("panel:N", title="metric"),
                alt.Tooltip("place:N"),
                alt.Tooltip("share:Q", title="percent of resamples"),
            ],
        )
        .properties(width=250 if len(panels) > 2 else 320, height={"step": 22})
    )
    chart: Any = bars.facet(
        facet=alt.Facet("panel:N", sort=alt.EncodingSortField("order", op="min"), title=None),
        columns=2 if len(panels) in (2, 4) else 3,
        data=alt.InlineData(values=values),
    ).resolve_axis(x="independent")
    told = "; ".join(
        f"{item['system']} place {item['place']} by {item['panel']} in {item['share']:.0f}%"
        for item in sorted(values, key=lambda item: -float(item["share"]))[:LISTED_IN_ALT]
    )
    caption = "Share of resamples in which a system has each place, on the reports that every system has a value for."
    return ChartBlock(chart, caption, name, f"{title}. {told}.", title)


def place_colours(count: int) -> list[str]:
    """Dark for the first place, paler for later ones; grey from the fifth on."""
    return [PLACES[place] if place < len(PLACES) else "#e3e7ec" for place in range(count)]


def score_distributions(
    scores: pl.DataFrame,
    metrics: Sequence[str],
    *,
    name: str = "distributions",
    title: str = "Values of single reports",
) -> ChartBlock:
    """Histograms of the values of single reports: one column a metric, one row a system, the mean as a line.

    Parameters
    ----------
    scores : polars.DataFrame
        Columns ``system`` and one a metric; null where there is no value.
    metrics : sequence of str
        Those without any value are left out.
    name, title : str
    """
    import altair as alt

    systems = ordered(scores["system"].to_list())
    short = short_names(systems, 22)
    parts: list[Any] = []
    told: list[str] = []
    for metric in metrics:
        values = _histograms(scores, metric, systems, short)
        if not values:
            continue
        told += [f"{one['system']} {metric} mean {one['mean']:.3f}" for one in values if one["first"]]
        parts.append(_histogram_chart(values, metric))
    if not parts:
        blank = alt.Chart(alt.InlineData(values=[{"text": "No value to draw."}]))
        parts = [blank.mark_text(color=MUTED, fontSize=13, align="left", x=0).encode(text="text:N")]
    chart: Any = alt.concat(*parts, columns=2)
    caption = (
        "Share of reports by value; the line is their mean. For BLEU and F1 the score of a set is not the mean of its "
        "reports: it is made from the sums of their counts."
    )
    return ChartBlock(chart, caption, name, f"{title}. {'; '.join(told[:LISTED_IN_ALT])}.", title)


def _histograms(
    scores: pl.DataFrame, metric: str, systems: Sequence[str], short: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Bins of equal width over all systems' values."""
    import numpy as np

    known = scores[metric].drop_nulls().to_numpy()
    if not known.size:
        return []
    low, high = float(min(known.min(), 0.0)), float(max(known.max(), 1.0 if known.max() <= 1.0 else known.max()))
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    out: list[dict[str, Any]] = []
    for place, system in enumerate(systems):
        mine = scores.filter(scores["system"] == system)[metric].drop_nulls().to_numpy()
        counts, _ = np.histogram(mine, edges)
        mean = float(mine.mean()) if mine.size else None
        out += [
            {
                "system": short[system],
                "place": place,
                "from": round(float(edges[bin_]), 6),
                "to": round(float(edges[bin_ + 1]), 6),
                "share": round(100 * float(count) / mine.size, 3) if mine.size else 0.0,
                "mean": mean,
                "first": bin_ == 0 and mean is not None,
                "reports": int(count),
            }
            for bin_, count in enumerate(counts)
        ]
    return out


def _histogram_chart(values: Sequence[Mapping[str, Any]], metric: str) -> Any:
    import altair as alt

    bars = (
        alt.Chart()
        .mark_bar(color="#4292c6", stroke=None, binSpacing=1)
        .encode(
            x=alt.X("from:Q", bin="binned", title=printable(metric), axis=alt.Axis(tickCount=5)),
            x2="to:Q",
            y=alt.Y("share:Q", title=None, axis=alt.Axis(tickCount=2, title=None)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("from:Q", format=".3f"),
                alt.Tooltip("to:Q", format=".3f"),
                alt.Tooltip("reports:Q"),
                alt.Tooltip("share:Q", title="percent"),
            ],
        )
    )
    line = (
        alt.Chart()
        .transform_filter(alt.FieldEqualPredicate(field="first", equal=True))
        .mark_rule(color=INK, strokeWidth=1.6)
        .encode(x=alt.X("mean:Q"), tooltip=[alt.Tooltip("system:N"), alt.Tooltip("mean:Q", format=".3f")])
    )
    return (
        alt.layer(bars, line)
        .properties(width=300, height=42)
        .facet(
            row=alt.Row(
                "system:N",
                sort=alt.EncodingSortField("place", op="min"),
                title=None,
                header=alt.Header(labelAngle=0, labelAlign="left", labelFontWeight="normal", labelFontSize=12),
            ),
            data=alt.InlineData(values=list(values)),
            spacing=6,
        )
        .properties(title=printable(metric))
    )


def _of(estimates: pl.DataFrame, part: tuple[str, str], comparisons: bool = False) -> tuple[Estimate, ...]:
    metric, stratum = part
    return select_estimates(estimates, [metric], stratum=stratum, comparisons=comparisons)


def _other(row: Estimate) -> str:
    return row.comparator.removeprefix("model:")


def _alt(title: str, rows: Sequence[Estimate]) -> str:
    """The chart in words: the first dozen values, and how many more there are."""
    parts = []
    for row in rows[:LISTED_IN_ALT]:
        against = f" minus {_other(row)}" if row.comparator else ""
        reading = interval_text(row.value, row.ci_low, row.ci_high, 3, scale=1, sign=bool(against))
        parts.append(f"{row.model}{against} {metric_title(row.metric, row.stratum)} {reading}")
    more = len(rows) - len(parts)
    return f"{title}. {'; '.join(parts)}{f'; and {more} more values' if more > 0 else ''}."
