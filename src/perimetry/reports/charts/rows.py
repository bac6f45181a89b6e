"""Which rows of the estimates a chart draws, and the chart in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perimetry.cases.errors import DataError
from perimetry.reports.charts.selection import AVERAGES, Estimate, main_dataset, ordered
from perimetry.reports.numbers import interval_text

__all__ = ["alt_text", "found", "of_main", "panel_names", "within", "without_lone_average"]

LISTED_IN_ALT = 12


def of_main(rows: Sequence[Estimate]) -> list[Estimate]:
    """Rows of the only data set, or of the mean over several."""
    main = main_dataset(rows)
    return [row for row in rows if main is None or row.dataset == main]


def within(rows: Sequence[Estimate], datasets: Iterable[str] | None = None) -> list[Estimate]:
    """Rows of those data sets; ``pooled`` only where it is asked for."""
    if datasets is None:
        return [row for row in rows if row.dataset != "pooled"]
    wanted = frozenset(datasets)
    return [row for row in rows if row.dataset in wanted]


def without_lone_average(rows: Sequence[Estimate]) -> list[Estimate]:
    """Rows without the macro-mean when it is the mean of one data set."""
    own = {row.dataset for row in rows if row.dataset not in AVERAGES}
    return [row for row in rows if len(own) != 1 or row.dataset in own]


def panel_names(rows: Sequence[Estimate]) -> list[str]:
    """Averages first, then data sets as they occur."""
    return ordered((row.dataset for row in rows), first=AVERAGES)


def found(rows: Sequence[Estimate], what: str) -> None:
    """Raise when there is nothing to draw."""
    if not rows:
        raise DataError(
            f"The estimates hold no row of {what} to draw. Leave this chart out, or compute the metric first."
        )


def alt_text(title: str, rows: Sequence[Estimate], sign: bool) -> str:
    """The chart in words: the first dozen values, and how many more there are."""
    parts = []
    for row in rows[:LISTED_IN_ALT]:
        names = " ".join(part for part in (row.model, row.dataset, row.metric, row.condition) if part)
        parts.append(f"{names} {interval_text(row.value, row.ci_low, row.ci_high, sign=sign)}")
    more = len(rows) - len(parts)
    return f"{title}. {'; '.join(parts)}{f'; and {more} more values' if more > 0 else ''}."
