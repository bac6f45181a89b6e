"""The heat maps of the occlusion audit: which statement goes or comes when which finding is covered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.occlusion_rows import MOST_MODELS, in_words, main_rows, percent
from perimetry.reports.charts.selection import ordered, select_estimates
from perimetry.reports.charts.theme import INK, SURFACE, short_names
from perimetry.reports.numbers import interval_text, number_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FEW", "flip_matrix"]

FEW = 10
"""Studies below which a cell of a heat map is drawn faint."""


def flip_matrix(
    estimates: pl.DataFrame, metric: str = "flip_rate", *, name: str = "flips", models: int = MOST_MODELS
) -> ChartBlock | None:
    """Heat map: of the statements of a class, how many go when another class is covered.

    Parameters
    ----------
    estimates : polars.DataFrame
    metric : {"flip_rate", "reverse_flip_rate"}
    name : str
    models : int, default 12
        Panels at most.
    """
    import altair as alt

    rows = [row for row in main_rows(select_estimates(estimates, [metric], stratum=None)) if ">" in row.stratum]
    rows = [row for row in rows if row.value is not None]
    if not rows:
        return None
    kept = ordered(row.model for row in rows)[:models]
    short = short_names(kept)
    rows = [row for row in rows if row.model in kept]
    covered = ordered(row.stratum.partition(">")[0] for row in rows)
    stated = ordered((row.stratum.partition(">")[2] for row in rows), first=covered)
    values = [
        {
            "panel": short[row.model],
            "place": kept.index(row.model),
            "covered": row.stratum.partition(">")[0],
            "stated": row.stratum.partition(">")[2],
            "value": percent(row.value),
            "text": number_text(row.value, 0, scale=100),
            "dark": (row.value or 0) > 0.55 and (row.n or 0) >= FEW,
            "few": (row.n or 0) < FEW,
            "reading": interval_text(row.value, row.ci_low, row.ci_high),
            "cases": number_text(row.n, 0),
            "count": f"n {number_text(row.n, 0)}",
        }
        for row in rows
    ]
    tips = [("covered", "covered"), ("stated", "stated"), ("reading", "share, %"), ("cases", "studies")]
    base: Any = alt.Chart()
    x = alt.X("stated:N", sort=None, scale=alt.Scale(domain=stated), title="statement", axis=alt.Axis(labelAngle=-45))
    y = alt.Y("covered:N", sort=None, scale=alt.Scale(domain=covered), title="covered")
    cells = base.mark_rect(stroke=SURFACE, strokeWidth=1).encode(
        x=x,
        y=y,
        color=alt.Color(
            "value:Q",
            scale=alt.Scale(domain=[0, 100], range=["#eef3f8", "#0b4f86"]),
            legend=alt.Legend(title="share, percent", gradientLength=160),
        ),
        opacity=alt.condition("datum.few", alt.value(0.28), alt.value(1.0)),
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in tips],
    )
    # Full cells keep their colours on a dark page, so their words do too: neither of these is a colour that is swapped.
    ink = (
        alt.when("datum.dark")
        .then(alt.value("#fefefe"))
        .when("datum.few")
        .then(alt.value(INK))
        .otherwise(alt.value("#1c2025"))
    )
    share = base.mark_text(fontSize=11, dy=-5).encode(x=x, y=y, text="text:N", color=ink)
    count = base.mark_text(fontSize=9, dy=8).encode(x=x, y=y, text="count:N", color=ink)
    width: Any = {"step": 36}
    height: Any = {"step": 32}
    layered: Any = alt.layer(cells, share, count).properties(width=width, height=height)
    if len(kept) == 1:
        chart = layered.properties(data=alt.InlineData(values=values))
    else:
        chart = layered.facet(
            facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
            columns=2,
            data=alt.InlineData(values=values),
        ).resolve_axis(x="independent", y="independent")
    few = f" Percent, and the studies that each cell rests on (n); faint cells have fewer than {FEW}."
    if metric == "flip_rate":
        title = "Statements that go with another finding"
        caption = (
            "Among studies of the covered class on which the other class is true and stated: how often it is no longer "
            "stated when the first one is covered. High off the model's own regions: one finding is read from another."
            + few
        )
    else:
        title = "Statements that come when another finding is covered"
        caption = "Among studies of the covered class without the other class: how often it is stated only then." + few
    return ChartBlock(chart, caption, name, in_words(title, rows), title)
