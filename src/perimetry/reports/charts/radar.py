"""A radar: one spoke a data set, one outline a model, drawn as plain geometry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perimetry.reports.charts.selection import Estimate, ordered
from perimetry.reports.charts.theme import CYCLE, GRID, INK, MUTED, SHAPES, SURFACE, short_names
from perimetry.reports.numbers import interval_text, number_text

if TYPE_CHECKING:
    import altair as alt

__all__ = ["FEWEST_SPOKES", "Spoke", "radar_chart"]

FEWEST_SPOKES = 3
"""With fewer spokes an outline encloses no area."""

REACH = (1.75, 1.24)
"""Half the width and half the height of the drawing, in radii of the outermost ring."""


@dataclass(frozen=True, slots=True)
class Spoke:
    """One value of a radar: which spoke it is on, whose outline it belongs to."""

    spoke: str
    outline: str
    estimate: Estimate


def radar_chart(
    spokes: Sequence[Spoke], *, order: Sequence[str] | None = None, size: int = 420
) -> alt.LayerChart | alt.FacetChart:
    """Draw a radar of differences in percentage points.

    Rings stand every few points, the ring of zero is dashed (CORAL, Figure 2); a value outside it means that removing
    the image costs accuracy. Filled points have an interval that excludes zero, hollow ones do not. An outline is left
    open where a value is missing: nothing is drawn in its place.

    Parameters
    ----------
    spokes : sequence of Spoke
    order : sequence of str or None
        Order of the spokes, clockwise from the top.
    size : int, default 420
        Height in pixels.

    Raises
    ------
    ValueError
        With fewer than three spokes.
    """
    import altair as alt

    names = list(order) if order is not None else ordered(item.spoke for item in spokes)
    if len(names) < FEWEST_SPOKES:
        raise ValueError(f"a radar needs at least {FEWEST_SPOKES} spokes, got {len(names)}: {', '.join(names)}")
    outlines = ordered(item.outline for item in spokes)
    short = short_names(outlines, 40)
    rings = ring_values([item.estimate.value * 100 for item in spokes if item.estimate.value is not None])
    disc = Disc(names, rings)
    domain = [short[name] for name in outlines]
    colour = alt.Color(
        "outline:N",
        sort=None,
        scale=alt.Scale(domain=domain, range=[CYCLE[i % len(CYCLE)] for i in range(len(domain))]),
        legend=alt.Legend(title=None, orient="right", columns=1, labelLimit=320),
    )
    shape = alt.Shape(
        "outline:N",
        sort=None,
        scale=alt.Scale(domain=domain, range=[SHAPES[i % len(SHAPES)] for i in range(len(domain))]),
        legend=alt.Legend(title=None, orient="right", columns=1, labelLimit=320),
    )
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-REACH[0], REACH[0]]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-REACH[1], REACH[1]]))
    pick = alt.selection_point(name="pick", fields=["outline"], bind="legend")
    seen = alt.when(pick).then(alt.value(1.0)).otherwise(alt.value(0.12))

    def layer(values: list[dict[str, Any]]) -> alt.Chart:
        return alt.Chart(alt.InlineData(values=values))

    def line(values: list[dict[str, Any]], **style: Any) -> alt.Chart:
        drawn: alt.Chart = layer(values).mark_line(**style).encode(x=x, y=y, order="step:Q", detail="part:N")
        return drawn

    points = disc.points(spokes, short)
    tooltip = [
        alt.Tooltip("model:N", title="model"),
        alt.Tooltip("spoke:N", title="data set"),
        alt.Tooltip("reading:N", title="points"),
        alt.Tooltip("items:N", title="items"),
    ]
    layers: list[Any] = [
        line(disc.grid(), color=GRID, strokeWidth=1),
        line(disc.ring(0.0, "zero"), color=INK, strokeWidth=1.6, strokeDash=[5, 4]),
        line(disc.outlines(points), strokeWidth=2).encode(color=colour, opacity=seen).add_params(pick),
    ]
    for state, filled in ((True, True), (False, False)):
        mark = layer([point for point in points if point["resolved"] is state])
        style: dict[str, Any] = {"filled": filled, "size": 62, "opacity": 1, "strokeWidth": 2}
        marked = mark.mark_point(**style) if filled else mark.mark_point(**style, fill=SURFACE)
        layers.append(marked.encode(x=x, y=y, color=colour, shape=shape, opacity=seen, tooltip=tooltip))
    rings_named = layer(disc.ring_labels()).encode(x=x, y=y, text="text:N")
    place: dict[str, Any] = {"fontSize": 11, "align": "right", "dx": -5, "dy": 9}
    # A rim in the page's colour keeps the numbers readable where an outline passes under them.
    layers.append(rings_named.mark_text(**place, color=SURFACE, stroke=SURFACE, strokeWidth=2.5, strokeJoin="round"))
    layers.append(rings_named.mark_text(**place, color=MUTED))
    for align in ("left", "center", "right"):
        labels = [label for label in disc.labels() if label["align"] == align]
        layers.append(
            layer(labels)
            .mark_text(fontSize=12.5, color=INK, align=align, baseline="middle", limit=170)
            .encode(x=x, y=y, text="text:N")
        )
    return alt.layer(*layers).properties(
        width=round(size * REACH[0] / REACH[1]), height=size, usermeta={"square": True}
    )


def ring_values(values: Sequence[float]) -> tuple[float, ...]:
    """Rings from below the smallest value to the largest, zero among them, five or six in all."""
    low, high = min([0.0, *values]), max([0.0, *values])
    step = next((step for step in (1, 2, 5, 10, 20, 25) if (high - low) / step <= 4.5), 50)
    # One ring further in than the lowest value, so that nothing collapses on the centre.
    first, last = math.floor(low / step) - 1, max(1, math.ceil(high / step))
    return tuple(float(step * k) for k in range(first, last + 1))


@dataclass(frozen=True, slots=True)
class Disc:
    """The plane of a radar: where a value on a spoke lies."""

    spokes: list[str]
    rings: tuple[float, ...]

    def at(self, spoke: int, value: float) -> tuple[float, float]:
        """Coordinates of a value; the outermost ring has radius 1."""
        radius = (value - self.rings[0]) / (self.rings[-1] - self.rings[0])
        angle = 2 * math.pi * spoke / len(self.spokes)
        return radius * math.sin(angle), radius * math.cos(angle)

    def ring(self, value: float, part: str) -> list[dict[str, Any]]:
        """A closed polygon at one value."""
        out = []
        for step in range(len(self.spokes) + 1):
            x, y = self.at(step % len(self.spokes), value)
            out.append({"x": x, "y": y, "step": step, "part": part})
        return out

    def grid(self) -> list[dict[str, Any]]:
        """Rings and spokes."""
        out = [row for value in self.rings[1:] if value for row in self.ring(value, f"ring {value}")]
        for k in range(len(self.spokes)):
            for step, value in enumerate((self.rings[0], self.rings[-1])):
                x, y = self.at(k, value)
                out.append({"x": x, "y": y, "step": step, "part": f"spoke {k}"})
        return out

    def ring_labels(self) -> list[dict[str, Any]]:
        """What the rings stand for, along the first spoke."""
        return [
            {"x": 0.0, "y": self.at(0, value)[1], "text": number_text(value, 0, sign=True)} for value in self.rings[1:]
        ]

    def labels(self) -> list[dict[str, Any]]:
        """Names of the spokes, outside the last ring."""
        short = short_names(self.spokes, 18)
        out = []
        for k, name in enumerate(self.spokes):
            angle = 2 * math.pi * k / len(self.spokes)
            x, y = 1.08 * math.sin(angle), 1.12 * math.cos(angle)
            align = "center" if abs(x) < 0.15 else "left" if x > 0 else "right"
            out.append({"x": x, "y": y, "text": short[name], "align": align})
        return out

    def points(self, spokes: Sequence[Spoke], short: dict[str, str]) -> list[dict[str, Any]]:
        """Measured values, model by model and clockwise."""
        out = []
        for item in spokes:
            it = item.estimate
            if it.value is None:
                continue
            k = self.spokes.index(item.spoke)
            x, y = self.at(k, it.value * 100)
            out.append(
                {
                    "x": x,
                    "y": y,
                    "k": k,
                    "outline": short[item.outline],
                    "model": item.outline,
                    "spoke": item.spoke,
                    "resolved": it.resolved,
                    "reading": interval_text(it.value, it.ci_low, it.ci_high, sign=True),
                    "items": number_text(it.n, 0),
                }
            )
        return sorted(out, key=lambda row: (row["outline"], row["k"]))

    def outlines(self, points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Edges between neighbouring spokes that both have a value."""
        place = {(row["outline"], row["k"]): row for row in points}
        out = []
        for (outline, k), row in place.items():
            after = place.get((outline, (k + 1) % len(self.spokes)))
            if after is None:
                continue
            for step, end in enumerate((row, after)):
                out.append({"x": end["x"], "y": end["y"], "step": step, "part": f"{outline} {k}", "outline": outline})
        return out
