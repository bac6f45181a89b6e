"""Colours and type of every chart: Okabe-Ito, in a light form that is saved and a dark one for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "DARK",
    "GRID",
    "INK",
    "MUTED",
    "SHAPES",
    "SURFACE",
    "colour_range",
    "printable",
    "shape_range",
    "short_names",
    "themed",
]

INK = "#1b1f24"
MUTED = "#5a636e"
GRID = "#e4e7eb"
ZERO = "#8d96a0"
SURFACE = "#ffffff"

# Okabe and Ito, "Color Universal Design" (2008). Its yellow is not visible on white (contrast 1.3) and is left out;
# ink and a grey stand in for its black and make eight.
BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#009e73"
ORANGE = "#e69f00"
PURPLE = "#cc79a7"
SKY = "#56b4e9"
GREY = "#7d8590"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, GREY, INK)

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left")

# Conditions keep their colour from page to page, whichever of them a run has.
CONDITIONS = {
    "real": (INK, "circle"),
    "retest": (GREY, "circle"),
    "blank": (ORANGE, "square"),
    "shuffle": (BLUE, "diamond"),
    "noimage": (VERMILLION, "triangle-down"),
    "hardneg": (GREEN, "triangle-up"),
    "mismatch": (PURPLE, "cross"),
}

DARK = {
    INK: "#eef1f5",
    MUTED: "#a9b2bd",
    GRID: "#343b45",
    ZERO: "#77818c",
    SURFACE: "#171b20",
    BLUE: "#3f9bdc",
    SKY: "#93d3f7",
    GREY: "#98a1ac",
}
"""Light colour to dark colour; the page swaps them in the specification where the reader prefers dark."""

FONT = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def shape_range(names: Sequence[str]) -> list[str]:
    """One shape a name; known conditions keep theirs."""
    return [CONDITIONS[name][1] if name in CONDITIONS else SHAPES[i % len(SHAPES)] for i, name in enumerate(names)]


def colour_range(names: Sequence[str]) -> list[str]:
    """One colour a name; known conditions keep theirs, other names take what is left, in order.

    Examples
    --------
    >>> colour_range(["real", "something"])
    ['#1b1f24', '#0072b2']
    """
    taken = {CONDITIONS[name][0] for name in names if name in CONDITIONS}
    free = [colour for colour in CYCLE if colour not in taken] or list(CYCLE)
    others = [name for name in names if name not in CONDITIONS]
    given = {name: free[i % len(free)] for i, name in enumerate(others)}
    return [CONDITIONS[name][0] if name in CONDITIONS else given[name] for name in names]


def short_names(names: Sequence[str], width: int = 26) -> dict[str, str]:
    """Names that fit an axis: long ones lose their middle, and no two become the same.

    Parameters
    ----------
    names : sequence of str
    width : int, default 26
        Characters, at least 8.

    Examples
    --------
    >>> short_names(["a", "organisation/a-model-with-a-very-long-name-7b-instruct"], 20)
    {'a': 'a', 'organisation/a-model-with-a-very-long-name-7b-instruct': 'organisat…b-instruct'}
    """
    short: dict[str, str] = {}
    used: set[str] = set()
    for name in dict.fromkeys(names):
        plain = printable(name)
        label = middle_cut(plain, width)
        number = 2
        while label in used:
            suffix = f" ({number})"
            label = middle_cut(plain, width - len(suffix)) + suffix
            number += 1
        used.add(label)
        short[name] = label
    return short


def printable(name: str) -> str:
    """A name on one line: line breaks, control characters and runs of blanks become one blank."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())


def middle_cut(name: str, width: int) -> str:
    """A name without its middle when it is longer than the width."""
    if len(name) <= width:
        return name
    head = (width - 1) // 2
    return f"{name[:head]}…{name[len(name) - (width - 1 - head) :]}"


def themed(specification: dict[str, Any]) -> dict[str, Any]:
    """A Vega-Lite specification with the project's theme under its own configuration."""
    config = merge(theme(), specification.get("config", {}))
    return {**specification, "config": config}


def merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Two nested mappings, the second one winning."""
    out = dict(base)
    for key, value in over.items():
        mine = out.get(key)
        out[key] = merge(mine, value) if isinstance(mine, dict) and isinstance(value, dict) else value
    return out


def theme() -> dict[str, Any]:
    """Vega-Lite configuration of every chart."""
    return {
        "background": SURFACE,
        "font": FONT,
        "padding": 6,
        "view": {"stroke": None},
        "axis": {
            "labelColor": INK,
            "titleColor": MUTED,
            "titleFontWeight": "normal",
            "labelFontSize": 12,
            "titleFontSize": 12,
            "gridColor": GRID,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            "titlePadding": 8,
            "labelLimit": 240,
        },
        "axisX": {"labelColor": MUTED},
        "header": {
            "labelColor": INK,
            "labelFontSize": 13,
            "labelFontWeight": "bold",
            "labelAnchor": "start",
            "title": None,
            "labelLimit": 400,
            "labelPadding": 8,
        },
        "legend": {
            "labelColor": INK,
            "titleColor": MUTED,
            "titleFontWeight": "normal",
            "labelFontSize": 12,
            "titleFontSize": 12,
            "orient": "top",
            "labelLimit": 240,
            "symbolSize": 70,
            "columnPadding": 16,
            "symbolStrokeWidth": 2,
            "offset": 14,
        },
        "title": {
            "color": INK,
            "subtitleColor": MUTED,
            "anchor": "start",
            "fontSize": 14,
            "subtitleFontSize": 12,
            "offset": 12,
        },
    }
