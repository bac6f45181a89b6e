"""The estimates of the route audit: every model, the mean over models, and strata by option count and cue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from perimetry.protocols.analysis import Analysis
from perimetry.protocols.routes.cues import Cue, cues_of
from perimetry.protocols.routes.metrics import lattice_statistics, order_statistics
from perimetry.protocols.routes.outcomes import places_of
from perimetry.protocols.routes.places import place_contrasts
from perimetry.runs.contrasts import estimate_contrasts
from perimetry.runs.cube import Cube, Flags, Numbers
from perimetry.runs.estimates import Estimate
from perimetry.runs.reference import reference_statistics
from perimetry.runs.statistic import CellStatistic
from perimetry.runs.terms import Contrast, RateTerm, Term
from perimetry.scoring.routes import routes_info
from perimetry.statistics import mean_of, ratio

__all__ = ["LENIENT", "PANEL", "PROTOCOL", "estimate"]

PROTOCOL = "routes"

PANEL = "panel mean"
"""Stands in the column ``model`` for the equal-weight mean over the models of a run."""

LENIENT = "lenient answers"
"""Stratum of the accuracies under the lenient answer rules (parser sensitivity)."""

LEAST = 10
"""Items that both sides of a stratum need: fewer say nothing."""


def estimate(analysis: Analysis) -> list[Estimate]:
    """All estimates of a run, per data set, as the macro-mean, and pooled over items where there are several sets."""
    preparation = analysis.preparation
    questions = preparation.questions
    conditions = preparation.plan.conditions
    references = {statistic.metric: statistic for statistic in reference_statistics(questions)}
    contrasts = [_contrast(statistic, "") for statistic in references.values()]
    chance = references["chance"]
    level = np.where(chance.denominator > 0, chance.numerator, np.nan)
    sizes = _sizes([len(question.options) for question in questions])
    cues = cues_of(questions)
    lattice: dict[str, list[CellStatistic]] = {}
    for model in analysis.models:
        cube = Cube.from_outcomes(analysis.outcomes[model], conditions)
        lattice[model] = list(lattice_statistics(cube, level.tolist()))
        contrasts += [_contrast(statistic, model) for statistic in lattice[model]]
        contrasts += [_contrast(statistic, model) for statistic in order_statistics(cube)]
        places = places_of(analysis.outcomes[model], len(conditions))
        contrasts += place_contrasts(cube, places, Estimate(PROTOCOL, "", model, ""))
        accuracies = [statistic for statistic in lattice[model] if statistic.metric == "accuracy"]
        contrasts += _by_size(accuracies, model, sizes)
        contrasts += _by_cue(accuracies, model, cues)
        lenient = Cube.from_outcomes(analysis.outcomes[model], conditions, "lenient")
        contrasts += [
            _contrast(statistic, model, LENIENT)
            for statistic in lattice_statistics(lenient, level.tolist())
            if statistic.metric == "accuracy"
        ]
    if len(analysis.models) > 1:
        contrasts += _panel(lattice)
    pool = len(preparation.case_sets) > 1
    return estimate_contrasts(contrasts, analysis.items, seed=preparation.asked.seed, pool=pool)


def _panel(lattice: Mapping[str, Sequence[CellStatistic]]) -> Iterator[Contrast]:
    """The equal-weight mean over models of every metric that all of them have."""
    tables = [{_key(statistic): statistic for statistic in statistics} for statistics in lattice.values()]
    for key, first in tables[0].items():
        same = [table[key] for table in tables if key in table]
        if len(same) < len(tables) or any(not (one.denominator > 0).any() for one in same):
            continue
        columns = tuple(column for one in same for column in (one.numerator, one.denominator))
        rate = mean_of([ratio(2 * number, 2 * number + 1) for number in range(len(same))])
        counted = np.logical_or.reduce([one.denominator > 0 for one in same])
        missing = np.logical_or.reduce([one.missing for one in same])
        named = _contrast(first, PANEL)
        yield replace(named, terms=(RateTerm(columns, rate, counted),), missing=missing, pair=None)


def _key(statistic: CellStatistic) -> tuple[str, str, str]:
    return statistic.metric, statistic.condition, statistic.comparator


def _sizes(options: Sequence[int]) -> dict[str, Flags]:
    """Items by number of options; nothing where all have the same number."""
    counts = np.asarray(options)
    known = sorted(set(options) - {0})
    return {f"{size} options": counts == size for size in known} if len(known) > 1 else {}


def _by_size(accuracies: Sequence[CellStatistic], model: str, sizes: Mapping[str, Flags]) -> Iterator[Contrast]:
    for stratum, inside in sizes.items():
        for one in accuracies:
            term = Term(one.numerator * inside, one.denominator * inside)
            yield replace(_contrast(one, model, stratum), terms=(term,), missing=one.missing & inside, pair=None)


def _by_cue(accuracies: Sequence[CellStatistic], model: str, cues: Sequence[Cue]) -> Iterator[Contrast]:
    """Accuracy with and without each cue, and the gap between them: other items on either side, not a pair."""
    for cue in cues:
        absent = cue.looked_at & ~cue.present
        for one in accuracies:
            observed: Numbers = one.denominator
            if min((observed * cue.present).sum(), (observed * absent).sum()) < LEAST:
                continue
            with_it, without = (
                Term(one.numerator * side, observed * side, sign) for side, sign in ((cue.present, 1), (absent, -1))
            )
            for stratum, term, side in (
                (f"with {cue.name}", with_it, cue.present),
                (f"without {cue.name}", replace(without, sign=1), absent),
            ):
                yield replace(_contrast(one, model, stratum), terms=(term,), missing=one.missing & side, pair=None)
            yield replace(
                _named("cue_gap", model, one.condition, "", cue.name),
                terms=(with_it, without),
                missing=one.missing & cue.looked_at,
            )


def _contrast(statistic: CellStatistic, model: str, stratum: str = "all") -> Contrast:
    """A statistic with its place in the table of estimates."""
    named = _named(statistic.metric, model, statistic.condition, statistic.comparator, stratum)
    terms = (Term(statistic.numerator, statistic.denominator),)
    return replace(named, terms=terms, missing=statistic.missing, pair=statistic.pair)


def _named(metric: str, model: str, condition: str, comparator: str, stratum: str) -> Contrast:
    """A contrast that has its names and nothing to compute yet."""
    info = routes_info(metric)
    row = Estimate(
        PROTOCOL, "", model, metric, condition, comparator, stratum, direction=info.direction, version=info.version
    )
    return Contrast(row, (), np.zeros(0, dtype=bool), difference=info.low < 0)
