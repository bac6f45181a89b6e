"""`perimetry report`: make everything of a run again from its responses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["report"]


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder.")],
    data: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:PATH", help="Where the data lies now, if it was moved; in the order of the run."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Make outcomes, estimates and pages again from the responses of a run. Asks no model.

    Example: perimetry report runs/qwen
    """
    from perimetry.cli.show import interruptible, print_json, show_verdicts
    from perimetry.inference import Problem
    from perimetry.inference.store import log_problem
    from perimetry.protocols.finish import rebuild

    problems: dict[Problem, None] = {}

    def note(problem: Problem) -> None:
        problems[problem] = None
        log_problem(problem)

    with interruptible():
        rebuilt = rebuild(run, tuple(data or ()), note)
    if as_json:
        told = [str(problem) for problem in problems]
        print_json({"run": str(run), "page": str(rebuilt.page), "verdicts": rebuilt.verdicts, "problems": told})
    else:
        show_verdicts(rebuilt.verdicts)
        typer.echo(f"Estimates: {run / 'estimates.csv'}")
        typer.echo(f"Report:    {rebuilt.page}")
    if problems:
        raise typer.Exit(3)
