"""`perimetry guess`: how far the text of multiple-choice items goes without any image."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perimetry.cli import audit_options as options

if TYPE_CHECKING:
    from perimetry.screening.guessers import GuessResult

__all__ = ["guess"]


def guess(
    data: Annotated[
        list[str], typer.Option(metavar="NAME:PATH", help="Data set of multiple-choice items; repeatable.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for predictions, estimates and the page.")],
    folds: Annotated[int, typer.Option(min=2, help="Parts of which one is guessed by training on the others.")] = 5,
    split: Annotated[str | None, typer.Option(help="Split of the data set; its evaluation split if not given.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use this many items, a seeded sample.")] = None,
    only: options.Only = None,
    seed: Annotated[int, typer.Option(help="Seed of folds, shuffled keys and resamples.")] = 42,
    shuffles: Annotated[
        int, typer.Option(min=0, help="How often keys are drawn at random to know what luck does.")
    ] = 10,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples behind every interval.")] = 10_000,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="TOML file: columns of table and hub data.")
    ] = None,
    images: Annotated[Path | None, typer.Option(help="Image folder, where it is not where the layout has it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Guess the keys from options alone, and from question and options: two trained rankers that see no image.

    Example: perimetry guess --data medxpertqa-mm:MEDXPERTQA --out guesses
    """
    from perimetry.cli.show import interruptible
    from perimetry.screening.guessers import guess as run

    with interruptible("Nothing is kept on the way: the same command begins again."):
        result = run(
            data,
            out=out,
            folds=folds,
            split=split,
            limit=limit,
            only=only,
            seed=seed,
            shuffles=shuffles,
            resamples=resamples,
            mapping=map_file,
            images=images,
        )
    show_guesses(result, as_json)


def show_guesses(result: GuessResult, as_json: bool) -> None:
    """Accuracies against chance, the overlap of the folds, and where everything lies."""
    from perimetry.cli.show import complain, print_json, print_table
    from perimetry.reports import interval_text, p_text

    if as_json:
        print_json(result.to_dict())
        return
    rows = [
        (
            one.guesser,
            one.dataset,
            f"{one.accuracy.n:,}",
            interval_text(one.accuracy.value, one.accuracy.ci_low, one.accuracy.ci_high),
            f"{100 * one.chance.value:.2f}",
            interval_text(one.gain.value, one.gain.ci_low, one.gain.ci_high, sign=True),
            p_text(one.gain.p_value),
            "-"
            if one.shuffled is None
            else interval_text(one.shuffled.value, one.shuffled.ci_low, one.shuffled.ci_high, sign=True),
            one.verdict,
        )
        for one in result.readings
    ]
    columns = (
        "guesser",
        "data set",
        "items",
        "accuracy",
        "chance",
        "less chance",
        "p",
        "shuffled keys, less chance",
        "",
    )
    print_table("", columns, rows)
    overlap = [
        (
            one.kind,
            f"{one.values:,}",
            f"{one.repeated:,}",
            f"{one.overlap:,}",
            f"{one.templates:,} ({one.template_items:,} items)" if one.templates else "-",
        )
        for one in result.overlap
    ]
    print_table(
        "What training shares with what it is asked",
        ("identity", "distinct", "held by several items", "overlap", "templates set apart"),
        overlap,
    )
    for funnel in (*result.loads, *result.funnels):
        for line in funnel.summary_lines():
            complain(f"Note: {line}")
    for note in result.notes:
        complain(f"Note: {note}")
    for one in result.readings:
        if one.sane is False:
            complain(
                f"Note: {one.guesser} on {one.dataset}: shuffled keys are not guessed at chance. One check in twenty "
                "fails by luck; try another --seed."
            )
    assert result.path is not None
    typer.echo(f"Predictions: {result.path / 'predictions.csv'}")
    typer.echo(f"Estimates:   {result.path / 'estimates.csv'}")
    typer.echo(f"Report:      {result.path / 'report' / 'index.html'}")
