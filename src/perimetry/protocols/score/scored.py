"""Scores of every metric and system, and which rows belong to a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.protocols.score.reports import Reports
from perimetry.scoring.labels.f1 import NOTHING_STATED
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.report_metric import ReportMetric, ScoreTable

__all__ = ["NamedMetric", "Scored", "belongs"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class NamedMetric:
    """A metric under the name that it has in every table of a run.

    Parameters
    ----------
    label : str
        Its own name; as it was spelled where two of a run have the same name.
    metric : ReportMetric
    """

    label: str
    metric: ReportMetric

    @property
    def info(self) -> MetricInfo:
        """What the metric declares."""
        return self.metric.info


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Reports and what every metric gave for every system.

    Parameters
    ----------
    reports : Reports
    metrics : tuple of NamedMetric
    tables : mapping of label to (mapping of system to ScoreTable)
    """

    reports: Reports
    metrics: tuple[NamedMetric, ...]
    tables: Mapping[str, Mapping[str, ScoreTable]]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names in the order in which they were given."""
        return tuple(self.reports.systems)

    def shared(self, label: str) -> Flags:
        """Reports that belong to the metric's sets of every system: the only ones on which all may be held together."""
        every = np.logical_and.reduce([belongs(table) for table in self.tables[label].values()])
        return np.asarray(every, dtype=bool)

    def frame(self) -> pl.DataFrame:
        """One row a report and system: ``dataset, id, group, system``; per metric its value, or the reason for none.

        A metric's columns are its label, and the label with ``_reason`` behind it; ``_note`` too where a metric notes
        something on values that are there. The reason is empty where there is a value.
        """
        count = len(self.reports)
        parts = []
        for system in self.systems:
            columns: dict[str, Sequence[object] | NDArray[np.float64]] = {
                "dataset": [self.reports.name] * count,
                "id": self.reports.ids,
                "group": self.reports.groups,
                "system": [system] * count,
            }
            for named in self.metrics:
                table = self.tables[named.label][system]
                columns[named.label] = table.values
                columns[f"{named.label}_reason"] = table.reasons
                if any(any(one.notes) for one in self.tables[named.label].values()):
                    columns[f"{named.label}_note"] = table.notes or ("",) * count
            parts.append(pl.DataFrame(columns))
        return pl.concat(parts).with_columns(pl.col(pl.Float64).fill_nan(None))

    def missing(self) -> pl.DataFrame:
        """Values that could not be computed, counted: ``system, metric, reason, count, counted_in_sets``."""
        rows = []
        for named in self.metrics:
            for system, table in self.tables[named.label].items():
                counts: dict[str, int] = {}
                for reason in table.reasons:
                    if reason:
                        counts[reason] = counts.get(reason, 0) + 1
                rows += [
                    (system, named.label, reason, count, reason == NOTHING_STATED) for reason, count in counts.items()
                ]
        schema = {
            "system": pl.String,
            "metric": pl.String,
            "reason": pl.String,
            "count": pl.Int64,
            "counted_in_sets": pl.Boolean,
        }
        return pl.DataFrame(rows, schema=schema, orient="row")


def belongs(table: ScoreTable) -> Flags:
    """Rows that belong to the metric of a set: those with a value, and those without one that state nothing.

    A pair in which neither report states a class has no F1 of its own, and yet another system's false positive on the
    same case counts: such a row stays in every set and every paired difference, with zeros.

    Examples
    --------
    >>> from perimetry.scoring.report_metric import mean_table
    >>> belongs(mean_table([0.5, float("nan"), float("nan")], ["", NOTHING_STATED, "the reference is None"])).tolist()
    [True, True, False]
    """
    stated = np.fromiter((reason == NOTHING_STATED for reason in table.reasons), dtype=bool, count=len(table.reasons))
    return np.asarray(~np.isnan(table.values) | stated, dtype=bool)
