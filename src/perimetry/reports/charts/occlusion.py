"""Charts of the occlusion audit (ShoViR: Figures 2, 3a and 3b, and the flip matrix)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.flips import flip_matrix
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.occlusion_rows import MOST_MODELS, in_words, main_rows, percent
from perimetry.reports.charts.selection import ordered, select_estimates
from perimetry.reports.charts.theme import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    VERMILLION,
    colour_range,
    printable,
    shape_range,
    short_names,
)
from perimetry.reports.numbers import interval_text, number_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["class_bars", "delta_forest", "false_statements", "flip_matrix", "strength_curves"]

REGION_NAMES: Mapping[str, str] = {
    "oco": "the finding (oco)",
    "doco": "other findings (doco)",
    "ro": "random (ro)",
    "romatched": "equal area (romatched)",
}
"""What each region condition covers, for titles."""

REGION_COLOURS: Mapping[str, str] = {
    "real": INK,
    "ro": GREEN,
    "romatched": BLUE,
    "doco": ORANGE,
    "oco": VERMILLION,
    "fullnoise": PURPLE,
}

_ORDER = ("real", "ro", "romatched", "doco", "oco")


def strength_curves(
    estimates: pl.DataFrame, strengths: Mapping[str, tuple[str, float]], *, name: str = "strengths"
) -> ChartBlock | None:
    """Mean F1 against the strength of the cover: one panel a region, one curve a model (ShoViR Figure 2).

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table.
    strengths : mapping of str to (str, float)
        Condition to its region and strength in percent.
    name : str
        File name.

    Returns
    -------
    ChartBlock or None
        None where fewer than two strengths were run. With two of them there are dots and no lines: what happens
        between was not measured.
    """
    import altair as alt

    rows = [row for row in main_rows(select_estimates(estimates, ["mu_f1"])) if row.condition in strengths]
    measured = sorted({strengths[row.condition][1] for row in rows})
    if len(measured) < 2:
        return None
    short = short_names(ordered(row.model for row in rows))
    regions = ordered((strengths[row.condition][0] for row in rows), first=tuple(REGION_NAMES))
    values = [
        {
            "panel": printable(REGION_NAMES.get(strengths[row.condition][0], strengths[row.condition][0])),
            "place": regions.index(strengths[row.condition][0]),
            "p": strengths[row.condition][1],
            "at": strengths[row.condition][1] + _aside(list(short).index(row.model), len(short), len(measured)),
            "model": short[row.model],
            "value": percent(row.value),
            "low": percent(row.ci_low),
            "high": percent(row.ci_high),
            "reading": interval_text(row.value, row.ci_low, row.ci_high),
            "cases": number_text(row.n, 0),
        }
        for row in rows
        if row.value is not None
    ]
    models = list(short.values())
    colour = alt.Color(
        "model:N",
        sort=None,
        scale=alt.Scale(domain=models, range=colour_range(models)),
        legend=alt.Legend(title=None, columns=4, symbolOpacity=1),
    )
    shape = alt.Shape(
        "model:N",
        sort=None,
        scale=alt.Scale(domain=models, range=shape_range(models)),
        legend=alt.Legend(title=None, columns=4, symbolOpacity=1),
    )
    ticks = measured if len(measured) < 7 else [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    room = max(_aside(len(short) - 1, len(short), len(measured)), 0.0) + 2.0
    x = alt.X(
        "at:Q",
        title="strength of the cover, percent",
        axis=alt.Axis(values=ticks, labelFlush=False),
        scale=alt.Scale(domain=[measured[0] - room, measured[-1] + room], nice=False, zero=False),
    )
    y = alt.Y("value:Q", title="mean F1, percent", scale=alt.Scale(domain=[0, 100]))
    tips = [alt.Tooltip(f"{key}:N", title=title) for key, title in _TIPS]
    base: Any = alt.Chart()
    band = base.mark_area(opacity=0.14).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour)
    line = base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour)
    ends = base.mark_rule(strokeWidth=1.8).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour)
    dots = base.mark_point(size=46, filled=True, opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tips)
    drawn = [band, line, dots] if len(measured) > 2 else [ends, dots]
    columns = len(regions) if len(regions) < 4 else 2
    chart = (
        alt.layer(*drawn)
        .properties(width={1: 700, 2: 400, 3: 270}[min(3, columns)], height=230)
        .facet(
            facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
            columns=columns,
            data=alt.InlineData(values=values),
        )
        .resolve_axis(x="independent", y="independent")
    )
    caption = (
        f"Mean F1 over classes, weighted by studies, as what is covered fades into noise; "
        f"{'bands' if len(measured) > 2 else 'bars'}: 95% intervals. "
        + ("" if len(measured) > 2 else "Two strengths were measured, so nothing is drawn between them. ")
        + ("Models stand a little beside each other, so that none hides another. " if len(short) > 1 else "")
        + "A model that reads the findings falls where they are covered and nowhere else."
    )
    return ChartBlock(chart, caption, name, in_words("Mean F1 by strength", rows))


def _aside(number: int, models: int, strengths: int) -> float:
    """How far beside its strength a model is drawn, in percent of strength: enough to see both of two equal curves."""
    step = min(5.0, 30.0 / models) if strengths < 3 else min(1.5, 6.0 / models)
    return round((number - (models - 1) / 2) * step, 3)


_TIPS = (
    ("model", "model"),
    ("panel", "covered"),
    ("p", "strength, %"),
    ("reading", "mean F1, %"),
    ("cases", "studies"),
)


def delta_forest(estimates: pl.DataFrame, *, name: str = "deltas") -> ChartBlock | None:
    """What each cover costs beyond a random one, per model (ShoViR Figure 3b), against both controls.

    Returns
    -------
    ChartBlock or None
        None where nothing of it was measured.
    """
    wanted = ("delta_oco", "delta_oco_matched", "delta_doco", "delta_doco_matched")
    rows = main_rows(select_estimates(estimates, wanted))
    if not any(row.value is not None for row in rows):
        return None
    short = short_names(ordered(row.model for row in rows))
    panels = {"delta_oco": "The finding covered (delta_oco)", "delta_doco": "Other findings covered (delta_doco)"}
    series = ("against a random cover", "against a cover of equal area")
    marks = [
        Mark(
            short[row.model],
            row,
            series[row.metric.endswith("_matched")],
            panels[row.metric.removesuffix("_matched")],
        )
        for row in rows
    ]
    chart = interval_chart(
        marks,
        rows=list(short.values()),
        series=ordered((mark.series for mark in marks), first=series),
        panels=ordered((mark.panel for mark in marks), first=tuple(panels.values())),
        axis="points of mean F1",
        signed=True,
        zero_line=True,
        show_resolved=True,
        columns=2,
    )
    caption = (
        "Mean F1 under the control minus under the cover, both on the same studies, at full strength, with 95% "
        "intervals. The finding: large is good, the statement needs its region. Other findings: near zero is good. "
        "Filled: the interval excludes zero. Where the two controls differ, the size of the cover matters by itself."
    )
    return ChartBlock(chart, caption, name, in_words("Deltas", rows, True))


def class_bars(
    estimates: pl.DataFrame, regions: Mapping[str, str], *, name: str = "classes", models: int = MOST_MODELS
) -> ChartBlock | None:
    """F1 of every class with nothing covered and under each cover at full strength (ShoViR Figure 3a).

    Parameters
    ----------
    estimates : polars.DataFrame
    regions : mapping of str to str
        Conditions to draw, and the region each covers (``real`` for nothing).
    name : str
    models : int, default 12
        Panels at most.
    """
    import altair as alt

    rows = [row for row in main_rows(select_estimates(estimates, ["f1"], stratum=None)) if row.condition in regions]
    if not any(row.value is not None for row in rows):
        return None
    kept = ordered(row.model for row in rows)[:models]
    rows = [row for row in rows if row.model in kept]
    short = short_names(kept)
    order = ordered((regions[row.condition] for row in rows), first=_ORDER)
    names = {region: "nothing" if region == "real" else REGION_NAMES.get(region, region) for region in order}
    classes = ordered(row.stratum for row in rows)
    values = [
        {
            "panel": short[row.model],
            "place": kept.index(row.model),
            "finding": row.stratum,
            "covered": names[regions[row.condition]],
            "value": percent(row.value),
            "low": percent(row.ci_low),
            "high": percent(row.ci_high),
            "reading": interval_text(row.value, row.ci_low, row.ci_high),
            "cases": number_text(row.n, 0),
        }
        for row in rows
        if row.value is not None
    ]
    domain = [names[region] for region in order]
    y = alt.Y("finding:N", sort=None, scale=alt.Scale(domain=classes, paddingInner=0.25), title=None)
    offset = alt.YOffset("covered:N", sort=None, scale=alt.Scale(domain=domain))
    colour = alt.Color(
        "covered:N",
        sort=None,
        scale=alt.Scale(domain=domain, range=[REGION_COLOURS.get(region, MUTED) for region in order]),
        legend=alt.Legend(title="covered", columns=3, labelLimit=260),
    )
    tips = [("finding", "class"), ("covered", "covered"), ("reading", "F1, %"), ("cases", "studies")]
    base: Any = alt.Chart()
    x = alt.X(
        "value:Q",
        title="F1, percent",
        scale=alt.Scale(domain=[0, 100]),
        axis=alt.Axis(values=[0, 25, 50, 75, 100]),
    )
    bars = base.mark_bar().encode(
        x=x,
        y=y,
        yOffset=offset,
        color=colour,
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in tips],
    )
    # A bar of no length is not seen; a dot on zero is.
    dots = base.mark_point(filled=True, opacity=1, size=34).encode(
        x=x,
        y=y,
        yOffset=offset,
        color=colour,
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in tips],
    )
    ends = base.mark_rule(color=INK, opacity=0.55, strokeWidth=1.2).encode(x="low:Q", x2="high:Q", y=y, yOffset=offset)
    columns = min(len(kept), 3)
    height: Any = {"step": 8 if len(order) > 3 else 10, "for": "offset"}
    layered: Any = alt.layer(bars, ends, dots).properties(width={1: 640, 2: 360, 3: 225}[columns], height=height)
    if len(kept) == 1:
        chart = layered.properties(data=alt.InlineData(values=values))
    else:
        chart = layered.facet(
            facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
            columns=columns,
            data=alt.InlineData(values=values),
        ).resolve_axis(x="independent")
    caption = (
        "F1 of each class on the studies that show it, at full strength, with 95% intervals. A dot on zero: measured, "
        "and never stated. No dot: not measured."
    )
    return ChartBlock(chart, caption, name, in_words("F1 by class", rows))


def false_statements(
    estimates: pl.DataFrame, regions: Mapping[str, str], *, name: str = "false-statements"
) -> ChartBlock | None:
    """How often a class is stated on studies without it, with nothing covered and under each cover.

    Parameters
    ----------
    estimates : polars.DataFrame
    regions : mapping of str to str
        As for `class_bars`.
    name : str
    """
    rows = [row for row in main_rows(select_estimates(estimates, ["false_statement_rate"])) if row.condition in regions]
    if not any(row.value is not None for row in rows):
        return None
    short = short_names(ordered(row.model for row in rows))
    order = ordered((regions[row.condition] for row in rows), first=_ORDER)
    names = {region: "nothing covered" if region == "real" else REGION_NAMES.get(region, region) for region in order}
    marks = [Mark(short[row.model], row, names[regions[row.condition]]) for row in rows]
    chart = interval_chart(
        marks,
        rows=list(short.values()),
        series=[names[region] for region in order],
        axis="false statements, percent of studies without the class",
    )
    caption = (
        "Studies without a class, with the boxes of another study laid on them: how often their report states it, with "
        "95% intervals. Covers of other findings rest on fewer studies (those that have any): the table has the "
        "numbers. Where a cover raises it, the noise itself is read as a finding."
    )
    return ChartBlock(chart, caption, name, in_words("False statements", rows))
