"""How often each cue occurs, and how much more often on the key: the tables of the screens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from perimetry.runs.estimates import Estimate
from perimetry.screening.run import Screening
from perimetry.screening.tally import TALLY_SCHEMA, adjusted_p, known, tally_columns
from perimetry.statistics import OddsRatio

__all__ = ["CUE_SCHEMA", "PREVALENCE_SCHEMA", "cue_frame", "odds_estimates", "prevalence_frame"]

PREVALENCE_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "cue": pl.String,
    "unit": pl.String,
    "items": pl.Int64,
    "key_has_cue": pl.Int64,
    "share": pl.Float64,
    "odds_ratio": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
}
CUE_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "cue": pl.String,
    "title": pl.String,
    "layer": pl.String,
    "unit": pl.String,
    "version": pl.Int64,
    **TALLY_SCHEMA,
    "high": pl.Int64,
    "medium": pl.Int64,
    "low": pl.Int64,
    "needs": pl.String,
    "looks_at": pl.String,
    "citation": pl.String,
}


def prevalence_frame(screenings: Iterable[Screening]) -> pl.DataFrame:
    """One row a data set and cue, as Table 11 of MedQA-MM counts.

    ``items`` is the denominator: the items that the cue could be looked for in. ``share`` is that of items whose key
    carries the cue (unit ``option``), that have it (``item``), or that fall to one value (``data set``). The rows
    ``valid``, ``random`` and ``key-position-N`` are no screens: items whose options can be compared, mean chance of
    the key, and the key's place.
    """
    rows = [row for screening in screenings for row in _prevalence(screening)]
    return pl.DataFrame(rows, schema=PREVALENCE_SCHEMA)


def _prevalence(screening: Screening) -> Iterator[dict[str, Any]]:
    counts = screening.denominators
    yield _row(screening, "valid", "item", counts.valid, None, counts.valid / counts.items)
    if counts.valid:
        yield _row(screening, "random", "item", counts.valid, None, counts.random)
    for screen in screening.screens:
        tally = screening.tallies[screen.name]
        number = tally.key if screen.unit == "option" else tally.found
        row = _row(screening, screen.name, screen.unit, tally.items, None, _share(number, tally.items))
        if screen.unit == "option":
            row |= {"key_has_cue": tally.key, **_odds(tally.odds())}
        yield row
    for place, tally in screening.positions.items():
        row = _row(screening, f"key-position-{place}", "option", tally.items, tally.key, _share(tally.key, tally.items))
        yield row | _odds(tally.odds())
    known = screening.statistics
    _, most = known.majority
    yield _row(screening, "majority-answer", "data set", known.items, most, _share(most, known.items))
    for name, values in (("option-count", known.option_counts), ("image-count", known.image_counts)):
        for value in sorted(values):
            yield _row(screening, f"{name}-{value}", "data set", known.items, None, values[value] / known.items)


def cue_frame(screenings: Iterable[Screening]) -> pl.DataFrame:
    """One row a data set and screen with everything that was counted."""
    rows = []
    for screening in screenings:
        adjusted = _holm(screening)
        for screen in screening.screens:
            tally = screening.tallies[screen.name]
            rows.append(
                {
                    "dataset": screening.dataset,
                    "cue": screen.name,
                    "title": screen.title,
                    "layer": screen.layer,
                    "unit": screen.unit,
                    "version": screen.version,
                    **tally_columns(tally, tally.odds(), adjusted.get(screen.name)),
                    **{level: tally.severities[level] for level in ("high", "medium", "low")},
                    "needs": screen.needs,
                    "looks_at": screen.looks_at,
                    "citation": screen.citation,
                }
            )
    return pl.DataFrame(rows, schema=CUE_SCHEMA)


def odds_estimates(screenings: Iterable[Screening]) -> list[Estimate]:
    """Odds ratios as rows of the tidy table of estimates: metric ``odds_ratio``, the cue as the stratum."""
    found = []
    for screening in screenings:
        adjusted = _holm(screening)
        for screen in screening.screens:
            tally = screening.tallies[screen.name]
            if screen.unit == "item" or not tally.found:
                continue
            odds = tally.odds()
            value = odds.value if math.isfinite(odds.value) else math.nan
            found.append(
                Estimate(
                    "screens",
                    screening.dataset,
                    "",
                    "odds_ratio",
                    stratum=screen.name,
                    value=value,
                    ci_low=odds.ci_low,
                    ci_high=odds.ci_high,
                    level=odds.level,
                    n=tally.items,
                    groups=odds.informative,
                    p_value=odds.p_value,
                    p_holm=adjusted.get(screen.name, math.nan),
                    version=f"{screen.name} v{screen.version}",
                    method="Mantel-Haenszel over items",
                )
            )
    return found


def _holm(screening: Screening) -> dict[str, float]:
    return adjusted_p({screen.name: screening.tallies[screen.name].odds() for screen in screening.screens})


def _row(screening: Screening, cue: str, unit: str, items: int, key: int | None, share: float | None) -> dict[str, Any]:
    return {"dataset": screening.dataset, "cue": cue, "unit": unit, "items": items, "key_has_cue": key, "share": share}


def _odds(odds: OddsRatio) -> dict[str, float | None]:
    return {"odds_ratio": known(odds.value), "ci_low": known(odds.ci_low), "ci_high": known(odds.ci_high)}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
