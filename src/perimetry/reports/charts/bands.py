"""Scores with two intervals: of sampling, and the band that the wording of references opens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.selection import ordered
from perimetry.reports.charts.theme import INK, SURFACE, printable, short_names
from perimetry.reports.numbers import interval_text

__all__ = ["band_chart"]

BAND = "#b9d7ea"
LISTED_IN_ALT = 12


def band_chart(rows: Iterable[Mapping[str, Any]], *, name: str = "bands") -> ChartBlock:
    """Every system by every metric: a pale band of style behind a dot with its interval of sampling.

    Parameters
    ----------
    rows : iterable of mapping
        Keys ``metric, system, value, low, high, least, most, original``; those without a value are left out.
    name : str
    """
    import altair as alt

    held = [row for row in rows if row["value"] is not None]
    short = short_names(ordered(str(row["system"]) for row in held))
    panels = ordered(str(row["metric"]) for row in held)
    values = [
        {
            "system": short[str(row["system"])],
            "panel": printable(str(row["metric"])),
            "place": panels.index(str(row["metric"])),
            **{key: row[key] for key in ("value", "low", "high", "least", "most", "original")},
            "reading": interval_text(row["value"], row["low"], row["high"], 3, scale=1),
            "band": f"{row['least']:.3f} to {row['most']:.3f}",
        }
        for row in held
    ]
    base = alt.Chart().encode(
        y=alt.Y("system:N", sort=None, scale=alt.Scale(domain=list(short.values())), title=None),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("reading:N", title="value, 95% interval"),
            alt.Tooltip("band:N", title="band of style"),
        ],
    )
    layers = (
        base.mark_bar(color=BAND, height=13).encode(
            x=alt.X("least:Q", title="value", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5)), x2="most:Q"
        ),
        base.mark_rule(color=INK).encode(x="low:Q", x2="high:Q"),
        base.mark_point(color=INK, size=60, filled=True, opacity=1).encode(x="value:Q"),
        base.mark_point(color=INK, size=36, fill=SURFACE, opacity=1, shape="diamond").encode(x="original:Q"),
    )
    layered: Any = alt.layer(*layers).properties(width=300, height={"step": 26})
    chart: Any
    if len(panels) < 2:
        chart = layered.properties(data=alt.InlineData(values=values))
    else:
        chart = layered.facet(
            facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
            columns=2,
            data=alt.InlineData(values=values),
        ).resolve_scale(x="independent")
    said = "; ".join(
        f"{one['system']} {one['panel']} {one['reading']}, {one['band']}" for one in values[:LISTED_IN_ALT]
    )
    caption = (
        "Dot: mean over all sets of references, with the 95% interval of sampling. Pale band: from the least to the "
        "most that any wording of the same references gives. Diamond: the references as they are."
    )
    return ChartBlock(chart, caption, name, f"Values with bands. {said}.", "Value and band")
