"""Charts of screens: odds ratios of cues on the key, prevalence, and where the key stands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts.selection import ordered
from perimetry.reports.charts.theme import INK, MUTED, SURFACE, ZERO, colour_range, shape_range, short_names
from perimetry.reports.numbers import interval_text

__all__ = ["key_places", "odds_ratios", "prevalence", "resolved"]

ALPHA = 0.05

LOWEST, HIGHEST = 0.1, 20.0
LISTED_IN_ALT = 12


def resolved(row: Mapping[str, Any]) -> bool:
    """Whether a cue is told from chance: its p value adjusted after Holm over all cues is below 0.05.

    Examples
    --------
    >>> resolved({"p_holm": 0.0}), resolved({"p_holm": 0.4}), resolved({"p_holm": None})
    (True, False, False)
    """
    return row["p_holm"] is not None and bool(row["p_holm"] < ALPHA)


def odds_ratios(
    rows: Iterable[Mapping[str, Any]], *, name: str = "odds-ratios", title: str = "How much more often on the key"
) -> ChartBlock:
    """Odds ratio of every cue for being on the key, on a logarithmic axis: one row a cue, one mark a data set.

    Parameters
    ----------
    rows : iterable of mapping
        ``dataset, title, odds_ratio, ci_low, ci_high, p_holm, key_has_cue, items_with_cue``; rows without a finite
        ratio above 0 are left out. The order of the cues is that of the rows.
    name, title : str
    """
    import altair as alt

    shown = [row for row in rows if _drawable(row["odds_ratio"])]
    sets = short_names(ordered(str(row["dataset"]) for row in shown))
    values = [
        {
            "cue": str(row["title"]),
            "dataset": sets[str(row["dataset"])],
            "ratio": _within(row["odds_ratio"]),
            "low": _within(row["ci_low"]),
            "high": _within(row["ci_high"]),
            "resolved": resolved(row),
            "reading": interval_text(row["odds_ratio"], row["ci_low"], row["ci_high"], 2, scale=1),
            "counts": f"{row['key_has_cue']:,} keys of {row['items_with_cue']:,} items with the cue",
        }
        for row in shown
    ]
    caption = (
        "Odds of an option with the cue for being the key against one without, within items (Mantel-Haenszel, 95% "
        "intervals). Filled: resolved after adjustment for the number of cues (Holm, p below 0.05). Ends "
        "beyond 0.1 and 20 are cut."
    )
    alternative = f"{title}. " + "; ".join(
        f"{one['cue']} {one['dataset']} {one['reading']}" for one in values[:LISTED_IN_ALT]
    )
    if not values:
        return ChartBlock(_nothing(), caption, name, f"{title}: no cue has a ratio.", title)
    cues, names = ordered(str(one["cue"]) for one in values), list(sets.values())
    y = alt.Y("cue:N", sort=None, scale=alt.Scale(domain=cues), title=None, axis=alt.Axis(labelLimit=260))
    scale = alt.Scale(type="log", domain=[LOWEST, HIGHEST], clamp=True, nice=False)
    x = alt.X(
        "ratio:Q",
        scale=scale,
        title="odds ratio",
        axis=alt.Axis(values=[0.1, 0.2, 0.5, 1, 2, 5, 10, 20], format="~g", grid=True),
    )
    legend = alt.Legend(title=None) if len(names) > 1 else None
    colour = alt.Color("dataset:N", scale=alt.Scale(domain=names, range=colour_range(names)), legend=legend)
    shape = alt.Shape("dataset:N", scale=alt.Scale(domain=names, range=shape_range(names)), legend=legend)
    tips = [
        alt.Tooltip("cue:N", title="cue"),
        alt.Tooltip("dataset:N", title="data set"),
        alt.Tooltip("reading:N", title="odds ratio, 95% interval"),
        alt.Tooltip("counts:N", title="counted"),
    ]
    dodge: dict[str, Any] = (
        {"yOffset": alt.YOffset("dataset:N", scale=alt.Scale(domain=names))} if len(names) > 1 else {}
    )
    base = alt.Chart().encode(y=y, **dodge)
    one = (
        alt.Chart(alt.InlineData(values=[{"at": 1}]))
        .mark_rule(color=ZERO, strokeDash=[3, 3])
        .encode(x=alt.X("at:Q", scale=scale))
    )
    whiskers = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q", color=colour, tooltip=tips
    )
    hollow = (
        base.transform_filter(alt.FieldEqualPredicate(field="resolved", equal=False))
        .mark_point(size=60, filled=True, fill=SURFACE, strokeWidth=2, opacity=1)
        .encode(
            x=x,
            stroke=alt.Stroke("dataset:N", scale=alt.Scale(domain=names, range=colour_range(names)), legend=legend),
            shape=shape,
            tooltip=tips,
        )
    )
    filled = (
        base.transform_filter(alt.FieldEqualPredicate(field="resolved", equal=True))
        .mark_point(size=70, filled=True, opacity=1)
        .encode(x=x, color=colour, shape=shape, tooltip=tips)
    )
    height: Any = {"step": 12, "for": "offset"} if len(names) > 1 else {"step": 21}
    chart = alt.layer(one, whiskers, hollow, filled, data=alt.InlineData(values=values)).properties(
        width=560, height=height
    )
    return ChartBlock(chart, caption, name, alternative, title)


def prevalence(
    rows: Iterable[Mapping[str, Any]], *, name: str = "prevalence", title: str = "How often each cue occurs"
) -> ChartBlock:
    """Share of items with a cue, and of those whose key carries it: one row a cue, one panel a data set.

    Parameters
    ----------
    rows : iterable of mapping
        ``dataset, title, unit, items, items_with_cue, share_of_items, share_of_keys``.
    name, title : str
    """
    import altair as alt

    shown = [row for row in rows if row["items_with_cue"]]
    sets = short_names(ordered(str(row["dataset"]) for row in shown))
    values: list[dict[str, Any]] = []
    for row in shown:
        common = {
            "cue": str(row["title"]),
            "dataset": sets[str(row["dataset"])],
            "place": list(sets).index(str(row["dataset"])),
        }
        on_key = row["share_of_keys"] or 0.0
        parts = [("on the key", on_key), ("on other options only", row["share_of_items"] - on_key)]
        if row["unit"] == "item":
            parts = [("in the item", row["share_of_items"])]
        start = 0.0
        for part, share in parts:
            values.append(
                {**common, "part": part, "from": 100 * start, "to": 100 * (start + share), "share": 100 * share}
            )
            start += share
    caption = "Share of the items that a cue could be looked for in, in percent."
    if not values:
        return ChartBlock(_nothing(), caption, name, f"{title}: no cue was found.", title)
    hues = {"on the key": "#d55e00", "on other options only": "#56b4e9", "in the item": "#7d8590"}
    drawn = [part for part in hues if any(one["part"] == part for one in values)]
    cues = ordered(one["cue"] for one in values)
    bars = (
        alt.Chart()
        .mark_bar(height=12)
        .encode(
            y=alt.Y("cue:N", sort=None, scale=alt.Scale(domain=cues), title=None, axis=alt.Axis(labelLimit=260)),
            x=alt.X("from:Q", title="% of items", scale=alt.Scale(domain=[0, 100])),
            x2="to:Q",
            color=alt.Color(
                "part:N",
                sort=None,
                scale=alt.Scale(domain=drawn, range=[hues[part] for part in drawn]),
                legend=alt.Legend(title=None) if len(drawn) > 1 else None,
            ),
            tooltip=[
                alt.Tooltip("cue:N", title="cue"),
                alt.Tooltip("dataset:N", title="data set"),
                alt.Tooltip("part:N", title="where"),
                alt.Tooltip("share:Q", title="% of items", format=".1f"),
            ],
        )
    )
    width = 560 if len(sets) == 1 else 300
    sized = bars.properties(width=width, height={"step": 18})
    chart: Any = sized.properties(data=alt.InlineData(values=values))
    if len(sets) > 1:
        chart = sized.facet(
            facet=alt.Facet("dataset:N", sort=alt.EncodingSortField("place", op="min"), title=None),
            columns=2,
            data=alt.InlineData(values=values),
        )
    told = "; ".join(f"{row['title']} {100 * row['share_of_items']:.1f}%" for row in shown[:LISTED_IN_ALT])
    return ChartBlock(chart, caption, name, f"{title}. {told}.", title)


def key_places(
    rows: Sequence[Mapping[str, Any]], *, name: str = "key-places", title: str = "Where the key stands"
) -> ChartBlock:
    """Share of keys at each place of the options against chance: one panel a data set.

    Parameters
    ----------
    rows : sequence of mapping
        ``dataset, place, items, keys, share, chance``.
    name, title : str
    """
    import altair as alt

    caption = "Share of items whose key stands at a place, among those that have such a place. Line: chance."
    if not rows:
        return ChartBlock(_nothing(), caption, name, f"{title}: no item has options.", title)
    sets = short_names(ordered(str(row["dataset"]) for row in rows))
    values = [
        {
            **{key: row[key] for key in ("place", "items", "keys")},
            "dataset": sets[str(row["dataset"])],
            "order": list(sets).index(str(row["dataset"])),
            "share": 100 * row["share"],
            "chance": 100 * row["chance"],
        }
        for row in rows
    ]
    tips = [
        alt.Tooltip("dataset:N", title="data set"),
        alt.Tooltip("place:O", title="place"),
        alt.Tooltip("keys:Q", title="keys", format=","),
        alt.Tooltip("items:Q", title="items", format=","),
        alt.Tooltip("share:Q", title="%", format=".1f"),
        alt.Tooltip("chance:Q", title="chance, %", format=".1f"),
    ]
    x = alt.X("place:O", title="place of the option", axis=alt.Axis(labelAngle=0))
    bars = (
        alt.Chart()
        .mark_bar(color="#4292c6", width=22)
        .encode(x=x, y=alt.Y("share:Q", title="% of items", scale=alt.Scale(zero=True)), tooltip=tips)
    )
    ticks = alt.Chart().mark_tick(color=INK, thickness=2, width=30).encode(x=x, y="chance:Q", tooltip=tips)
    layered = alt.layer(bars, ticks).properties(width={"step": 40}, height=150)
    chart: Any = layered.properties(data=alt.InlineData(values=values))
    if len(sets) > 1:
        chart = layered.facet(
            facet=alt.Facet("dataset:N", sort=alt.EncodingSortField("order", op="min"), title=None),
            columns=2,
            data=alt.InlineData(values=values),
        )
    told = "; ".join(f"place {row['place']}: {100 * row['share']:.1f}%" for row in rows[:LISTED_IN_ALT])
    return ChartBlock(chart, caption, name, f"{title}. {told}.", title)


def _drawable(value: float | None) -> bool:
    return value is not None and math.isfinite(value) and value > 0


def _within(value: float | None) -> float | None:
    return None if value is None else min(max(value, LOWEST), HIGHEST)


def _nothing() -> Any:
    import altair as alt

    blank = alt.Chart(alt.InlineData(values=[{"text": "No value to draw."}]))
    return blank.mark_text(color=MUTED, fontSize=13, align="left", x=0).encode(text="text:N").properties(height=40)
