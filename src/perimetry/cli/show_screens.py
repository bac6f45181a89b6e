"""What `perimetry screen` prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import typer

from perimetry.cli.show import complain, one_line, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perimetry.screening import ScreenResult

__all__ = ["show_count", "show_screens"]

PRINTED = 12
REASONS = 5


def show_screens(result: ScreenResult, as_json: bool) -> None:
    """The longest-option figures, the cues that lean to the key, what was left out, and where everything lies."""
    cues = result.cues
    if result.speechless:
        mute = next(opinion for opinion in result.opinions if opinion.missed)
        complain(
            f"perimetry: error: {mute.judge} gave not one verdict that can be used; most often: "
            f"{mute.missed[0].reason}. Expected one JSON object with every cue of the prompt: ask a model that follows "
            "instructions; give a larger --max-new-tokens where answers are cut off, and --no-schema where the server "
            "knows no schemas."
        )
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
    if result.opinions:
        _show_opinions(result)
    typer.echo(f"Candidates: {result.path / 'candidates.csv'}")
    typer.echo(f"Prevalence: {result.path / 'prevalence.csv'}")
    if result.opinions:
        typer.echo(f"Judged:     {result.path / 'judged.csv'}")
    typer.echo(f"Report:     {result.page}")


def show_count(counts: Mapping[str, tuple[int, int]], as_json: bool) -> None:
    """What the judge would be asked."""
    if as_json:
        print_json({name: {"requests": asked, "to_ask": left} for name, (asked, left) in counts.items()})
        return
    rows = [(name, f"{asked:,}", f"{left:,}") for name, (asked, left) in counts.items()]
    print_table("Dry run", ("data set", "requests to the judge", "of these to ask"), rows)


def _show_opinions(result: ScreenResult) -> None:
    """What the judge says, apart; what there is no verdict on, and why."""
    from perimetry.reports import interval_text

    table = result.judged
    for opinion in result.opinions:
        ranked = table.filter(table["dataset"] == opinion.dataset).sort(
            "share_of_items", "cue", descending=[True, False], nulls_last=True
        )
        rows = [
            (
                row["title"],
                f"{row['items_with_cue']:,} of {row['items']:,}",
                "–" if row["share_of_keys"] is None else f"{row['key_has_cue']:,} ({100 * row['share_of_keys']:.1f}%)",
                interval_text(row["odds_ratio"], row["ci_low"], row["ci_high"], 2, scale=1),
            )
            for row in ranked.head(PRINTED).iter_rows(named=True)
            if row["items"]
        ]
        title = f"{opinion.dataset}: the opinion of {opinion.judge}, apart from the screens"
        if rows:
            print_table(title, ("cue", "said to be there", "keys with it", "odds ratio on the key"), rows)
        asked = sum(opinion.asked.values())
        if opinion.missed:
            complain(f"{opinion.dataset}: {opinion.unjudged:,} of {asked:,} verdicts are missing, and count as none:")
        for one in opinion.missed[:REASONS]:
            complain(f"  {one.verdicts:,} of {one.items:,} item{'s' * (one.items != 1)}: {one.reason}")
        if len(opinion.missed) > REASONS:
            complain(f"  and {len(opinion.missed) - REASONS} more reasons; judged_missing.csv has all of them.")
    for summary in result.summaries:
        for kind, said in summary.examples:
            if f"{kind}: {said}" not in summary.message:
                complain(f"{summary.model}: {kind}, for example: {one_line(said)}")
        if summary.message and result.pending:
            complain(f"{summary.model}: {summary.message}")
    if result.pending:
        complain(f"{result.pending:,} requests to the judge have no final answer; the same command asks them.")


def _plain(result: ScreenResult) -> dict[str, Any]:
    from perimetry.screening.output import funnel_of

    return {
        "out": str(result.path),
        "page": str(result.page),
        "funnel": [funnel_of(screening) for screening in result.screenings],
        "prevalence": [_finite(row) for row in result.prevalence.to_dicts()],
        "cues": [_finite(row) for row in result.cues.to_dicts()],
        "candidates": sum(screening.candidates.height for screening in result.screenings),
        **(_judged(result) if result.opinions else {}),
    }


def _judged(result: ScreenResult) -> dict[str, Any]:
    from dataclasses import asdict

    from perimetry.screening.judging.tables import missing_frame

    return {
        "judged": [_finite(row) for row in result.judged.to_dicts()],
        "no_verdict": missing_frame(result.opinions).to_dicts(),
        "pending": result.pending,
        "judge": [asdict(summary) for summary in result.summaries],
    }


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """JSON has no word for an infinite ratio."""
    return {key: "inf" if isinstance(value, float) and math.isinf(value) else value for key, value in row.items()}
