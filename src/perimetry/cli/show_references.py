"""What `perimetry audit references` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from perimetry.cli.show import complain, print_json, print_table

if TYPE_CHECKING:
    from perimetry.protocols.references import ReferenceResult

__all__ = ["show_references"]


def show_references(result: ReferenceResult, as_json: bool) -> None:
    """The answer, the sensitivity of every metric, and where everything lies."""
    from perimetry.protocols.references.coverage import coverage, coverage_notes
    from perimetry.protocols.references.output import SUMMARY, pair_frame

    if as_json:
        print_json(
            {
                "out": str(result.path),
                "page": str(result.page),
                "verdicts": {answer.metric: answer.to_dict() for answer in result.verdicts},
                "coverage": [row.to_dict() for row in coverage(result.findings.material)],
                "pairs": pair_frame(result.findings).to_dicts(),
                "estimates": result.estimates.to_dicts(),
                "pending": result.pending,
            }
        )
        return
    rows = [(answer.metric, answer.verdict, answer.reason) for answer in result.verdicts]
    print_table("", ("metric", "verdict", "because"), rows)
    for one in result.findings.material.sets:
        for why, count in one.left_out.items():
            complain(f"{one.name}: {count:,} {'study is' if count == 1 else 'studies are'} left out: {why}")
        unmet = one.alternatives.unmet(one.reports.ids)
        if unmet:
            complain(f"Note: {one.name}: {unmet}")
    for told, sparse in coverage_notes(result.findings.material):
        complain(f"{'Caution' if sparse else 'Note'}: {told}")
    if result.pending:
        complain(f"{result.pending:,} requests have no final answer; the same command asks them again.")
    assert result.path is not None
    typer.echo(f"Pairs:     {result.path / 'pairs.csv'}")
    typer.echo(f"Tables:    {result.path / SUMMARY} (Markdown)")
    typer.echo(f"Estimates: {result.path / 'estimates.csv'}")
    typer.echo(f"Report:    {result.page}")
