"""`perimetry montage`: studies under all occlusion conditions on one sheet."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["montage"]


class FillName(StrEnum):
    """What regions are filled with."""

    noise = "noise"
    black = "black"
    white = "white"
    mean = "mean"
    blur = "blur"
    shuffle = "shuffle"
    inpaint = "inpaint"


def montage(
    data: Annotated[str, typer.Option(metavar="NAME:PATH", help="A data set of studies with boxes.")],
    case: Annotated[list[str], typer.Option(metavar="ID", help="A study; repeatable, for several on one sheet.")],
    out: Annotated[Path, typer.Option(metavar="FILE.png", help="The sheet to write.")],
    classes: Annotated[
        str | None, typer.Option(metavar="LIST", help="Comma-separated CheXpert classes; all with boxes if not given.")
    ] = None,
    strength: Annotated[int, typer.Option(min=1, max=100, help="Per cent of the fill in the blend.")] = 100,
    fill: Annotated[FillName, typer.Option(help="What regions are filled with.")] = FillName.noise,
    seed: Annotated[int, typer.Option(help="Seed of noise and placements, as in the audit.")] = 42,
    split: Annotated[str | None, typer.Option(metavar="NAME", help="Split; the evaluation split if not given.")] = None,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the images where it is not the layout's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Draw a study under all conditions of the occlusion audit, with boxes; one row for each class.

    Example: perimetry montage --data phantom-studies:n=20,cooccurrence=0.8 --case phantom-42-00003 --out sheet.png
    """
    from perimetry.cli.show import print_json
    from perimetry.protocols.montage import montage as draw

    made = draw(
        data,
        case,
        out,
        classes=[name.strip() for name in classes.split(",") if name.strip()] if classes else None,
        strength=strength,
        fill=fill.value,
        seed=seed,
        split=split,
        images=images,
    )
    if as_json:
        print_json({"path": str(made.path), "rows": list(made.rows), "data_use": made.data_use})
        return
    typer.echo(f"{made.path}: {len(made.rows)} rows ({', '.join(made.rows)})")
    if made.data_use != "open":
        typer.echo(f"The data set is {made.data_use}: keep the sheet to yourself.")
