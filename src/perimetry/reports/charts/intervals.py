"""Dots with intervals: the one form that most charts of a report take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from perimetry.reports.charts.selection import Estimate, ordered
from perimetry.reports.charts.theme import INK, MUTED, SURFACE, ZERO, colour_range, printable, shape_range
from perimetry.reports.numbers import interval_text, number_text, p_text

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Mark", "interval_chart"]

WIDTHS = {1: 760, 2: 410, 3: 250, 4: 180}


@dataclass(frozen=True, slots=True)
class Mark:
    """One dot of an interval chart.

    Parameters
    ----------
    row : str
        Its line on the y axis.
    estimate : Estimate
        Value and interval.
    series : str
        What colour and shape say; empty for charts with one series.
    panel : str
        The panel it stands in; empty for charts with one panel.
    role : {"main", "minor", "reference"}
        ``minor`` is a small dot without interval; ``reference`` a dashed line across the panel.
    """

    row: str
    estimate: Estimate
    series: str = ""
    panel: str = ""
    role: Literal["main", "minor", "reference"] = "main"


def interval_chart(
    marks: Sequence[Mark],
    *,
    rows: Sequence[str] | None = None,
    series: Sequence[str] | None = None,
    panels: Sequence[str] | None = None,
    axis: str = "percent",
    signed: bool = False,
    zero_line: bool = False,
    show_resolved: bool = False,
    independent: bool = False,
    columns: int = 2,
    scale: float = 100.0,
    digits: int = 1,
) -> alt.Chart | alt.LayerChart | alt.FacetChart:
    """Draw dots with intervals on rows, dodged by series, in panels.

    Parameters
    ----------
    marks : sequence of Mark
        Those without a value are left out of the drawing; when none has one, the drawing says so.
    rows, series, panels : sequence of str or None
        Their order; as they occur when None.
    axis : str, default "percent"
        Title of the x axis.
    signed : bool, default False
        Values are differences: tooltips carry the sign.
    zero_line : bool, default False
        Draw zero.
    show_resolved : bool, default False
        Dots whose interval excludes zero are filled, others hollow.
    independent : bool, default False
        Each panel has an x scale of its own.
    columns : int, default 2
        Panels side by side.
    scale : float, default 100
        From the estimates' unit to the axis; 1 for values that are no shares.
    digits : int, default 1
        Decimals in the tooltips.

    Notes
    -----
    Names from data sets and models stand in the data and in scale domains only. A list given as `sort` would become
    part of an expression, which some characters break; so the order comes from the domains, and that
    of panels from a number.

    Returns
    -------
    altair.LayerChart, or altair.FacetChart, or altair.Chart
        Carries its data; a facet chart when there is more than one panel.
    """
    import altair as alt

    shown = [mark for mark in marks if mark.estimate.value is not None]
    body = [mark for mark in shown if mark.role != "reference"]
    if not body:
        blank = alt.Chart(alt.InlineData(values=[{"text": "No value to draw."}]))
        nothing: alt.Chart = blank.mark_text(color=MUTED, fontSize=13, align="left", x=0).encode(text="text:N")
        return nothing.properties(height=40)
    row_order = list(rows) if rows is not None else ordered(mark.row for mark in marks)
    series_order = list(series) if series is not None else ordered(mark.series for mark in body)
    panel_order = list(panels) if panels is not None else ordered(mark.panel for mark in marks)
    values = [datum(mark, scale, signed, panel_order.index(mark.panel), digits) for mark in shown]
    domain = None if independent else wide_enough(values, zero_line, signed or scale != 100.0)
    layers = Layers(row_order, series_order, axis, show_resolved, domain)

    chart = alt.layer(*layers.draw(shown, zero_line))
    width = WIDTHS[max(1, min(columns, len(panel_order), 4))]
    dodge = len(series_order) > 1
    height: Any = {"step": 11, "for": "offset"} if dodge else {"step": 26}
    sized: Any = chart.properties(width=width, height=height)
    if len(panel_order) < 2:
        single: alt.LayerChart = sized.properties(data=alt.InlineData(values=values))
        return single
    faceted: alt.FacetChart = sized.facet(
        facet=alt.Facet("panel:N", sort=alt.EncodingSortField("place", op="min"), title=None),
        columns=columns,
        data=alt.InlineData(values=values),
    )
    resolved: alt.FacetChart = (
        faceted.resolve_scale(x="independent") if independent else faceted.resolve_axis(x="independent")
    )
    return resolved


def wide_enough(values: Sequence[Mapping[str, Any]], zero: bool, free: bool) -> tuple[float, float] | None:
    """A domain for values that lie so close that an axis would have one tick; None where they do not.

    Parameters
    ----------
    values : sequence of mapping
        As `datum` makes them.
    zero : bool
        Zero is drawn as well.
    free : bool
        Values may lie outside 0 to 100.

    Examples
    --------
    >>> wide_enough([{"value": 0.0, "low": 0.0, "high": 0.0}], True, True)
    (-5.0, 5.0)
    >>> wide_enough([{"value": 100.0, "low": None, "high": None}], False, False)
    (90.0, 100.0)
    """
    numbers = [row[key] for row in values for key in ("value", "low", "high") if row[key] is not None]
    numbers += [0.0] if zero else []
    low, high = min(numbers), max(numbers)
    if high - low > max(abs(low), abs(high)) / 1000:
        return None
    if free or low < 0 or high > 100:
        half = max(abs(low), abs(high)) / 10 or 5.0
        return low - half, high + half
    start = min(max(0.0, (low + high) / 2 - 5.0), 90.0)
    return start, start + 10.0


def datum(mark: Mark, scale: float, signed: bool, place: int, digits: int = 1) -> dict[str, Any]:
    """One data row of the chart, tooltips spelt out."""
    it = mark.estimate
    scaled = [None if number is None else round(number * scale, 4) for number in (it.value, it.ci_low, it.ci_high)]
    return {
        "row": mark.row,
        "series": mark.series,
        "panel": printable(mark.panel),
        "place": place,
        "role": mark.role,
        "value": scaled[0],
        "low": scaled[1] if scaled[2] is not None else None,
        "high": scaled[2] if scaled[1] is not None else None,
        "resolved": it.resolved,
        "model": it.model,
        "dataset": it.dataset,
        "label": label(mark),
        "reading": interval_text(it.value, it.ci_low, it.ci_high, digits, scale=scale, sign=signed),
        "items": number_text(it.n, 0),
        "missing": number_text(it.missing, 0),
        "p": p_text(it.p_value),
        "p_positive": p_text(it.p_positive),
    }


def label(mark: Mark) -> str:
    """What a mark shows, beyond its model and data set."""
    parts = [part for part in (mark.panel, mark.series) if part and part != mark.estimate.dataset]
    return " · ".join(parts) or mark.row


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of an interval chart, which share their encodings."""

    rows: list[str]
    series: list[str]
    axis: str
    show_resolved: bool
    domain: tuple[float, float] | None = None

    def draw(self, marks: Sequence[Mark], zero_line: bool) -> list[Any]:
        """Layers from back to front; those without a mark are left out, or their scales would have no extent."""
        import altair as alt

        roles = {mark.role for mark in marks}

        layers: list[Any] = []
        if zero_line:
            # One line a panel, not one a row of data: the rows are folded into one first.
            zero = alt.Chart().transform_aggregate(rows="count()").mark_rule(color=ZERO, strokeWidth=1.2)
            layers.append(zero.encode(x=alt.datum(0, type="quantitative")))
        if "reference" in roles:
            layers.append(
                self.only("reference")
                .mark_rule(strokeWidth=1.5, color=ZERO)
                .encode(
                    x=self.x("value"),
                    strokeDash=alt.StrokeDash(
                        "series:N", title=None, scale=alt.Scale(range=[[6, 4], [2, 3], [8, 3, 2, 3]])
                    ),
                    tooltip=[alt.Tooltip("series:N", title="reference"), alt.Tooltip("reading:N", title="value")],
                )
            )
        coloured: list[Any] = [self.minor()] if "minor" in roles else []
        if "main" in roles:
            states = {mark.estimate.resolved for mark in marks if mark.role == "main"}
            coloured += [self.whisker(), *self.dots(states)]
        if coloured and len(self.series) > 1:
            # A legend answers only when the layer that holds its selection has the legend's colours.
            pick = alt.selection_point(name="pick", fields=["series"], bind="legend")
            coloured[0] = coloured[0].add_params(pick)
        return [*layers, *coloured]

    def only(self, role: str) -> Any:
        """A chart of the marks with that role."""
        import altair as alt

        return alt.Chart().transform_filter(alt.FieldEqualPredicate(field="role", equal=role))

    def x(self, field: str) -> Any:
        """The x channel."""
        import altair as alt

        scale = alt.Scale(domain=list(self.domain)) if self.domain else alt.Scale(zero=False, nice=True)
        return alt.X(f"{field}:Q", title=self.axis, axis=alt.Axis(tickCount=5), scale=scale)

    def places(self) -> dict[str, Any]:
        """Where a mark stands, and its colour."""
        import altair as alt

        count = len(self.series)
        # Between two rows a little more than one mark is left free, however many marks a row has.
        scale = alt.Scale(domain=self.rows, paddingInner=round(1.3 / (count + 1.3), 3) if count > 1 else alt.Undefined)
        channels: dict[str, Any] = {"y": alt.Y("row:N", sort=None, scale=scale, title=None)}
        if len(self.series) > 1:
            channels["yOffset"] = alt.YOffset("series:N", sort=None, scale=alt.Scale(domain=self.series))
            channels["color"] = alt.Color(
                "series:N",
                sort=None,
                scale=alt.Scale(domain=self.series, range=colour_range(self.series)),
                legend=alt.Legend(title=None, columns=4),
            )
            channels["opacity"] = alt.when(alt.param("pick")).then(alt.value(1.0)).otherwise(alt.value(0.15))
        else:
            channels["color"] = alt.value(INK)
        return channels

    def tooltip(self) -> list[Any]:
        """What a mark tells when it is pointed at."""
        import altair as alt

        fields = [
            ("model", "model"),
            ("dataset", "data set"),
            ("label", "shown"),
            ("reading", "value"),
            ("items", "items"),
        ]
        fields += [("missing", "missing"), ("p", "p"), ("p_positive", "P(> 0)")]
        return [alt.Tooltip(f"{field}:N", title=title) for field, title in fields]

    def whisker(self) -> Any:
        """The interval."""
        return (
            self.only("main")
            .mark_rule(strokeWidth=1.8)
            .encode(x=self.x("low"), x2="high:Q", tooltip=self.tooltip(), **self.places())
        )

    def dots(self, states: set[bool]) -> list[Any]:
        """The values: filled, or hollow where the interval holds zero and that is to be shown."""
        import altair as alt

        places = self.places()
        if len(self.series) > 1:
            places["shape"] = alt.Shape(
                "series:N",
                sort=None,
                scale=alt.Scale(domain=self.series, range=shape_range(self.series)),
                legend=alt.Legend(title=None, columns=4),
            )
        full = self.only("main").mark_point(size=64, opacity=1, filled=True)
        if not self.show_resolved:
            return [full.encode(x=self.x("value"), tooltip=self.tooltip(), **places)]
        hollow = self.only("main").mark_point(size=64, opacity=1, filled=False, strokeWidth=2, fill=SURFACE)
        return [
            chart.transform_filter(alt.FieldEqualPredicate(field="resolved", equal=state)).encode(
                x=self.x("value"), tooltip=self.tooltip(), **places
            )
            for chart, state in ((full, True), (hollow, False))
            if state in states
        ]

    def minor(self) -> Any:
        """Small dots without interval."""
        places = self.places()
        return (
            self.only("minor")
            .mark_tick(thickness=2, size=11, opacity=0.55)
            .encode(x=self.x("value"), tooltip=self.tooltip(), **{key: places[key] for key in places if key != "shape"})
        )
