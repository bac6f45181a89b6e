"""The contract of every report metric: values with reasons, and counts whose sums give the metric."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.scoring.metric import MetricInfo
from perimetry.statistics import Rate, ratio

__all__ = ["Report", "ReportMetric", "ScoreTable", "mean_table"]

Numbers = NDArray[np.float64]
Report = str | None
"""A report's text; None where there is none (a failed request, an empty cell)."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """What a metric gives for some pairs of reports, one row a pair.

    Parameters
    ----------
    values : float array, (reports,)
        Per-report value; nan where it is missing.
    reasons : tuple of str
        Why a value is missing; empty where it is not.
    statistics : float array, (reports, columns)
        Sufficient statistics: `ReportMetric.rate` of their (weighted) sums is the metric of a set of reports. Rows of
        missing values are zero in every column.
    columns : tuple of str
        Names of the statistics, unique.
    notes : tuple of str, default ()
        What to know of a value that is there, for example that the report was cut at 512 tokens; empty strings, or no
        tuple at all, for nothing.
    """

    values: Numbers
    reasons: tuple[str, ...]
    statistics: Numbers
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rows = len(self.values)
        if len(self.reasons) != rows or self.statistics.shape != (rows, len(self.columns)):
            raise ValueError(
                f"a score table of {rows} values has {len(self.reasons)} reasons and statistics of shape "
                f"{self.statistics.shape} for {len(self.columns)} columns"
            )
        if self.notes and len(self.notes) != rows:
            raise ValueError(f"a score table of {rows} values has {len(self.notes)} notes")

    @property
    def missing(self) -> int:
        """Reports without a value."""
        return int(np.isnan(self.values).sum())


class ReportMetric(ABC):
    """A metric of generated reports against references.

    Subclasses are cheap to construct: weights, lexicons and models are opened on first use. Row order and batch size
    never change a value; a metric that cannot be computed for a pair is missing with a reason, and never 0, 0.5 or 1.
    A report that is empty where the other is not scores the worst value.
    """

    @property
    @abstractmethod
    def info(self) -> MetricInfo:
        """Name, version, direction, range, parameters and citation; these travel with each estimate."""

    @abstractmethod
    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position.

        Raises
        ------
        UsageError
            When the two sequences differ in length.
        """

    @property
    def rate(self) -> Rate:
        """From sums of statistics ``(..., columns)`` to the metric ``(...)``; the mean of values by default."""
        return ratio(0, 1)

    def obstacle(self) -> str:
        """Why it cannot run on this machine now; empty if it can. Opens nothing."""
        return ""

    def aggregate(self, table: ScoreTable, weights: Sequence[float] | Numbers | None = None) -> float:
        """The metric of a set of reports, each counted as often as its weight says (once by default).

        Returns
        -------
        float
            nan where no report has a value.
        """
        weight = np.ones(len(table.values)) if weights is None else np.asarray(weights, dtype=np.float64)
        return float(self.rate(weight @ table.statistics))


def mean_table(values: Sequence[float] | Numbers, reasons: Sequence[str]) -> ScoreTable:
    """Table of a metric whose value for a set is the mean of its reports' values.

    Examples
    --------
    >>> mean_table([0.5, float("nan")], ["", "the reference is empty"]).statistics.tolist()
    [[0.5, 1.0], [0.0, 0.0]]
    """
    array = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(array)
    statistics = np.column_stack([np.where(known, array, 0.0), known.astype(np.float64)])
    return ScoreTable(array, tuple(reasons), statistics, ("value", "reports"))
