"""Tables of what judges say: each names the model and the prompt, and none is a table of screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from perimetry.screening.judging.cue import JUDGED
from perimetry.screening.judging.opinion import Opinion
from perimetry.screening.tally import TALLY_SCHEMA, Tally, adjusted_p, tally_columns

__all__ = ["JUDGED_SCHEMA", "MISSING_SCHEMA", "judged_frame", "missing_frame"]

JUDGED_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "cue": pl.String,
    "title": pl.String,
    "layer": pl.String,
    "unit": pl.String,
    "judge": pl.String,
    "prompt": pl.String,
    "images": pl.Boolean,
    "asked": pl.Int64,
    "no_verdict": pl.Int64,
    **TALLY_SCHEMA,
    "severity": pl.String,
    "rules": pl.String,
    "both": pl.Int64,
    "judge_only": pl.Int64,
    "rules_only": pl.Int64,
    "neither": pl.Int64,
    "agreement": pl.Float64,
    "kappa": pl.Float64,
    "looks_at": pl.String,
    "about": pl.String,
}
MISSING_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "judge": pl.String,
    "reason": pl.String,
    "items": pl.Int64,
    "verdicts": pl.Int64,
}


def judged_frame(opinions: Iterable[Opinion]) -> pl.DataFrame:
    """One row a data set and cue that was asked about.

    ``items`` are those with a verdict: shares and odds ratios are of these. P values are adjusted over the judged cues
    of the data set, apart from those of screens.
    """
    rows = [row for opinion in opinions for row in _rows(opinion)]
    return pl.DataFrame(rows, schema=JUDGED_SCHEMA)


def missing_frame(opinions: Iterable[Opinion]) -> pl.DataFrame:
    """One row a data set and reason for which there is no verdict."""
    rows = [
        {
            "dataset": opinion.dataset,
            "judge": opinion.judge,
            "reason": one.reason,
            "items": one.items,
            "verdicts": one.verdicts,
        }
        for opinion in opinions
        for one in opinion.missed
    ]
    return pl.DataFrame(rows, schema=MISSING_SCHEMA)


def _rows(opinion: Opinion) -> list[dict[str, Any]]:
    tallies = {cue.name: opinion.tallies.get(cue.name, Tally(cue.unit)) for cue in opinion.cues}
    odds = {name: tally.odds() for name, tally in tallies.items()}
    adjusted = adjusted_p(odds)
    rows = []
    for cue in opinion.cues:
        tally = tallies[cue.name]
        row: dict[str, Any] = {
            "dataset": opinion.dataset,
            "cue": cue.name,
            "title": cue.title,
            "layer": JUDGED,
            "unit": cue.unit,
            "judge": opinion.judge,
            "prompt": opinion.prompt,
            "images": opinion.images,
            "asked": opinion.asked[cue.name],
            "no_verdict": opinion.asked[cue.name] - tally.items,
            **tally_columns(tally, odds[cue.name], adjusted.get(cue.name)),
            "severity": cue.severity,
            "looks_at": cue.question,
            "about": "; ".join(cue.about),
        }
        agreement = opinion.agreements.get(cue.name)
        if agreement is not None:
            row |= {
                "rules": ", ".join(agreement.rules),
                "both": agreement.both,
                "judge_only": agreement.judge_only,
                "rules_only": agreement.rules_only,
                "neither": agreement.neither,
                "agreement": agreement.share,
                "kappa": agreement.kappa,
            }
        rows.append(row)
    return rows
