"""Multi-reference scores of one file of reports: what `perimetry score --alternatives` adds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from perimetry.cases.errors import DataError
from perimetry.protocols.references.drawn import Settings, draw_levels
from perimetry.protocols.references.material import Material, References
from perimetry.protocols.references.scores import score_metric, wanted_pairs
from perimetry.protocols.score.alternatives import ORIGINAL, Alternatives
from perimetry.protocols.score.bands import Band, band_of, band_rows
from perimetry.protocols.score.estimates import PROTOCOL
from perimetry.protocols.score.ids import IdAdvice
from perimetry.protocols.score.reports import Reports
from perimetry.protocols.score.scored import NamedMetric
from perimetry.runs.estimates import Estimate
from perimetry.scoring.report_metric import Report

__all__ = ["material_of", "multi_pairs", "multi_scores"]


def material_of(
    reports: Reports, alternatives: Alternatives, advice: Callable[[Collection[str]], IdAdvice] = lambda _: IdAdvice()
) -> Material:
    """Reports beside the alternatives of their references, by id; `advice` goes into the error where none meets.

    Raises
    ------
    DataError
        Where ids or originals do not fit, and where no study has an accepted alternative.
    """
    section = alternatives.section_of(reports.name, reports.ids, reports.references)
    matched = alternatives.matched(reports.name, reports.ids, reports.references, section, advice=advice)
    held = tuple(name for name, texts in matched.texts.items() if any(text is not None for text in texts))
    if not held:
        raise DataError(
            f"No study of {alternatives.source} has an accepted alternative, so there is nothing to score beside the "
            "references as they are. Leave --alternatives out."
        )
    untouched = tuple(name for name in matched.texts if name not in held)
    return Material((References(reports, matched, "open", {}),), tuple(reports.systems), held, untouched)


def multi_pairs(material: Material) -> tuple[list[Report], list[Report]]:
    """What is scored: judges would be asked about these pairs."""
    return wanted_pairs(material)


def multi_scores(
    material: Material, metrics: Sequence[NamedMetric], *, resamples: int = 10_000, seed: int = 42
) -> tuple[tuple[Band, ...], tuple[Estimate, ...]]:
    """Value, interval of sampling and band of style of every system by every metric.

    Returns
    -------
    (tuple of Band, tuple of Estimate)
        The rows of the tidy table carry the protocol of scoring.
    """
    found = list(_scored(material, metrics, Settings(resamples, seed)))
    return tuple(band for band, _ in found), tuple(row for _, rows in found for row in rows)


def _scored(
    material: Material, metrics: Sequence[NamedMetric], settings: Settings
) -> Iterator[tuple[Band, list[Estimate]]]:
    dataset = material.sets[0].name
    states = material.sets[0].alternatives.states
    otherwise = np.logical_or.reduce([np.asarray(states[each]) == "accepted" for each in material.variations])
    for named in metrics:
        scores = score_metric(material, named)
        drawing = draw_levels(material, scores, settings)
        template = Estimate(
            PROTOCOL,
            dataset,
            "",
            named.label,
            direction=named.info.direction,
            version=named.info.signature,
            seed=settings.seed,
        )
        for system in material.systems:
            levels = {each: drawing.levels.get((dataset, system, each)) for each in (ORIGINAL, *material.variations)}
            under = {each: level.distribution for each, level in levels.items() if level is not None}
            if len(under) == len(levels):
                band = band_of(dataset, system, named.label, under, level=settings.level)
                n = int(scores.common.sum())
                band = replace(band, told_otherwise=int((otherwise & scores.common).sum()), scored=n)
                rows = [replace(row, n=n, missing=len(scores.common) - n) for row in band_rows(band, template)]
                yield band, rows
