"""Which rows the charts of the occlusion audit draw, and a chart in words."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.reports.charts.selection import Estimate, main_dataset
from perimetry.reports.numbers import interval_text

__all__ = ["MOST_MODELS", "in_words", "main_rows", "percent"]

MOST_MODELS = 12
"""Panels of a chart at most."""


def main_rows(rows: Sequence[Estimate]) -> list[Estimate]:
    """Rows of the data set that stands for a model: the only one, else the mean over data sets."""
    main = main_dataset(rows)
    return [row for row in rows if row.dataset == main and row.model]


def percent(value: float | None) -> float | None:
    """A share in percent; missing stays missing."""
    return None if value is None else round(100.0 * value, 4)


def in_words(title: str, rows: Sequence[Estimate], sign: bool = False) -> str:
    """The chart in words: the first dozen values."""
    shown = [row for row in rows if row.value is not None]
    parts = [
        f"{row.model} {row.condition} {row.stratum if row.stratum != 'all' else ''} "
        f"{interval_text(row.value, row.ci_low, row.ci_high, sign=sign)}"
        for row in shown[:12]
    ]
    more = len(shown) - len(parts)
    text = "; ".join(" ".join(part.split()) for part in parts)
    return f"{title}. {text}{f'; and {more} more values' if more > 0 else ''}."
