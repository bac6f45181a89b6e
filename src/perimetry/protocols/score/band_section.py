"""Multi-reference scores on a page: value, interval of sampling, band of style."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from perimetry.protocols.score.bands import Band, coverage_notes
from perimetry.reports import Block, Column, Section, TableBlock, TextBlock
from perimetry.reports.charts.bands import band_chart

__all__ = ["band_section"]


def band_section(bands: Sequence[Band]) -> Section:
    """The leaderboard form of every metric."""
    several = len({band.dataset for band in bands}) > 1
    rows: list[dict[str, Any]] = [
        {
            "dataset": band.dataset,
            "metric": band.metric,
            "system": band.system,
            "value": _known(band.mean.value),
            "low": _known(band.mean.ci_low),
            "high": _known(band.mean.ci_high),
            "sd": _known(band.deviation.value),
            "least": _known(band.lowest.value),
            "most": _known(band.highest.value),
            "least_under": band.lowest_under,
            "most_under": band.highest_under,
            "original": _known(band.original.value),
            "references": band.references,
            "told_otherwise": band.coverage,
        }
        for band in bands
    ]
    columns = (
        *((Column("dataset", "Data set", "name"),) if several else ()),
        Column("metric", "Metric", "code"),
        Column("system", "System", "name"),
        Column("value", "Value", "number", 3, low="low", high="high", help="mean over the sets of references"),
        Column("least", "Least", "number", 3),
        Column("least_under", "under", "code"),
        Column("most", "Most", "number", 3),
        Column("most_under", "under", "code"),
        Column("sd", "SD of style", "number", 3),
        Column("original", "Original only", "number", 3),
        Column("references", "Reference sets", "integer"),
        *((Column("told_otherwise", "With an alternative"),) if any(band.coverage for band in bands) else ()),
    )
    notes = coverage_notes(bands)
    tone: Literal["plain", "caution"] = "caution" if any(band.sparse for band in bands) else "plain"
    said: tuple[Block, ...] = (TextBlock(notes, tone, "How many references could differ"),) if notes else ()
    caption = (
        "Mean over the references as they are and every variation of them, each set counted once, with the 95% "
        "interval of sampling; least, most and standard deviation over the sets are what style alone moves."
    )
    main = "macro" if any(band.dataset == "macro" for band in bands) else ""
    drawn = [row for row in rows if not main or row["dataset"] == main]
    return Section(
        "Scores against several references",
        "A score with two uncertainties: which reports were sampled, and which wording the references happen to have.",
        (*said, band_chart(drawn), TableBlock(columns, tuple(rows), caption, "bands", "Value and band")),
    )


def _known(value: float) -> float | None:
    return value if value == value else None
