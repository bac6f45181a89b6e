"""Charts as files: SVG and PNG without a network, and the JavaScript that draws them on the page."""

from __future__ import annotations

from functools import cache
from typing import Any

from perimetry.reports.blocks import TopLevelChart
from perimetry.reports.charts.theme import themed

__all__ = ["chart_images", "chart_specification", "vega_javascript"]

PNG_SCALE = 2.0


def chart_specification(chart: TopLevelChart) -> dict[str, Any]:
    """Vega-Lite specification of a chart, with the theme and its data inside."""
    return themed(chart.to_dict())


def chart_images(specification: dict[str, Any]) -> tuple[str, bytes]:
    """Draw a specification.

    Returns
    -------
    (str, bytes)
        SVG text, and a PNG at two pixels a point. The PNG is made from the SVG, so the chart is laid out once.
    """
    import vl_convert

    svg = vl_convert.vegalite_to_svg(specification, vl_version=vegalite_version())
    return svg, vl_convert.svg_to_png(svg, scale=PNG_SCALE)


@cache
def vega_javascript() -> str:
    """Vega, Vega-Lite and Vega-Embed as one classic script that defines `window.vegaEmbed`; about 0.9 MB."""
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=vegalite_version())
    # Its top-level names would otherwise become names of the whole page.
    return f"(function () {{\n{bundle}\n}})();\n"


def vegalite_version() -> str:
    """The converter's Vega-Lite release that Altair writes for, else its newest."""
    import altair as alt
    import vl_convert

    offered: list[str] = vl_convert.get_vegalite_versions()
    wanted = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return wanted if wanted in offered else offered[-1]
