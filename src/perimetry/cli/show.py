"""What commands print: tables for people, JSON for machines."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perimetry.protocols.audit import AuditResult, DryRun
    from perimetry.protocols.run import Run

__all__ = [
    "complain",
    "exit_code",
    "interruptible",
    "logged_once",
    "one_line",
    "print_json",
    "print_table",
    "show_dry_run",
    "show_result",
    "show_unanswered",
    "show_verdicts",
]

PIPED_WIDTH = 160
EXAMPLE_LENGTH = 300


_CONTROL = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160)) if chr(number) not in "\n\t"}


def plain(text: str) -> str:
    r"""Text that can be shown on a terminal: control characters, which could move the cursor or worse, are spelled out.

    Examples
    --------
    >>> print(plain("\x1b[2J"))
    \x1b[2J
    """
    return text.translate(_CONTROL)


def complain(text: str) -> None:
    """A line on standard error."""
    typer.echo(plain(text), err=True)


class _Once(logging.Handler):
    """Shows each logged warning of the package as one line, once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._seen: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text not in self._seen:
            self._seen.add(text)
            complain(f"Note: {text}")


@contextmanager
def logged_once() -> Iterator[None]:
    """Show what the package logs (damaged files that were passed over) while a command runs."""
    logger, handler = logging.getLogger("perimetry"), _Once()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def interruptible(how: str = "Nothing stored is lost: give the same command again to go on.") -> Iterator[None]:
    """Say `how` to go on after Ctrl-C or SIGTERM, and exit with 130."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        complain(str(interruption) or f"Interrupted. {how}")
        raise typer.Exit(130) from interruption


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
        table.add_row(*(escape(plain(cell)) for cell in row))
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
                "pending": run.pending,
                "silent": list(run.silent),
                "models": [asdict(summary) for summary in result.summaries],
                "warnings": list(result.warnings),
            }
        )
        return
    show_verdicts(run.verdicts)
    for warning in result.warnings:
        complain(f"Note: {warning}")
    for summary in result.summaries:
        if summary.failed:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.failed)
            complain(f"{summary.model}: requests without an answer: {kinds}")
        for kind, said in summary.examples:
            if f"{kind}: {said}" not in summary.message:  # said once is enough
                complain(f"  {kind}, for example: {one_line(said)}")
        # It ends with what to do to go on; where nothing is left to ask, there is nothing to go on with.
        if summary.message and run.pending:
            complain(f"{summary.model}: {summary.message}")
    show_unanswered(run, "the same command")
    typer.echo(f"Estimates: {run.path / 'estimates.csv'}")
    typer.echo(f"Report:    {run.page}")


def show_unanswered(run: Run, command: str) -> None:
    """How many trials have no answer and what would ask them; which models answered nothing, or no word."""
    if run.unanswered:
        again = f"{run.pending:,} of them are asked when {command} is given again" if run.pending else "for good"
        complain(f"{run.unanswered:,} trials have no answer ({again}); the report lists them.")
    if run.silent and not run.pending:
        complain(f"{', '.join(run.silent)}: not one request was answered, and asking again does not help.")
    for model in run.wordless:
        complain(f"{model}: not one of its responses holds a report; nothing that is said of it rests on a word.")


def one_line(text: str) -> str:
    """What a server said, on one line and not too long."""
    words = " ".join(text.split())
    return words if len(words) <= EXAMPLE_LENGTH else f"{words[:EXAMPLE_LENGTH]} ..."


def exit_code(run: Run) -> int:
    """How an audit ends: 3 where asking again can help, 1 where a model answered nothing for good, else 0."""
    if run.pending:
        return 3
    return 1 if run.silent else 0


def show_verdicts(verdicts: dict[str, dict[str, Any]]) -> None:
    """One line a model."""
    rows = [(model, verdict["verdict"], verdict["reason"]) for model, verdict in verdicts.items()]
    print_table("", ("model", "verdict", "because"), rows)
