"""The root command and its groups."""

from __future__ import annotations

from typing import Annotated

import typer

from perimetry.cli import audit, compare, datasets, demo, metrics, models, report, score

__all__ = ["app"]

app = typer.Typer(
    name="perimetry",
    help="The visual-field test for medical vision-language models: what does the score rest on?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"perimetry {version('perimetry')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """The visual-field test for medical vision-language models: what does the score rest on?"""


app.command("demo")(demo.demo)
app.add_typer(audit.app, name="audit")
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("score")(score.score)
app.command("metrics")(metrics.metrics)
app.command("datasets")(datasets.datasets)
app.command("models")(models.models)
