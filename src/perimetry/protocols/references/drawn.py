"""Every level and shift of a metric, on the data and on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.references.material import Material
from perimetry.protocols.references.scores import Cells, MetricScores
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, RateTerm
from perimetry.statistics import Distribution, Rate, two_sided_p

__all__ = ["PROTOCOL", "Drawing", "Level", "Settings", "draw_levels"]

PROTOCOL = "references"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """Resamples behind every interval.

    Parameters
    ----------
    resamples : int, default 10,000
        Of groups within data sets, the same for everything.
    seed : int, default 42
    level : float, default 0.95
    """

    resamples: int = 10_000
    seed: int = 42
    level: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One number with the resamples that its interval is of."""

    estimate: Estimate
    distribution: Distribution


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """Levels and shifts of one metric.

    Parameters
    ----------
    levels : mapping of (dataset, system, condition) to Level
        On the studies that all systems have a value for under every condition; ``condition`` is ``original`` or a
        variation, where a study without an alternative keeps its original score.
    shifts : mapping of (dataset, system, variation) to Level
        Alternative minus original, on the studies that have an alternative.
    """

    levels: Mapping[tuple[str, str, str], Level]
    shifts: Mapping[tuple[str, str, str], Level]

    def datasets(self) -> list[str]:
        """Data sets in order, without their mean."""
        return list(dict.fromkeys(name for name, _, _ in self.levels if name != "macro"))


def draw_levels(material: Material, scores: MetricScores, settings: Settings) -> Drawing:
    """Estimate every system under every condition, and every shift (ReRef section 4.2).

    A shift of a corpus metric is the corpus value on the studies with an alternative minus the same under their
    originals.
    """
    items = Items(material.datasets, material.groups)
    # A mean over other data sets than those of its neighbours would not compare.
    everywhere = {system for system in material.systems if all(system in one.reports.systems for one in material.sets)}
    levels: dict[tuple[str, str, str], Level] = {}
    shifts: dict[tuple[str, str, str], Level] = {}
    drawn = draw_contrasts(
        _contrasts(material, scores),
        items,
        resamples=settings.resamples,
        seed=settings.seed,
        level=settings.level,
        average=len(material.sets) > 1,
    )
    for one in drawn:
        row = one.estimate
        if one.distribution is None or (row.dataset == "macro" and row.model not in everywhere):
            continue
        key = (row.dataset, row.model, row.condition)
        if row.comparator:
            p_value = two_sided_p(one.distribution.samples) if one.distribution.groups > 1 else float("nan")
            method = f"{row.method}; two-sided p of the resamples"
            shifts[key] = Level(replace(row, p_value=p_value, method=method), one.distribution)
        else:
            levels[key] = Level(row, one.distribution)
    return Drawing(levels, shifts)


def _contrasts(material: Material, scores: MetricScores) -> Iterator[Contrast]:
    rate = scores.named.metric.rate
    for system in material.systems:
        here = scores.present[system]
        used = scores.common & here
        for condition in (ORIGINAL, *material.variations):
            row = _row(scores, system, condition)
            yield Contrast(row, (_term(scores.cells[system, condition], rate, used),), here & ~used)
        original = scores.cells[system, ORIGINAL]
        for variation in material.variations:
            cell = scores.cells[system, variation]
            able = scores.feasible[variation] & here
            both = able & original.known & cell.known
            row = replace(_row(scores, system, variation), comparator=ORIGINAL)
            terms = (_term(cell, rate, both), _term(original, rate, both, -1))
            yield Contrast(row, terms, able & ~both, difference=True)


def _term(cells: Cells, rate: Rate, used: Flags, sign: int = 1) -> RateTerm:
    columns = tuple(np.where(used, cells.statistics[:, at], 0.0) for at in range(cells.statistics.shape[1]))
    return RateTerm(columns, rate, used, sign)


def _row(scores: MetricScores, system: str, condition: str) -> Estimate:
    info = scores.named.info
    return Estimate(
        PROTOCOL,
        "",
        system,
        scores.named.label,
        condition,
        direction=info.direction,
        version=info.signature,
    )
