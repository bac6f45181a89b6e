"""`perimetry review`: hand an expert review out, take ratings in, sum it up."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from perimetry.protocols.review import HandedOut, ReviewResult

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="An expert review: hand out, take in, sum up.")

Folder = Annotated[Path, typer.Argument(metavar="REVIEW", help="Folder of the review, with its key.json.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command("export", short_help="Hand pairs out to raters, blinded; then what they differ about.")
def export(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PAIRS|REVIEW", help="Pairs (a table, or a folder of rewrite); later the review itself."
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="New folder for a new review.")] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="realism, equivalence, or a task file; repeatable. Both if not given."),
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who rates; repeatable. Nobody: open to all."),
    ] = None,
    adjudicator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who gives the fourth rating where three differ; repeatable."),
    ] = None,
    per_variation: Annotated[
        int | None, typer.Option(min=1, help="Pairs of each data set and variation; all if not given.")
    ] = None,
    data_use: Annotated[
        str | None, typer.Option(metavar="CLASS", help="open, restricted or credentialed: warns raters.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of draw, order and sides; 42 if not given.")] = None,
    fill: Annotated[
        bool, typer.Option("--fill", help="Deal to somebody else what was dealt and did not come back.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Hand a new review out; or, given a review, what it still needs: third and fourth ratings.

    Example: perimetry review export rewritten --out review --rater ann --rater bob --per-variation 10

    and later: perimetry review export review --rater carol --adjudicator dave
    """
    from perimetry.cases import DataError, UsageError
    from perimetry.protocols.review import export_next, export_review, is_review
    from perimetry.protocols.review.task import SHIPPED

    if not source.exists():
        raise DataError(
            f"{source} does not exist. Expected: the folder that `perimetry rewrite` wrote, a table of pairs (case_id, "
            "variation, original, alternative), or the folder of a review that was begun (with its key.json)."
        )
    if is_review(source):
        fixed = {"--out": out, "--task": task, "--per-variation": per_variation, "--data-use": data_use, "--seed": seed}
        given = [name for name, value in fixed.items() if value is not None]
        if given:
            raise UsageError(f"{', '.join(given)}: the review {source} has its own since it was begun. Leave this out.")
        _show_handed(export_next(source, raters=rater or (), adjudicators=adjudicator or (), fill=fill), as_json)
        return
    if out is None:
        raise UsageError(
            f"--out DIR is missing: where the new review goes. ({source} is no review that was begun: it has no "
            "key.json.)"
        )
    if adjudicator or fill:
        raise UsageError("--adjudicator and --fill are for a review that is under way: give its folder first.")
    if data_use not in (None, "open", "restricted", "credentialed"):
        raise UsageError(f"--data-use {data_use} was found; open, restricted or credentialed was expected.")
    handed = export_review(
        source,
        out,
        tasks=task or SHIPPED,
        raters=rater or (),
        per_variation=per_variation,
        seed=42 if seed is None else seed,
        data_use=data_use or "",
    )
    _show_handed(handed, as_json)


@app.command("import", short_help="Take filled-in sheets or Label Studio exports in.")
def import_(
    review: Folder,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="CSV, TSV, JSON or JSONL that came back.")],
    rater: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who filled them in, where they do not say.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let ratings take the place of earlier ones of the same rater.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take ratings in; a file with any fault is told and nothing of it is kept.

    Example: perimetry review import review ann/realism.csv ann/equivalence.csv
    """
    from perimetry.cli.show import print_json, print_table
    from perimetry.protocols.review import import_ratings

    taken = import_ratings(review, files, rater=rater, replace_earlier=replace)
    if as_json:
        print_json([one.to_dict() for one in taken])
        return
    rows = [
        (one.file, ", ".join(one.raters), *(f"{n:,}" for n in (one.new, one.same, one.replaced, one.skipped)))
        for one in taken
    ]
    print_table("", ("file", "raters", "new", "there already", "replaced", "left open"), rows)


@app.command("summary", short_help="Consensus, agreement and tables by variation.")
def summary(
    review: Folder,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for tables and page; REVIEW/summary if not given.")
    ] = None,
    release: Annotated[
        bool, typer.Option("--release", help="Also write the pairs with their ratings (released.jsonl).")
    ] = False,
    texts: Annotated[bool, typer.Option("--texts", help="Quote reports and comments on the page.")] = False,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples behind every interval.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the resamples.")] = 42,
    as_json: AsJson = False,
) -> None:
    """Settle every item, and say what the raters found and how far they agree.

    Example: perimetry review summary review
    """
    from perimetry.cli.show import interruptible, print_json
    from perimetry.protocols.review import summarise

    with interruptible():
        result = summarise(
            review,
            out=out,
            release=release,
            texts=texts,
            resamples=resamples,
            seed=seed,
            command=" ".join(["perimetry", *sys.argv[1:]]),
        )
    if as_json:
        print_json(result.to_dict())
    else:
        _show_summary(result)


def _show_handed(handed: HandedOut, as_json: bool) -> None:
    from perimetry.cli.show import complain, print_json, print_table

    if handed.warning:
        complain(f"Note: {handed.warning}")
    for one in handed.left_out:
        complain(f"Note: left out, {one.reason}: {one.count:,} ({', '.join(one.examples)})")
    if as_json:
        print_json(handed.to_dict())
        return
    rows = [
        (str(one.round), one.task, one.rater or "everybody", one.step, f"{len(one.items):,}") for one in handed.deals
    ]
    print_table(f"{handed.pairs:,} pairs, study {handed.study}", ("round", "task", "rater", "step", "items"), rows)
    for what, count in handed.waiting:
        complain(f"Note: {count:,} {'item waits' if count == 1 else 'items wait'} for {what}.")
    number = handed.deals[0].round
    typer.echo(f"Hand over:  {handed.out / f'round-{number}'} (each rater's own folder)")
    typer.echo(f"Keep:       {handed.out / 'key.json'}")
    typer.echo(f"Take in:    perimetry review import {handed.out} FILE...")


def _show_summary(result: ReviewResult) -> None:
    from perimetry.cli.show import complain, print_table
    from perimetry.protocols.review.outcomes import HOWS
    from perimetry.protocols.review.tables import FEW, few_rated, variation_rows
    from perimetry.reports import interval_text

    def read(row: dict[str, Any], key: str, style: dict[str, Any]) -> str:
        told = interval_text(row.get(key), row.get(f"{key}_low"), row.get(f"{key}_high"), **style)
        return f"{told} ({row[f'{key}_note']})" if f"{key}_note" in row else told

    rows = [
        (one["task"], f"{one['items']:,}", *(f"{one[how]:,}" for how in HOWS), f"{one['open']:,}")
        for one in result.progress
    ]
    print_table("", ("task", "items", *HOWS, "open"), rows)
    for one in result.progress:
        for how, count in one["waiting"].items():
            noun, verb = ("item", "needs") if count == 1 else ("items", "need")
            complain(f"Note: {one['task']}: {count:,} {noun} {verb} a {how.removeprefix('needs ')} rating.")
    for held in result.study.tasks:
        task = held.task
        sides = {"pair": ("pair",), "alternative": ("alternative",), "each": ("original", "alternative")}[task.shows]
        columns = [(f"{task.name}={it.value} {side}", f"{it.label} ({side})") for side in sides for it in task.ratings]
        wanted: list[tuple[str, str, dict[str, Any]]] = [(key, label, {}) for key, label in columns]
        if task.shows == "each" and task.ordered:
            score = {"digits": 2, "scale": 1.0, "sign": True}
            wanted = [
                (f"{task.name} alternative-original", "score, alternative - original", score),
                (f"{task.name}_no_worse alternative-original", "percent rated no lower", {}),
            ]
        table = [
            (row["variation"], f"{row.get(f'{wanted[0][0]}_n', 0):,}", *(read(row, k, o) for k, _, o in wanted))
            for row in variation_rows(result.study, result.estimates, task.name)
        ]
        print_table(task.title, ("variation", "n", *(label for _, label, _ in wanted)), table)
        if few_rated(result.study, result.settled, task.name):
            complain(f"Caution: {task.name}: fewer than {FEW} items are settled in some rows: a rough picture.")
    typer.echo(f"Estimates: {result.path / 'estimates.csv'}")
    typer.echo(f"Consensus: {result.path / 'consensus.csv'}")
    if result.released is not None:
        typer.echo(f"Released:  {result.released}")
    typer.echo(f"Report:    {result.page}")
