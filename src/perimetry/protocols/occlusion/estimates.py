"""The estimates of the occlusion audit: every model, every metric, and every model against the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from perimetry.cases.chexpert import ABNORMAL
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion.declared import info_of
from perimetry.protocols.occlusion.grid import Grid
from perimetry.protocols.occlusion.image_level import image_statistics, label_statistics
from perimetry.protocols.occlusion.measure import Measure, minus, share
from perimetry.protocols.occlusion.options import OcclusionOptions
from perimetry.protocols.occlusion.outcomes import image_metrics
from perimetry.protocols.occlusion.statistic import Statistic, region_statistics
from perimetry.runs.contrasts import Contrast, draw_contrasts, with_holm
from perimetry.runs.estimates import Estimate
from perimetry.statistics import two_sided_p

__all__ = ["PROTOCOL", "STRICT", "estimate", "statistics_of"]

PROTOCOL = "occlusion"

STRICT = "uncertain as negative"
"""Stratum of the headline metrics where an uncertain statement counts as none."""


def estimate(analysis: Analysis, resamples: int = 10_000) -> list[Estimate]:
    """All estimates of a run, per data set and as the macro-mean.

    With several models each later one is compared with the first on the same cases (comparator ``model:NAME``). What
    does not depend on a model (area of controls, spill, agreement of truths) has an empty model.
    """
    rows = []
    for drawn in draw_contrasts(
        _contrasts(analysis), analysis.items, resamples=resamples, seed=analysis.preparation.asked.seed
    ):
        row, spread = drawn.estimate, drawn.distribution
        if drawn.contrast.difference and spread is not None and spread.groups > 1 and row.value == row.value:
            row = replace(
                row, p_value=two_sided_p(spread.samples), method=f"{row.method}; two-sided p of the resamples"
            )
        rows.append(row)
    return with_holm(rows)


def _contrasts(analysis: Analysis) -> Iterator[Contrast]:
    """Every contrast of a run, made when its turn comes: their columns together are many."""
    yield from _of_data(analysis)
    first: dict[tuple[str, str, str, str], Statistic] = {}
    for model in analysis.models:
        later: list[Statistic] = []
        for one in statistics_of(analysis, model):
            yield _contrast(analysis, one, model)
            if not one.compared:
                continue
            if model == analysis.models[0]:
                first[one.key] = one
            elif one.key in first:
                later.append(one)
        for one in later:
            yield _comparison(analysis, first[one.key], one, analysis.models[0], model)


def statistics_of(analysis: Analysis, model: str) -> Iterator[Statistic]:
    """Every metric of one model; those of all classes a second time with uncertain statements as none."""
    outcomes, plan = analysis.outcomes[model], analysis.preparation.plan
    options = OcclusionOptions.of(analysis.preparation.asked.options)
    grid = Grid.of(outcomes, plan)
    yield from image_statistics(grid, outcomes, plan, image_metrics(options))
    yield from region_statistics(grid)
    strict = Grid.of(outcomes, plan, strict=True)
    for one in (*label_statistics(strict), *region_statistics(strict)):
        yield replace(one, stratum=STRICT, compared=False)


def _contrast(analysis: Analysis, one: Statistic, model: str) -> Contrast:
    return Contrast(
        _named(analysis, one, model),
        (one.build(one.able).term(),),
        one.missing,
        difference=one.difference,
    )


def _comparison(analysis: Analysis, theirs: Statistic, ours: Statistic, first: str, model: str) -> Contrast:
    """Ours minus theirs on the cases that both can use."""
    both = ours.able & theirs.able
    return Contrast(
        replace(_named(analysis, ours, model), comparator=f"model:{first}"),
        (minus(ours.build(both), theirs.build(both)).term(),),
        ours.missing | theirs.missing,
        difference=True,
    )


def _named(analysis: Analysis, one: Statistic, model: str) -> Estimate:
    """A statistic with its place in the table of estimates."""
    options = OcclusionOptions.of(analysis.preparation.asked.options)
    info = info_of(one.metric, options)
    return Estimate(
        PROTOCOL,
        "",
        model,
        one.metric,
        one.condition,
        one.comparator,
        one.stratum,
        direction=info.direction,
        version=info.version,
    )


def _of_data(analysis: Analysis) -> Iterator[Contrast]:
    """What follows from cases and boxes alone: area of the controls, spill, agreement of box and reference report."""
    if not analysis.models:
        return
    outcomes, plan = analysis.outcomes[analysis.models[0]], analysis.preparation.plan
    grid = Grid.of(outcomes, plan)
    case, condition = plan.trials["case"].to_numpy(), plan.trials["condition"].to_numpy()
    area = np.full(grid.applies.shape, np.nan)
    area[case, condition] = outcomes["area"].fill_null(float("nan")).to_numpy()
    first = np.unique(case, return_index=True)[1]
    facts = outcomes[first]
    for family in grid.families:
        values = area[:, family.top[1]]
        known = grid.present & ~np.isnan(values)
        name = grid.conditions[family.top[1]]
        yield from _means(analysis, "area_reached", name, np.nan_to_num(values), known, grid)
    spilt = facts["spill"].fill_null(float("nan")).to_numpy()
    yield from _means(analysis, "spill", "", np.nan_to_num(spilt), grid.present & ~np.isnan(spilt), grid)
    read = facts["reference"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    told = (grid.finding >= 0) & ~np.isnan(read)
    agrees = (np.nan_to_num(read) > 0) == grid.present
    yield from _means(analysis, "reference_agreement", "", agrees.astype(np.float64), told, grid)


def _means(
    analysis: Analysis, metric: str, condition: str, values: np.ndarray, known: np.ndarray, grid: Grid
) -> Iterator[Contrast]:
    """The mean over all cases, and over those of each class."""
    strata: Sequence[tuple[str, np.ndarray]] = [
        ("all", known),
        *((name, known & (grid.finding == ABNORMAL.index(name))) for name in grid.classes),
    ]
    for stratum, used in strata:
        if used.any():
            nothing = np.zeros(len(used), dtype=bool)

            def build(cases: np.ndarray) -> Measure:
                return share(values, np.ones(len(values)), cases)

            one = Statistic(metric, condition, "", stratum, used, nothing, build)
            yield _contrast(analysis, one, "")
