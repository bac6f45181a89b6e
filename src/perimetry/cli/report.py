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
    from perimetry.protocols.finish import rebuild

    with interruptible():
        rebuilt = rebuild(run, tuple(data or ()))
    if as_json:
        print_json({"run": str(run), "page": str(rebuilt.page), "verdicts": rebuilt.verdicts})
        return
    show_verdicts(rebuilt.verdicts)
    typer.echo(f"Estimates: {run / 'estimates.csv'}")
    typer.echo(f"Report:    {rebuilt.page}")
