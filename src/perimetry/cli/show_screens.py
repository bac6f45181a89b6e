"""What `perimetry screen` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import typer

from perimetry.cli.show import complain, print_json, print_table

if TYPE_CHECKING:
    from perimetry.screening import ScreenResult

__all__ = ["show_screens"]

PRINTED = 12


def show_screens(result: ScreenResult, as_json: bool) -> None:
    """The longest-option figures, the cues that lean to the key, what was left out, and where everything lies."""
    cues = result.cues
    if as_json:
        print_json(_plain(result))
        return
    from perimetry.reports import interval_text

    for screening in result.screenings:
        counts = screening.denominators
        if screening.funnel is not None:
            for line in screening.funnel.summary_lines(screening.dataset, quoting=screening.data_use == "open"):
                complain(line)
        typer.echo(
            f"{screening.dataset}: {counts.items:,} questions, {counts.valid:,} with options that can be compared"
            + (f", random {100 * counts.random:.2f}%" if counts.valid else "")
        )
        for remark in (*counts.unusable, *counts.peculiar):
            typer.echo(f"  {remark.items:,} {remark.what}: {remark.consequence}")
        mine = [
            row for row in cues.iter_rows(named=True) if row["dataset"] == screening.dataset and row["items_with_cue"]
        ]
        ranked = sorted(mine, key=lambda row: (row["p_holm"] if row["p_holm"] is not None else 2.0, row["cue"]))
        rows = [
            (
                row["title"],
                f"{row['items_with_cue']:,}",
                "–" if row["key_has_cue"] is None else f"{row['key_has_cue']:,} ({100 * row['share_of_keys']:.1f}%)",
                interval_text(row["odds_ratio"], row["ci_low"], row["ci_high"], 2, scale=1),
            )
            for row in ranked[:PRINTED]
        ]
        print_table("", ("cue", "items with it", "keys with it", "odds ratio on the key"), rows)
        if len(ranked) > PRINTED:
            typer.echo(f"  and {len(ranked) - PRINTED} more cues with candidates; cues.csv has all of them.")
    assert result.path is not None
    typer.echo(f"Candidates: {result.path / 'candidates.csv'}")
    typer.echo(f"Prevalence: {result.path / 'prevalence.csv'}")
    typer.echo(f"Report:     {result.page}")


def _plain(result: ScreenResult) -> dict[str, Any]:
    from perimetry.screening.output import funnel_of

    return {
        "out": str(result.path),
        "page": str(result.page),
        "funnel": [funnel_of(screening) for screening in result.screenings],
        "prevalence": [_finite(row) for row in result.prevalence.to_dicts()],
        "cues": [_finite(row) for row in result.cues.to_dicts()],
        "candidates": sum(screening.candidates.height for screening in result.screenings),
    }


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """JSON has no word for an infinite ratio."""
    return {key: "inf" if isinstance(value, float) and math.isinf(value) else value for key, value in row.items()}
