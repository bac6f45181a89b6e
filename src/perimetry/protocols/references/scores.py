"""One metric of every system under the references as they are and under every variation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.references.material import Material
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.protocols.score.scored import NamedMetric, belongs
from perimetry.scoring.report_metric import Report, ScoreTable

__all__ = ["Cells", "MetricScores", "score_metric", "wanted_pairs"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A system under one set of references, over the studies of all data sets.

    Parameters
    ----------
    values : float array, (studies,)
        nan where there is none.
    statistics : float array, (studies, columns)
    known : bool array, (studies,)
        Studies that belong to the metric's sets; see `belongs`.
    """

    values: Numbers
    statistics: Numbers
    known: Flags


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """Everything that one metric gave.

    Parameters
    ----------
    named : NamedMetric
    cells : mapping of (system, condition) to Cells
        Under a variation, studies without an alternative keep what they have under the original.
    present : mapping of system to bool array, (studies,)
        Studies of the data sets that it has reports for.
    feasible : mapping of variation to bool array, (studies,)
        Studies that have an alternative.
    common : bool array, (studies,)
        Studies that have a value for every system of their data set under every condition: what is ranked on.
    missing : tuple of (system, condition, reason, int)
        Values that could not be computed, counted.
    """

    named: NamedMetric
    cells: Mapping[tuple[str, str], Cells]
    present: Mapping[str, Flags]
    feasible: Mapping[str, Flags]
    common: Flags
    missing: tuple[tuple[str, str, str, int], ...]


def wanted_pairs(material: Material) -> tuple[list[Report], list[Report]]:
    """Hypotheses and references of everything that is scored, in a fixed order: what judges would be asked."""
    blocks = list(_blocks(material))
    return [one for block in blocks for one in block.ours], [one for block in blocks for one in block.theirs]


def score_metric(material: Material, named: NamedMetric) -> MetricScores:
    """Score all systems under all references; all pairs in one call, so that texts are read once."""
    whole = named.metric.score(*wanted_pairs(material))
    known = belongs(whole)
    total = len(material.groups)
    conditions = (ORIGINAL, *material.variations)
    cells = {
        (system, condition): Cells(
            np.full(total, np.nan), np.zeros((total, len(whole.columns))), np.zeros(total, dtype=bool)
        )
        for system in material.systems
        for condition in conditions
    }
    present = {system: np.zeros(total, dtype=bool) for system in material.systems}
    feasible = {each: np.zeros(total, dtype=bool) for each in material.variations}
    lost: dict[tuple[str, str, str], int] = {}
    start = 0
    for block in _blocks(material):
        part = slice(start, start + len(block.rows))
        start = part.stop
        # Originals come first in every data set, and stand in until an alternative takes their place.
        for condition in conditions if block.condition == ORIGINAL else (block.condition,):
            cell = cells[block.system, condition]
            cell.values[block.rows] = whole.values[part]
            cell.statistics[block.rows] = whole.statistics[part]
            cell.known[block.rows] = known[part]
        (present[block.system] if block.condition == ORIGINAL else feasible[block.condition])[block.rows] = True
        _count(lost, block, whole, part)
    common = np.logical_and.reduce([cell.known | ~present[system] for (system, _), cell in cells.items()])
    missing = tuple((*key, count) for key, count in lost.items())
    return MetricScores(named, cells, present, feasible, np.asarray(common, dtype=bool), missing)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """A system under one condition in one data set; rows are studies of all data sets."""

    system: str
    condition: str
    rows: NDArray[np.int64]
    ours: tuple[Report, ...]
    theirs: tuple[Report, ...]


def _blocks(material: Material) -> Iterator[_Block]:
    first = 0
    for one in material.sets:
        for condition in (ORIGINAL, *material.variations):
            theirs = one.reference(condition)
            rows = [row for row in range(len(theirs)) if condition == ORIGINAL or theirs[row] is not None]
            if not rows:
                continue
            for system, ours in one.reports.systems.items():
                yield _Block(
                    system,
                    condition,
                    np.asarray(rows, dtype=np.int64) + first,
                    tuple(ours[row] for row in rows),
                    tuple(theirs[row] for row in rows),
                )
        first += len(one.reports)


def _count(lost: dict[tuple[str, str, str], int], block: _Block, whole: ScoreTable, part: slice) -> None:
    for reason in whole.reasons[part]:
        if reason:
            key = (block.system, block.condition, reason)
            lost[key] = lost.get(key, 0) + 1
