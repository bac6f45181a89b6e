"""Everything that a reference audit estimates, metric by metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from perimetry.protocols.references.drawn import PROTOCOL, Drawing, Settings, draw_levels
from perimetry.protocols.references.material import Material
from perimetry.protocols.references.profiles import link_estimates, profile_estimates, read_styles
from perimetry.protocols.references.rankings import Order, order_rows, orders
from perimetry.protocols.references.scores import MetricScores, score_metric
from perimetry.protocols.references.spread import Spread, spread_rows, spreads
from perimetry.protocols.references.trust import Planted, Trust, trust_of, trust_rows
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.protocols.score.bands import Band, band_of, band_rows
from perimetry.protocols.score.scored import NamedMetric
from perimetry.runs.contrasts import with_holm
from perimetry.runs.estimates import Estimate

__all__ = ["Findings", "MetricFindings", "estimate"]


@dataclass(frozen=True, slots=True, eq=False)
class MetricFindings:
    """What was found of one metric.

    Parameters
    ----------
    named : NamedMetric
    spread : Spread or None
    orders : tuple of Order
        One a data set and condition, the original first.
    bands : tuple of Band
    trust : Trust or None
    scores : polars.DataFrame
        One row a study, system and condition: ``value``; without one, null.
    missing : tuple of (system, condition, reason, int)
    scored, left : mapping of dataset to int
        Studies that are ranked on, and those that are not because a value is missing.
    """

    named: NamedMetric
    spread: Spread | None
    orders: tuple[Order, ...]
    bands: tuple[Band, ...]
    trust: Trust | None
    scores: pl.DataFrame
    missing: tuple[tuple[str, str, str, int], ...]
    scored: Mapping[str, int]
    left: Mapping[str, int]

    @property
    def label(self) -> str:
        """Of the metric."""
        return self.named.label


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What a reference audit found.

    Parameters
    ----------
    material : Material
    metrics : tuple of MetricFindings
    estimates : tuple of Estimate
        The tidy table.
    planted : Planted or None
    """

    material: Material
    metrics: tuple[MetricFindings, ...]
    estimates: tuple[Estimate, ...]
    planted: Planted | None

    def rows(self, metric: str, *, condition: str | None = None, comparator: str | None = None) -> list[Estimate]:
        """Rows of a metric's name; all conditions and comparators unless one is named."""
        return [
            row
            for row in self.estimates
            if row.metric == metric
            and (condition is None or row.condition == condition)
            and (comparator is None or row.comparator == comparator)
        ]


def estimate(
    material: Material,
    metrics: Sequence[NamedMetric],
    planted: Planted | None,
    settings: Settings,
    say: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Score everything and estimate everything, one metric after another.

    Rows of the tidy table, each with its interval where one can be given:

    - a metric's own name: a system under a condition; with ``comparator`` ``original`` its shift, on the studies with
      an alternative; with ``model:NAME`` the gap of two systems.
    - ``shift_pNN:``, ``iqr:``, ``iqr_mean:``, ``iqr_max:``, ``sd:`` (see `spread_rows`).
    - ``rank:``, ``reversals:`` and what follows it (see `order_rows`).
    - ``multi:``, ``style_sd:``, ``style_min:``, ``style_max:`` (see `band_rows`).
    - ``style_link:`` (see `link_estimates`), ``style:FEATURE`` (see `profile_estimates`).
    - ``style_loss:``, ``error_loss:``, ``trust:`` and the like, with planted errors (see `trust_rows`).

    Parameters
    ----------
    material : Material
    metrics : sequence of NamedMetric
    planted : Planted or None
    settings : Settings
    say : callable
        Told what is being done.
    """
    styles = read_styles(material)
    rows: list[Estimate] = []
    found: list[MetricFindings] = []
    for named in metrics:
        systems = f"{len(material.systems)} system{'s' if len(material.systems) != 1 else ''}"
        say(f"{named.label}: {systems} under {len(material.variations) + 1} sets of references")
        scores = score_metric(material, named)
        drawing = draw_levels(material, scores, settings)
        trust = None if planted is None else trust_of(material, named, planted, settings)
        one = _found(material, scores, drawing, trust, settings)
        found.append(one)
        rows += _rows(one, drawing, settings)
        rows += link_estimates(material, scores, styles, settings)
    rows += profile_estimates(material, styles, settings)
    return Findings(material, tuple(found), tuple(with_holm(rows)), planted)


def _found(
    material: Material, scores: MetricScores, drawing: Drawing, trust: Trust | None, settings: Settings
) -> MetricFindings:
    info = scores.named.info
    conditions = (ORIGINAL, *material.variations)
    bands = [
        band_of(
            dataset,
            system,
            scores.named.label,
            {each: drawing.levels[dataset, system, each].distribution for each in conditions},
            level=settings.level,
        )
        for dataset in dict.fromkeys(name for name, _, _ in drawing.levels)
        for system in material.systems
        if all((dataset, system, each) in drawing.levels for each in conditions)
    ]
    names = np.asarray(material.datasets)
    return MetricFindings(
        scores.named,
        spreads(drawing, material.variations),
        orders(drawing, material.variations, direction=info.direction, level=settings.level),
        tuple(bands),
        trust,
        _frame(material, scores),
        scores.missing,
        {one.name: int(scores.common[names == one.name].sum()) for one in material.sets},
        {one.name: int((~scores.common[names == one.name]).sum()) for one in material.sets},
    )


def _rows(one: MetricFindings, drawing: Drawing, settings: Settings) -> Iterator[Estimate]:
    info = one.named.info
    template = Estimate(
        PROTOCOL, "", "", one.label, direction=info.direction, version=info.signature, seed=settings.seed
    )
    for level in (*drawing.levels.values(), *drawing.shifts.values()):
        yield level.estimate
    if one.spread is not None:
        datasets = drawing.datasets()
        yield from spread_rows(one.spread, template, datasets[0] if len(datasets) == 1 else "pooled", settings.level)
    for order in one.orders:
        yield from order_rows(order, template, settings.level, one.scored[order.dataset], one.left[order.dataset])
    for band in one.bands:
        n = sum(one.scored.values()) if band.dataset == "macro" else one.scored[band.dataset]
        for row in band_rows(band, template):
            yield replace(row, n=n)
    if one.trust is not None:
        for row in trust_rows(one.trust, one.named, settings.level):
            yield replace(row, seed=settings.seed)


def _frame(material: Material, scores: MetricScores) -> pl.DataFrame:
    """Values of single reports; a study without an alternative has no row under a variation."""
    ids = np.asarray(material.ids, dtype=object)
    datasets = np.asarray(material.datasets, dtype=object)
    parts = []
    for (system, condition), cell in scores.cells.items():
        kept = scores.present[system] & (scores.feasible[condition] if condition != ORIGINAL else True)
        if kept.any():
            parts.append(
                pl.DataFrame(
                    {
                        "dataset": datasets[kept].tolist(),
                        "id": ids[kept].tolist(),
                        "system": [system] * int(kept.sum()),
                        "condition": [condition] * int(kept.sum()),
                        "metric": [scores.named.label] * int(kept.sum()),
                        "value": cell.values[kept],
                    }
                )
            )
    return pl.concat(parts).with_columns(pl.col("value").fill_nan(None))
