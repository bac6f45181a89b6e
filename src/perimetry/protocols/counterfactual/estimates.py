"""The estimates of the counterfactual audit: every model, every metric, and every model against the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from perimetry.protocols.analysis import Analysis
from perimetry.protocols.counterfactual.metrics import cell_statistics
from perimetry.protocols.counterfactual.rationales import rationale_statistics
from perimetry.runs.contrasts import Contrast, Pair, Term, estimate_contrasts
from perimetry.runs.cube import Cube
from perimetry.runs.estimates import Estimate
from perimetry.runs.reference import reference_statistics
from perimetry.runs.statistic import CellStatistic
from perimetry.scoring import counterfactual_info

__all__ = ["LENIENT", "PROTOCOL", "compare_statistics", "estimate", "model_statistics"]

PROTOCOL = "counterfactual"

LENIENT = "lenient answers"
"""Stratum of the headline under the lenient answer rules (parser sensitivity)."""

_HEADLINE = ("accuracy", "unparsed", "vrs", "bd", "hn_gap", "is_pred", "vbr", "vhr", "retest_agreement", "is_excess")


def estimate(analysis: Analysis) -> list[Estimate]:
    """All estimates of a run, per data set and as the macro-mean.

    The headline metrics stand a second time under the lenient answer rules, in the stratum `LENIENT`. With several
    models each later one is compared with the first on the same items (comparator ``model:NAME``).
    """
    contrasts = [_named(statistic, "") for statistic in reference_statistics(analysis.preparation.questions)]
    per_model = {model: list(model_statistics(analysis, model)) for model in analysis.models}
    for model, statistics in per_model.items():
        contrasts += [_named(statistic, model) for statistic in statistics]
        lenient = Cube.from_outcomes(analysis.outcomes[model], analysis.preparation.plan.conditions, "lenient")
        contrasts += [
            _named(statistic, model, LENIENT) for statistic in cell_statistics(lenient) if statistic.metric in _HEADLINE
        ]
    if analysis.models:
        first = analysis.models[0]
        for model in analysis.models[1:]:
            contrasts += compare_statistics(per_model[first], per_model[model], first, model)
    return estimate_contrasts(contrasts, analysis.items, seed=analysis.preparation.asked.seed)


def model_statistics(analysis: Analysis, model: str) -> Iterator[CellStatistic]:
    """Per-item statistics of one model under the strict answer rules."""
    cube = Cube.from_outcomes(analysis.outcomes[model], analysis.preparation.plan.conditions)
    yield from cell_statistics(cube)
    yield from rationale_statistics(analysis.details[model], cube.items, cube.conditions)


def compare_statistics(
    baseline: Sequence[CellStatistic], candidate: Sequence[CellStatistic], baseline_name: str, candidate_name: str
) -> list[Contrast]:
    """Candidate minus baseline for every metric that both have, on the items that both have (CORAL Table 4).

    Accuracy carries McNemar's exact test on the first repeats.
    """
    known = {_key(statistic): statistic for statistic in baseline}
    contrasts = []
    for ours in candidate:
        theirs = known.get(_key(ours))
        if theirs is None:
            continue
        both = (ours.denominator > 0) & (theirs.denominator > 0)
        terms = (
            Term(np.where(both, ours.numerator, 0.0), np.where(both, ours.denominator, 0.0)),
            Term(np.where(both, theirs.numerator, 0.0), np.where(both, theirs.denominator, 0.0), -1),
        )
        if np.array_equal(terms[0].denominator, terms[1].denominator):
            terms = (Term(terms[0].numerator - terms[1].numerator, terms[0].denominator),)  # type: ignore[assignment]
        pair = None
        if ours.outcome is not None and theirs.outcome is not None:
            pair = Pair(ours.outcome[0], theirs.outcome[0], ours.outcome[1] & theirs.outcome[1])
        contrast = _named(ours, candidate_name)
        contrasts.append(
            replace(
                contrast,
                estimate=replace(contrast.estimate, comparator=f"model:{baseline_name}"),
                terms=terms,
                difference=True,
                missing=ours.missing | theirs.missing,
                pair=pair,
            )
        )
    return contrasts


def _key(statistic: CellStatistic) -> tuple[str, str, str]:
    return statistic.metric, statistic.condition, statistic.comparator


def _named(statistic: CellStatistic, model: str, stratum: str = "all") -> Contrast:
    """A statistic with its place in the table of estimates."""
    info = counterfactual_info(statistic.metric)
    return Contrast(
        Estimate(
            PROTOCOL,
            "",
            model,
            statistic.metric,
            statistic.condition,
            statistic.comparator,
            stratum,
            direction=info.direction,
            version=info.version,
        ),
        (Term(statistic.numerator, statistic.denominator),),
        statistic.missing,
        statistic.pair,
        difference=info.low < 0,
    )
