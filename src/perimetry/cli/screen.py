"""`perimetry screen`: cues that could lead to the key without the image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from perimetry.cli import audit_options as options
from perimetry.cli.option_groups import spread

__all__ = ["screen"]


@spread
def screen(
    data: Annotated[
        list[str],
        typer.Option(metavar="NAME:PATH", help="A data set of questions; repeatable. See `perimetry datasets`."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for tables and the page.")],
    *,
    images: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Folder of the images, or the data's own PATH: screens that read pixels run, too."
        ),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="TOML file field = column, for table and hub.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Split; the evaluation split if not given.")] = None,
    limit: Annotated[int | None, typer.Option(help="Screen this many items of each data set.")] = None,
    only: options.Only = None,
    screens: Annotated[
        list[str] | None, typer.Option("--screen", metavar="NAME", help="Run this screen only; repeatable.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Ask this model, too, about cues that no rule can decide; with --images it sees them. See `perimetry "
            "models`.",
        ),
    ] = None,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="Tokens of the judge's answer, at most.")] = 4096,
    schema: Annotated[
        bool, typer.Option("--schema/--no-schema", help="Ask endpoints to hold answers to their JSON schema.")
    ] = True,
    endpoints: options.Endpoints,
    allow_remote: options.AllowRemote = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and count the judge's requests; ask and write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Screen multiple-choice items for cues: candidates, prevalence, odds of being the key, and a page.

    Asks no model but the one that --judge names.

    Example: perimetry screen --data medxpertqa-mm:data/medxpertqa_mm --out screens
    """
    import shlex
    import sys

    from perimetry.cases import UsageError
    from perimetry.cli.image_count import ImageCount
    from perimetry.cli.item_count import ItemCount
    from perimetry.cli.show import interruptible
    from perimetry.cli.show_screens import show_count, show_screens
    from perimetry.screening import count_judging
    from perimetry.screening import screen as run
    from perimetry.screening.judging import Judging

    judging = None
    if judge is not None:
        judging = Judging(
            judge,
            tuple(allow_remote or ()),
            max_new_tokens,
            schema,
            endpoints.settings,
            endpoints.context,
            progress=True,
        )
    if dry_run:
        if judging is None:
            raise UsageError("--dry-run counts the requests to a judge, and --judge names none. Screens ask no model.")
        counts = count_judging(
            data,
            judging,
            out=out,
            images=images,
            mapping=mapping,
            split=split,
            limit=limit,
            only=only,
            screens=screens or (),
        )
        show_count(counts, as_json)
        return
    kept = " Images that were looked at are kept and not read again." if images is not None else ""
    kept += " What the judge has answered is kept, too." if judging is not None else ""
    with interruptible(f"Screening texts keeps nothing on the way: the same command begins again.{kept}"):
        result = run(
            data,
            out=out,
            images=images,
            mapping=mapping,
            split=split,
            limit=limit,
            only=only,
            screens=screens or (),
            judging=judging,
            command=shlex.join(sys.argv),
            progress=ImageCount(),
            item_progress=ItemCount(),
        )
    show_screens(result, as_json)
    if result.pending:
        raise typer.Exit(3)
    if result.speechless:
        raise typer.Exit(1)
