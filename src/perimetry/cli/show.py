"""What commands print: tables for people, JSON for machines."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perimetry.protocols.audit import AuditResult, DryRun

__all__ = ["print_json", "print_table", "show_dry_run", "show_result", "show_verdicts"]

PIPED_WIDTH = 160


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table that fits the terminal; nothing in it is read as markup."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title) if title else None, title_justify="left", header_style="bold", expand=False)
    for name in columns:
        table.add_column(escape(name), overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    # Piped output has no width of its own; a wide table is easier to read there than a folded one.
    console = Console(highlight=False)
    (console if console.is_terminal else Console(highlight=False, width=PIPED_WIDTH)).print(table)


def show_dry_run(count: DryRun, as_json: bool) -> None:
    """What an audit would ask."""
    if as_json:
        print_json(asdict(count))
        return
    rows = [
        ("trials", f"{count.trials:,}"),
        ("trials to which their condition does not apply", f"{count.not_applicable:,}"),
        ("requests after merging", f"{count.requests:,}"),
        ("of these answered already", f"{count.stored:,}"),
        ("requests to ask", f"{count.requests - count.stored:,}"),
        ("images", f"{count.images:,}"),
        ("text tokens, estimated", f"{count.text_tokens:,}"),
        ("image tokens, estimated", f"{count.image_tokens:,}"),
    ]
    print_table(f"Dry run for {', '.join(count.models)}", ("what", "number"), rows)


def show_result(result: AuditResult, as_json: bool) -> None:
    """How a run ended: verdicts, what has no answer, where the page is."""
    run = result.run
    if as_json:
        print_json(
            {
                "run": str(run.path),
                "page": str(run.page),
                "verdicts": run.verdicts,
                "unanswered": run.unanswered,
                "models": [asdict(summary) for summary in result.summaries],
            }
        )
        return
    show_verdicts(run.verdicts)
    for warning in result.warnings:
        typer.echo(f"Note: {warning}", err=True)
    for summary in result.summaries:
        if summary.failed:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.failed)
            typer.echo(f"{summary.model}: requests without an answer: {kinds}", err=True)
        if summary.message:
            typer.echo(f"{summary.model}: {summary.message}", err=True)
    typer.echo(f"Estimates: {run.path / 'estimates.csv'}")
    typer.echo(f"Report:    {run.page}")


def show_verdicts(verdicts: dict[str, dict[str, Any]]) -> None:
    """One line a model."""
    rows = [(model, verdict["verdict"], verdict["reason"]) for model, verdict in verdicts.items()]
    print_table("", ("model", "verdict", "because"), rows)
