"""The root command and its groups."""

from __future__ import annotations

from typing import Annotated

import typer

from perimetry.cli import (
    audit,
    build,
    compare,
    datasets,
    demo,
    guess,
    metrics,
    models,
    montage,
    report,
    review,
    rewrite,
    sample_for_review,
    score,
    screen,
    subset,
)

__all__ = ["app"]

app = typer.Typer(
    name="perimetry",
    help="The visual-field test for medical vision-language models: what does the score rest on?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Panels cut long names and examples off; plain text wraps them.
    rich_markup_mode=None,
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


# Lines that are given here are shown whole; the first sentence of a docstring would be cut.
app.command("demo", short_help="Audit readers of known habits on drawn radiographs.")(demo.demo)
app.add_typer(audit.app, name="audit", short_help="Run an audit.")
app.add_typer(build.app, name="build", short_help="Make studies with boxes from a data set's official files.")
app.command("sample-for-review", short_help="Cases for a radiologist's check of the boxes, and her answers.")(
    sample_for_review.sample_for_review
)
app.add_typer(review.app, name="review", short_help="An expert review: hand out, take in, sum up.")
app.command("report", short_help="Make a run's results and pages again; asks no model.")(report.report)
app.command("compare", short_help="Differences of two models on the same items.")(compare.compare)
app.command("rewrite", short_help="Tell reports in other styles; keep what still says the same.")(rewrite.rewrite)
app.command("score", short_help="Score generated reports against references.")(score.score)
app.command("screen", short_help="Screen items for cues that lead to the key without the image.")(screen.screen)
app.command("guess", short_help="Guess keys from the text alone, by trained rankers.")(guess.guess)
app.command("subset", short_help="Remove items that a shortcut answers; say why for each.")(subset.subset)
app.command("montage", short_help="Draw a study under every occlusion condition, with its boxes.")(montage.montage)
app.command("metrics", short_help="List the report metrics and what each needs.")(metrics.metrics)
app.command("datasets", short_help="List the data sets with licence and layout.")(datasets.datasets)
app.command("models", short_help="List who can be asked, and what can run here.")(models.models)
