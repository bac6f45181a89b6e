"""`perimetry screen`: cues that could lead to the key without the image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from perimetry.cli import audit_options as options

__all__ = ["screen"]


def screen(
    data: Annotated[
        list[str],
        typer.Option(metavar="NAME:PATH", help="A data set of questions; repeatable. See `perimetry datasets`."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for tables and the page.")],
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Screen multiple-choice items for cues: candidates, prevalence, odds of being the key, and a page. Asks no model.

    Example: perimetry screen --data medxpertqa-mm:data/medxpertqa_mm --out screens
    """
    import shlex
    import sys

    from perimetry.cli.image_count import ImageCount
    from perimetry.cli.item_count import ItemCount
    from perimetry.cli.show import interruptible
    from perimetry.cli.show_screens import show_screens
    from perimetry.screening import screen as run

    kept = " Images that were looked at are kept and not read again." if images is not None else ""
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
            command=shlex.join(sys.argv),
            progress=ImageCount(),
            item_progress=ItemCount(),
        )
    show_screens(result, as_json)
