"""What a reader of the occlusion page has to know before believing the verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion.estimates import STRICT
from perimetry.protocols.occlusion.family import families_of
from perimetry.protocols.occlusion.verdict import MARGIN, controls_disagree, find_row, spoken
from perimetry.runs.estimates import Estimate

__all__ = ["cautions"]

_FULL = 100.0
"""Percent at which nothing of a region is left."""

_NOTABLE = 0.02
"""Share of spill, of area, or of unread reports from which on it is told."""


def cautions(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[str]:
    """Cautions, the gravest first."""
    yield from _below_full(analysis.preparation.plan.conditions)
    for model in analysis.models:
        yield from _noise(model, estimates)
        yield from _controls(model, estimates)
    yield from _areas(estimates)
    for model in analysis.models:
        yield from _reports(model, analysis.outcomes[model])
        yield from _policy(model, estimates)
        yield from _few(model, estimates)
    for dataset, found in analysis.preparation.laid.findings.by_dataset.items():
        left = ", ".join(f"{name} ({count:,})" for name, count in found.few.items())
        if left:
            yield f"{dataset}: classes that too few images show, left out: {left}."


def _below_full(conditions: Sequence[str]) -> Iterator[str]:
    weak = [conditions[family.top[1]] for family in families_of(conditions) if family.top[0] < _FULL]
    if weak:
        yield (
            f"No cover is complete: the highest strength is that of {', '.join(weak)}. Part of each region is still to "
            "be seen, so that a small cost does not say that the region is not read."
        )


def _noise(model: str, estimates: Sequence[Estimate]) -> Iterator[str]:
    rises = [
        row
        for row in estimates
        if (row.model, row.metric, row.dataset, row.stratum) == (model, "false_statement_rise", "macro", "all")
        and not row.comparator.startswith("model:")
        and row.ci_low > MARGIN
    ]
    if rises:
        told = ", ".join(
            f"{row.condition} +{100 * row.value:.1f} pp [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}]"
            for row in rises
        )
        yield (
            f"{model}: covered regions make it state what is not there (false statements: {told}). Its deltas cannot "
            "be trusted: a statement under a cover may come from the cover."
        )


def _controls(model: str, estimates: Sequence[Estimate]) -> Iterator[str]:
    for metric, what in (("delta_oco", "the finding"), ("delta_doco", "other findings")):
        first, second = find_row(estimates, model, metric), find_row(estimates, model, f"{metric}_matched")
        if first is None or second is None or not controls_disagree(first, second):
            continue
        area = find_row(estimates, "", "area_reached", condition=first.comparator)
        covers = f", which covers {100 * area.value:.0f}% of the finding's area on average" if area else ""
        yield (
            f"{model}: the two controls disagree. Covering {what} {spoken(first)} against {first.comparator}{covers}, "
            f"but {spoken(second)} against {second.comparator} of equal area: part of {metric} is the size of the "
            "cover."
        )


def _areas(estimates: Sequence[Estimate]) -> Iterator[str]:
    spill = find_row(estimates, "", "spill")
    if spill is not None and spill.value > _NOTABLE:
        yield (
            f"Boxes of other findings cover {_share(spill)} of the findings' own area: covering them covers part of "
            "the finding too, and delta_doco is partly delta_oco. --max-spill leaves such trials out."
        )
    for row in estimates:
        if (row.metric, row.dataset, row.stratum) != ("area_reached", "macro", "all"):
            continue
        if row.condition.startswith("romatched") and abs(row.value - 1.0) > _NOTABLE:
            yield (
                f"{row.condition} reaches {_share(row)} of the findings' area, not all of it: there was no room left."
            )


def _share(row: Estimate) -> str:
    return f"{100 * row.value:.1f}% [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}]"


def _reports(model: str, outcomes: pl.DataFrame) -> Iterator[str]:
    answered = outcomes.filter(pl.col("answered").fill_null(False) & pl.col("request_id").is_first_distinct())
    if answered.is_empty():
        return
    silent = float(answered["silent"].fill_null(False).mean() or 0.0)  # type: ignore[arg-type]
    unread = float((answered["unread"].is_not_null() & ~answered["silent"].fill_null(False)).mean() or 0.0)  # type: ignore[arg-type]
    cut = answered["cut"].fill_null("").str.contains("truncated")
    for share, what in (
        (silent, "hold no report; they state nothing, and that is not counted in their favour"),
        (unread, "could not be read by the labeller; they state nothing"),
        (float(cut.mean() or 0.0), "were cut off before they ended"),  # type: ignore[arg-type]
    ):
        if share > _NOTABLE:
            yield f"{model}: {100 * share:.0f}% of its responses {what}."


def _policy(model: str, estimates: Sequence[Estimate]) -> Iterator[str]:
    first = find_row(estimates, model, "delta_oco")
    strict = find_row(estimates, model, "delta_oco", stratum=STRICT)
    if first is not None and strict is not None and abs(first.value - strict.value) > MARGIN:
        yield (
            f"{model}: delta_oco hangs on uncertain statements: {100 * first.value:.1f} pp where they count, "
            f"{100 * strict.value:.1f} pp where they do not."
        )


def _few(model: str, estimates: Sequence[Estimate]) -> Iterator[str]:
    row = find_row(estimates, model, "delta_oco")
    if row is not None and row.missing:
        yield f"{model}: {row.missing:,} cases have no report under one of the conditions; they leave every comparison."
    if row is not None and 0 < row.groups < 100:
        width = (
            "intervals are wide"
            if row.ci_high > row.ci_low
            else "that they are all alike makes the number no more exact"
        )
        yield f"{model}: delta_oco rests on {row.groups:,} groups (patients): {width}."
