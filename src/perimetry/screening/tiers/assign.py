"""The tier of every cue in every item, and who or what decided it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from perimetry.screening.tiers.decisions import EVERY_CUE, Decision
from perimetry.screening.tiers.inputs import Inputs
from perimetry.screening.tiers.support import PARTS, Support, SupportSettings, support_of
from perimetry.screening.tiers.tier import FINAL, TIERS, Disposition, Tier, default_disposition, stronger

__all__ = ["TIER_SCHEMA", "assign_tiers"]

TIER_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "case_id": pl.String,
    "cue": pl.String,
    "layer": pl.String,
    "severity": pl.String,
    "key_has_cue": pl.Boolean,
    "singles_out_key": pl.Boolean,
    "tier": pl.String,
    "decided_by": pl.String,
    "evidence": pl.String,
    "disposition": pl.String,
}

REVIEW = "review"
"""Layer of a cue that no screen found and a reviewer named."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a cue stands, and by what."""

    tier: Tier
    decided_by: str
    evidence: str
    disposition: Disposition


def assign_tiers(inputs: Inputs, settings: SupportSettings | None = None) -> pl.DataFrame:
    """Give each candidate the tier that the evidence carries it to.

    A screen makes a candidate. Partial input makes it ablation-supported, by the part that holds the cue. What people
    decided counts beside: the higher tier stands, and a final decision (validated repair, unsafe repair, clinically
    relevant) stands over everything. A cue that only a reviewer named has a row of its own.

    Parameters
    ----------
    inputs : Inputs
    settings : SupportSettings, optional

    Returns
    -------
    polars.DataFrame
        `TIER_SCHEMA`, sorted by data set, item and cue.
    """
    support = support_of(inputs, settings or SupportSettings())
    decisions: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for one in inputs.decisions:
        decisions[one.dataset, one.case_id].append(one)
    rows = [*_screened(inputs, support, decisions), *_named_by_people(inputs, decisions)]
    return pl.DataFrame(rows, schema=TIER_SCHEMA, orient="row").sort("dataset", "case_id", "cue")


def _screened(
    inputs: Inputs,
    support: dict[tuple[str, str, str], tuple[Support, ...]],
    decisions: dict[tuple[str, str], list[Decision]],
) -> Iterator[tuple[object, ...]]:
    columns = ("dataset", "case_id", "cue", "layer", "severity", "key_has_cue", "singles_out_key", "decided_by")
    for row in inputs.candidates.select(columns).iter_rows():
        dataset, item, cue, layer, by = row[0], row[1], row[2], row[3], row[7]
        standing = Standing("candidate", by, "", default_disposition("candidate"))
        part = PARTS.get(layer)
        carried = support.get((dataset, item, part[0]), ()) if part else ()
        if carried:
            standing = Standing(
                "ablation-supported",
                " and ".join(one.by for one in carried),
                "; ".join(f"{one.by}: {one.evidence}" for one in carried),
                default_disposition("ablation-supported"),
            )
        for one in decisions.get((dataset, item), ()):
            if one.cue in (cue, EVERY_CUE):
                standing = _decided(standing, one)
        yield (*row[:7], standing.tier, standing.decided_by, standing.evidence, standing.disposition)


def _named_by_people(inputs: Inputs, decisions: dict[tuple[str, str], list[Decision]]) -> Iterator[tuple[object, ...]]:
    known = set(inputs.candidates.select("dataset", "case_id", "cue").iter_rows())
    for (dataset, item), taken in decisions.items():
        for cue in dict.fromkeys(one.cue for one in taken if one.cue != EVERY_CUE):
            if (dataset, item, cue) in known:
                continue
            standing = Standing("candidate", "", "", "keep")
            for one in taken:
                if one.cue in (cue, EVERY_CUE):
                    standing = _decided(standing, one)
            place = (dataset, item, cue, REVIEW, "", None, None)
            yield (*place, standing.tier, standing.decided_by, standing.evidence, standing.disposition)


def _decided(standing: Standing, one: Decision) -> Standing:
    told = f"{one.by}: {one.note}" if one.note else standing.evidence
    if one.tier not in FINAL and stronger(standing.tier, one.tier) != one.tier:
        # What a person says of a cue that stands higher already is kept beside it; so is what is to be done.
        beside = f"{standing.evidence}; {one.by}: {one.tier}" if standing.evidence else f"{one.by}: {one.tier}"
        order = ("keep", "flag", "residual risk", "repair", "exclude")
        firmer = max(standing.disposition, one.disposition, key=lambda it: order.index(it) if it in order else -1)
        return Standing(standing.tier, standing.decided_by, beside, firmer)
    if standing.tier in FINAL and TIERS.index(standing.tier) >= TIERS.index(one.tier):
        return standing
    return Standing(one.tier, one.by, told, one.disposition)
