"""Rows of the estimates table, picked and typed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perimetry.cases.errors import DataError
from perimetry.reports.numbers import resolved

if TYPE_CHECKING:
    import polars as pl

__all__ = ["AVERAGES", "Estimate", "main_dataset", "ordered", "select_estimates"]

AVERAGES = ("macro", "pooled")
"""Names in the column `dataset` that are no data set: the mean over data sets, and all items together."""

NEEDED = ("dataset", "model", "metric", "condition", "comparator", "stratum", "value", "ci_low", "ci_high")


@dataclass(frozen=True, slots=True)
class Estimate:
    """One row of the estimates table, as far as a chart needs it; fields are its columns, "" for empty text."""

    dataset: str
    model: str
    metric: str
    condition: str = ""
    comparator: str = ""
    stratum: str = "all"
    value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    n: int | None = None
    groups: int | None = None
    missing: int | None = None
    p_value: float | None = None
    p_holm: float | None = None
    p_positive: float | None = None
    direction: str = ""

    @property
    def resolved(self) -> bool:
        """Whether the interval excludes zero."""
        return resolved(self.ci_low, self.ci_high)


def select_estimates(
    estimates: pl.DataFrame,
    metrics: Iterable[str] | None = None,
    *,
    stratum: str | None = "all",
    models: Iterable[str] | None = None,
    comparisons: bool = False,
) -> tuple[Estimate, ...]:
    """Pick rows of the estimates table in their order.

    Parameters
    ----------
    estimates : polars.DataFrame
        The tidy table (columns of the design; further ones are ignored).
    metrics, models : iterable of str or None
        Keep only these; None keeps all.
    stratum : str or None, default "all"
        Keep only that stratum; an empty stratum counts as "all". None keeps every one.
    comparisons : bool, default False
        False leaves out rows that compare two models (`comparator` is ``model:NAME``); True keeps only those.

    Raises
    ------
    DataError
        When the table lacks a column.

    Examples
    --------
    >>> import polars as pl
    >>> row = dict(dataset="d", model="m", metric="vrs", condition="", comparator=None, stratum="all")
    >>> table = pl.DataFrame([{**row, "value": 0.1, "ci_low": 0.05, "ci_high": 0.15}])
    >>> select_estimates(table, ["vrs"])[0].resolved
    True
    """
    import polars as pl

    absent = [name for name in NEEDED if name not in estimates.columns]
    if absent:
        raise DataError(
            f"The estimates table has no column {', '.join(map(repr, absent))}; found {', '.join(estimates.columns)}. "
            "Pass the table that scoring writes (estimates.parquet)."
        )
    # The table does the picking: a page asks some forty times, and a row is typed once it is wanted.
    held = estimates
    for column, names in (("metric", metrics), ("model", models)):
        if names is not None:
            held = held.filter(pl.col(column).fill_null("").is_in(list(names)))
    picked = (estimate_of(row) for row in held.iter_rows(named=True))
    return tuple(
        row
        for row in picked
        if (stratum is None or row.stratum == stratum) and row.comparator.startswith("model:") == comparisons
    )


def estimate_of(row: dict[str, Any]) -> Estimate:
    """Type one row; a value that is not finite is missing."""
    return Estimate(
        dataset=row["dataset"] or "",
        model=row["model"] or "",
        metric=row["metric"] or "",
        condition=row["condition"] or "",
        comparator=row["comparator"] or "",
        stratum=row["stratum"] or "all",
        value=number(row["value"]),
        ci_low=number(row["ci_low"]),
        ci_high=number(row["ci_high"]),
        n=count(row.get("n")),
        groups=count(row.get("groups")),
        missing=count(row.get("missing")),
        p_value=number(row.get("p_value")),
        p_holm=number(row.get("p_holm")),
        p_positive=number(row.get("p_positive")),
        direction=str(row.get("direction") or ""),
    )


def number(value: Any) -> float | None:
    """A finite float, or None."""
    return None if value is None or not math.isfinite(value) else float(value)


def count(value: Any) -> int | None:
    """A whole number, or None."""
    return None if value is None else int(value)


def ordered(names: Iterable[str], first: Sequence[str] = (), last: Sequence[str] = ()) -> list[str]:
    """Names once each: those in `first` in that order, others as they occur, those in `last` at the end.

    Examples
    --------
    >>> ordered(["b", "macro", "a", "b"], first=("a",), last=("macro",))
    ['a', 'b', 'macro']
    """
    seen = list(dict.fromkeys(names))
    head = [name for name in first if name in seen]
    tail = [name for name in last if name in seen and name not in head]
    return [*head, *(name for name in seen if name not in head and name not in tail), *tail]


def main_dataset(rows: Sequence[Estimate]) -> str | None:
    """The row of `dataset` that stands for a model: the only data set, else ``macro``; None when there is neither."""
    own = ordered(row.dataset for row in rows if row.dataset not in AVERAGES)
    if len(own) == 1:
        return own[0]
    return "macro" if any(row.dataset == "macro" for row in rows) else None
