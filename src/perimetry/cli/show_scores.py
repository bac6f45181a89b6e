"""What the scoring commands print."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from perimetry.cli.show import complain, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from perimetry.protocols.score import ScoreResult

__all__ = ["show_requests", "show_scores"]


def show_requests(counts: Mapping[str, tuple[int, int]], as_json: bool) -> None:
    """What judges would be asked."""
    if as_json:
        print_json({metric: {"requests": asked, "to_ask": left} for metric, (asked, left) in counts.items()})
    elif counts:
        rows = [(metric, f"{asked:,}", f"{left:,}") for metric, (asked, left) in counts.items()]
        print_table("Dry run", ("metric", "requests", "of these to ask"), rows)
    else:
        typer.echo("Everything is in order. No metric of this run asks a judge.")


def show_scores(result: ScoreResult, as_json: bool) -> None:
    """The answer, the scores, what has no value, and where everything lies."""
    if as_json:
        from perimetry.protocols.score.bands import band_frame
        from perimetry.runs.estimates import estimate_frame

        print_json(
            {
                "out": str(result.path),
                "page": str(result.page),
                "verdicts": {answer.metric: answer.to_dict() for answer in result.verdicts},
                "compared": estimate_frame(result.findings.compared).to_dicts(),
                "scores": result.estimates.filter(result.estimates["comparator"] == "").to_dicts(),
                "differences": result.estimates.filter(result.estimates["comparator"] != "").to_dicts(),
                "ranks": result.ranks.to_dicts(),
                "missing": result.missing.to_dicts(),
                "bands": band_frame(result.bands).to_dicts(),
                "unmet": result.unmet,
                "pending": result.pending,
                "judges": [asdict(summary) for summary in result.summaries],
            }
        )
        return
    from perimetry.reports import interval_text

    systems = result.scored.systems
    compared = result.findings.compared
    known = {(row.metric, row.stratum, row.model): row for row in compared}
    parts = list(dict.fromkeys((row.metric, row.stratum) for row in compared if row.stratum in ("all", "abnormal")))
    rows, fewer = [], []
    for metric, stratum in parts:
        cells = [known[metric, stratum, system] for system in systems]
        name = metric if stratum == "all" else f"{metric}, {stratum} classes"
        if len(systems) > 1 and cells[0].missing and stratum == "all":
            fewer.append(f"{metric} {cells[0].n:,} of {cells[0].n + cells[0].missing:,}")
        rows.append((name, *(interval_text(row.value, row.ci_low, row.ci_high, 3, scale=1) for row in cells)))
    print_table("", ("metric", *systems), rows)
    if fewer:
        typer.echo(
            f"On the reports that every system has a value for: {', '.join(fewer)}. estimates.csv has each alone."
        )
    if result.bands:
        _show_bands(result)
    if result.unmet:
        complain(f"Note: {result.unmet}")
    print_table(
        "", ("metric", "verdict", "because"), [(one.metric, one.verdict, one.reason) for one in result.verdicts]
    )
    for system, count in result.scored.reports.silent.items():
        if count:
            complain(f"{system}: {_reports(count)} without a word where the reference has some: the worst value.")
    for row in result.missing.filter(~result.missing["counted_in_sets"]).iter_rows(named=True):
        complain(f"{row['metric']}, {row['system']}: {_reports(row['count'])} without a value: {row['reason']}")
    for summary in result.summaries:
        if summary.message:
            complain(f"{summary.model}: {summary.message}")
    if result.pending:
        complain(f"{result.pending:,} requests to judges have no final answer; the same command asks them again.")
    assert result.path is not None
    typer.echo(f"Scores:    {result.path / 'scores.csv'}")
    typer.echo(f"Estimates: {result.path / 'estimates.csv'}")
    typer.echo(f"Report:    {result.page}")


def _show_bands(result: ScoreResult) -> None:
    """Means over several references with the band of style, and of how many references that band is."""
    from perimetry.protocols.score.bands import coverage_notes
    from perimetry.reports import interval_text

    rows = [
        (
            band.metric,
            band.system,
            interval_text(band.mean.value, band.mean.ci_low, band.mean.ci_high, 3, scale=1),
            f"{band.lowest.value:.3f} ({band.lowest_under})",
            f"{band.highest.value:.3f} ({band.highest_under})",
            band.coverage,
        )
        for band in result.bands
    ]
    columns = ("metric", "system", "mean", "least (under)", "most (under)", "with an alternative")
    print_table(f"Over {result.bands[0].references} sets of references", columns, rows)
    sparse = any(band.sparse for band in result.bands)
    for note in coverage_notes(result.bands):
        complain(f"{'Caution' if sparse else 'Note'}: {note}")


def _reports(count: int) -> str:
    return f"{count:,} report{'s' if count != 1 else ''}"
