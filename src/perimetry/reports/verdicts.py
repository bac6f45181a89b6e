"""Verdicts drawn as intervals on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.reports.numbers import interval_text, number_text, resolved
from perimetry.reports.site import Verdict

__all__ = ["SIGNS", "Strip", "strips"]

SIGNS = {"good": "✓", "partial": "◐", "bad": "✕", "mixed": "±", "open": "?"}
WIDTH = 200.0
MARGIN = 8.0


@dataclass(frozen=True, slots=True)
class Strip:
    """Coordinates of one interval, in pixels of a strip 200 wide."""

    zero: float
    value: float
    low: float | None
    high: float | None
    filled: bool
    text: str


def strips(verdicts: Sequence[Verdict]) -> tuple[tuple[Strip | None, ...], tuple[tuple[float, str], ...], str]:
    """Place the figures of all verdicts on one axis.

    Returns
    -------
    (strips, ticks, label)
        A strip for each verdict (None where there is no value), the axis' ticks as (position, text), its label.
    """
    figures = [verdict.figure for verdict in verdicts]
    numbers = [
        number
        for figure in figures
        if figure
        for number in (figure.value, figure.low, figure.high)
        if number is not None
    ]
    if not numbers:
        return (None,) * len(figures), (), ""
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    span = (high - low) or 0.1

    def place(value: float) -> float:
        return round(MARGIN + (value - low) / span * (WIDTH - 2 * MARGIN), 1)

    drawn: list[Strip | None] = []
    for figure in figures:
        if figure is None or figure.value is None:
            drawn.append(None)
            continue
        ends = None if figure.low is None or figure.high is None else (place(figure.low), place(figure.high))
        text = f"{figure.label}: {interval_text(figure.value, figure.low, figure.high, sign=True)}"
        drawn.append(
            Strip(
                place(0.0),
                place(figure.value),
                ends[0] if ends else None,
                ends[1] if ends else None,
                resolved(figure.low, figure.high),
                text,
            )
        )
    marks = [low, 0.0, high] if low < 0 < high else [low, high]
    ticks = tuple((place(mark), number_text(mark, 0, scale=100, sign=True)) for mark in dict.fromkeys(marks))
    # Labels closer than 26 pixels would run into each other; zero is the one to keep.
    kept = tuple(tick for tick in ticks if tick[0] == place(0.0) or abs(tick[0] - place(0.0)) > 26)
    return tuple(drawn), kept, next(figure.label for figure in figures if figure)
