"""Style profiles of systems and references, and how style goes with shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.references.drawn import PROTOCOL, Settings
from perimetry.protocols.references.material import Material, References
from perimetry.protocols.references.scores import MetricScores
from perimetry.protocols.references.spread import ALL_SYSTEMS
from perimetry.protocols.references.style import FEATURES, style_matrix
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, RateTerm, Term
from perimetry.scoring.report_metric import Report
from perimetry.statistics import divide

__all__ = ["REFERENCES", "Styles", "correlation", "link_estimates", "profile_estimates", "read_styles", "slope"]

Numbers = NDArray[np.float64]

REFERENCES = "references"
"""In the column ``model`` of a reference set's own profile."""

_VERSION = "style/1"


class Styles:
    """Style of every text of an audit, over the studies of all data sets.

    Parameters
    ----------
    systems : mapping of system to (numerators, denominators)
        Zero where a system has no report.
    references : mapping of condition to (numerators, denominators)
        Under a variation, a study without an alternative has its original.
    """

    def __init__(
        self, systems: dict[str, tuple[Numbers, Numbers]], references: dict[str, tuple[Numbers, Numbers]]
    ) -> None:
        self.systems = systems
        self.references = references


def read_styles(material: Material) -> Styles:
    """Read every text once."""
    systems: dict[str, tuple[Numbers, Numbers]] = {}
    for system in material.systems:
        systems[system] = _stacked(
            [
                list(one.reports.systems[system]) if system in one.reports.systems else [None] * len(one.reports)
                for one in material.sets
            ],
            [system in one.reports.systems for one in material.sets],
        )
    references = {}
    for condition in (ORIGINAL, *material.variations):
        texts: list[list[Report]] = [
            [
                alternative if alternative is not None else original
                for alternative, original in zip(_written(one, condition), one.reports.references, strict=True)
            ]
            for one in material.sets
        ]
        references[condition] = _stacked(texts, [True] * len(texts))
    return Styles(systems, references)


def profile_estimates(material: Material, styles: Styles, settings: Settings) -> list[Estimate]:
    """``style:FEATURE`` of every system and of the references under every condition."""

    def contrasts() -> Iterator[Contrast]:
        held = [(system, "", pair) for system, pair in styles.systems.items()]
        held += [(REFERENCES, condition, pair) for condition, pair in styles.references.items()]
        nothing = np.zeros(len(material.groups), dtype=bool)
        for name, condition, (up, down) in held:
            for place, feature in enumerate(FEATURES):
                row = Estimate(PROTOCOL, "", name, f"style:{feature.name}", condition, version=_VERSION)
                yield Contrast(row, (Term(up[:, place], down[:, place]),), nothing)

    everywhere = {system for system in material.systems if all(system in one.reports.systems for one in material.sets)}
    rows = _drawn(material, contrasts(), settings)
    return [row for row in rows if row.dataset != "macro" or row.model in (REFERENCES, *everywhere)]


def link_estimates(material: Material, scores: MetricScores, styles: Styles, settings: Settings) -> list[Estimate]:
    """``style_link:METRIC``, ``style_slope:METRIC``: which reports gain when the reference comes nearer to their style.

    For a report, a feature and a variation, the approach is how much nearer the alternative is to the report than the
    original was: ``|report - original| - |report - alternative|``. The slope is that of the regression of the report's
    shift on it, over all systems, the link its correlation; ``stratum`` is the feature. Positive, by a metric of which
    higher is better: the variation helps those that write this way already. It says why, not how much.
    """

    def contrasts() -> Iterator[Contrast]:
        info = scores.named.info
        original = _per_report(styles.references[ORIGINAL])
        for variation in material.variations:
            alternative = _per_report(styles.references[variation])
            for place, feature in enumerate(FEATURES):
                columns = [np.zeros(len(material.groups)) for _ in range(6)]
                for system in material.systems:
                    mine = _per_report(styles.systems[system])[:, place]
                    x = np.abs(mine - original[:, place]) - np.abs(mine - alternative[:, place])
                    y = scores.cells[system, variation].values - scores.cells[system, ORIGINAL].values
                    used = scores.feasible[variation] & scores.present[system] & ~np.isnan(x) & ~np.isnan(y)
                    x, y = np.where(used, x, 0.0), np.where(used, y, 0.0)
                    for column, add in zip(columns, (used, x, y, x * x, x * y, y * y), strict=True):
                        column += add
                row = Estimate(
                    PROTOCOL,
                    "",
                    ALL_SYSTEMS,
                    f"style_link:{scores.named.label}",
                    variation,
                    ORIGINAL,
                    feature.name,
                    version=f"{info.signature}|{_VERSION}",
                )
                counted = columns[0] > 0
                if counted.any():
                    other = replace(row, metric=f"style_slope:{scores.named.label}")
                    for each, rate in ((row, correlation), (other, slope)):
                        yield Contrast(each, (RateTerm(tuple(columns), rate, counted),), ~counted & False)

    return _drawn(material, contrasts(), settings)


def correlation(sums: Numbers) -> Numbers:
    """Pearson's r from sums of ``1, x, y, xx, xy, yy``; nan where a side does not vary.

    Examples
    --------
    >>> x, y = np.asarray([1.0, 2.0, 4.0]), np.asarray([3.0, 5.0, 9.0])
    >>> float(correlation(np.asarray([3, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()])).round(6))
    1.0
    """
    n, x, y, xx, xy, yy = (sums[..., place] for place in range(6))
    along = n * xx - x * x
    across = n * yy - y * y
    # What does not vary leaves only round-off.
    along = np.where(along > 1e-9 * np.maximum(n * xx, 1e-300), along, 0.0)
    across = np.where(across > 1e-9 * np.maximum(n * yy, 1e-300), across, 0.0)
    return divide(n * xy - x * y, np.sqrt(along * across))


def slope(sums: Numbers) -> Numbers:
    """Slope of the regression of y on x from sums as `correlation` takes them; nan where x does not vary.

    Examples
    --------
    >>> x, y = np.asarray([1.0, 2.0, 4.0]), np.asarray([3.0, 5.0, 9.0])
    >>> float(slope(np.asarray([3, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()])).round(6))
    2.0
    """
    n, x, y, xx, xy = (sums[..., place] for place in range(5))
    along = n * xx - x * x
    return divide(n * xy - x * y, np.where(along > 1e-9 * np.maximum(n * xx, 1e-300), along, 0.0))


def _drawn(material: Material, contrasts: Iterator[Contrast], settings: Settings) -> list[Estimate]:
    drawn = draw_contrasts(
        contrasts,
        Items(material.datasets, material.groups),
        resamples=settings.resamples,
        seed=settings.seed,
        level=settings.level,
        average=len(material.sets) > 1,
    )
    return [one.estimate for one in drawn if one.distribution is not None]


def _written(one: References, condition: str) -> tuple[Report, ...]:
    """As written: the form of the set may have taken marks of a layout away."""
    return one.reports.references if condition == ORIGINAL else one.alternatives.written[condition]


def _stacked(texts: Sequence[Sequence[Report]], there: Sequence[bool]) -> tuple[Numbers, Numbers]:
    pairs = [style_matrix(each) for each in texts]
    ups = [up if present else np.zeros_like(up) for (up, _), present in zip(pairs, there, strict=True)]
    downs = [down if present else np.zeros_like(down) for (_, down), present in zip(pairs, there, strict=True)]
    return np.concatenate(ups), np.concatenate(downs)


def _per_report(pair: tuple[Numbers, Numbers]) -> Numbers:
    return divide(pair[0], pair[1])
