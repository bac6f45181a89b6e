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
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Of a reference audit: print its main tables as Markdown.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Make outcomes, estimates and pages again from the responses of a run. Asks no model.

    For every audit; a reference audit is made again from the files that it read. Ends as the audit does: with 3 where
    trials wait for an answer or a file of responses was damaged.

    Example: perimetry report runs/qwen
    """
    from perimetry.cases import UsageError
    from perimetry.cli.other_folders import refuse_others
    from perimetry.cli.show import exit_code, interruptible, print_json, show_unanswered, show_verdicts
    from perimetry.cli.show_references import show_references
    from perimetry.inference import Problem
    from perimetry.inference.store import log_problem
    from perimetry.protocols.finish import rebuild
    from perimetry.protocols.references import is_reference_run, rebuild_references
    from perimetry.protocols.references.summary import summary_markdown

    if is_reference_run(run):
        with interruptible():
            result = rebuild_references(run, tuple(data or ()))
        if markdown:
            typer.echo(summary_markdown(result.findings), nl=False)
        else:
            show_references(result, as_json)
        if result.pending:
            raise typer.Exit(3)
        return
    refuse_others(run)
    if markdown:
        raise UsageError("--markdown is for reference audits; this run has tables/*.csv in its report.")
    problems: dict[Problem, None] = {}

    def note(problem: Problem) -> None:
        problems[problem] = None
        log_problem(problem)

    with interruptible():
        rebuilt = rebuild(run, tuple(data or ()), note)
    if as_json:
        told = [str(problem) for problem in problems]
        print_json(
            {"run": str(run), "page": str(rebuilt.page), "verdicts": rebuilt.verdicts, "problems": told}
            | {"unanswered": rebuilt.unanswered, "pending": rebuilt.pending, "silent": list(rebuilt.silent)}
        )
    else:
        show_verdicts(rebuilt.verdicts)
        show_unanswered(rebuilt, "the audit command")
        typer.echo(f"Estimates: {run / 'estimates.csv'}")
        typer.echo(f"Report:    {rebuilt.page}")
    code = 3 if problems else exit_code(rebuilt)
    if code:
        raise typer.Exit(code)
