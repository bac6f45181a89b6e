"""`perimetry build`: from the official files of a data set to studies.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from perimetry.builders import Built
    from perimetry.builders.built import Progress

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Make studies with boxes from a data set's official files."
)

Folder = Annotated[Path, typer.Argument(metavar="PATH", help="Folder of the official files.")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="Folder for studies.jsonl and funnel.json.")]
Images = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder of the images where it is not the layout's own.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command("padchest-gr", short_help="PadChest-GR: boxes whose sentences state their class.")
def padchest_gr(
    path: Folder,
    out: Out,
    labeller: Annotated[
        str, typer.Option(metavar="LABELLER", help="Reads the boxes' sentences: rules, or chexbert:WEIGHTS.")
    ] = "rules",
    min_images: Annotated[int, typer.Option(min=1, help="Leave out classes that fewer images show.")] = 40,
    split: Annotated[str, typer.Option(help="train, validation, test or all.")] = "all",
    images: Images = None,
    as_json: AsJson = False,
) -> None:
    """Build PadChest-GR: boxes with CheXpert classes that their own sentences state.

    Example: perimetry build padchest-gr data/padchest-gr --out built/padchest-gr
    """
    from perimetry.builders import build_padchest_gr

    _one_of(split, "all", "train", "validation", "test")
    with _counting() as progress:
        built = build_padchest_gr(
            path, out, labeller=labeller, min_images=min_images, split=split, images=images, progress=progress
        )
    _show(built, as_json)


@app.command("mimic-cxr", short_help="MIMIC-CXR with the regions of Chest ImaGenome.")
def mimic_cxr(
    path: Folder,
    imagenome: Annotated[Path, typer.Option(metavar="PATH", help="Folder of Chest ImaGenome.")],
    out: Out,
    split: Annotated[str, typer.Option(help="train, validation, test or all.")] = "test",
    min_images: Annotated[int, typer.Option(min=1, help="Leave out classes that fewer images show.")] = 1,
    images: Images = None,
    reports: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Root of the reports where it is not PATH.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build MIMIC-CXR with Chest ImaGenome: frontal images whose every positive label a region affirms.

    Example: perimetry build mimic-cxr data/mimic-cxr-jpg --imagenome data/chest-imagenome --out built/mimic-cxr
    """
    from perimetry.builders import build_mimic_cxr

    _one_of(split, "all", "train", "validation", "test")
    with _counting() as progress:
        built = build_mimic_cxr(
            path,
            imagenome,
            out,
            split=split,
            min_images=min_images,
            images=images,
            reports=reports,
            progress=progress,
        )
    _show(built, as_json)


@app.command("nih-cxr14", short_help="The images of NIH ChestX-ray14 that have boxes.")
def nih_cxr14(
    path: Folder,
    out: Out,
    min_images: Annotated[int, typer.Option(min=1, help="Leave out classes that fewer images show.")] = 1,
    images: Images = None,
    as_json: AsJson = False,
) -> None:
    """Build the part of NIH ChestX-ray14 that has boxes; there are no reports.

    Example: perimetry build nih-cxr14 data/nih_cxr14 --out built/nih-cxr14
    """
    from perimetry.builders import build_nih_cxr14

    with _counting() as progress:
        built = build_nih_cxr14(path, out, min_images=min_images, images=images, progress=progress)
    _show(built, as_json)


def _one_of(split: str, *known: str) -> None:
    from perimetry.cases import UsageError

    if split not in known:
        raise UsageError(f"--split {split} was found; one of {', '.join(known)} was expected.")


@contextmanager
def _counting() -> Iterator[Progress | None]:
    """Show how many records have been read, where somebody is looking."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(SpinnerColumn(), TextColumn("{task.completed:,} records read"), console=console) as bar:
        task = bar.add_task("", total=None)
        yield lambda count: bar.update(task, completed=count)


def _show(built: Built, as_json: bool) -> None:
    from perimetry.cli.show import complain, print_json, print_table

    if as_json:
        print_json(built.to_dict())
        return
    rows = [
        (
            stage.name,
            f"{stage.images:,}",
            "" if stage.boxes is None else f"{stage.boxes:,}",
            "" if stage.classes is None else str(stage.classes),
            stage.paper,
        )
        for stage in built.stages
    ]
    print_table("", ("step", "images", "boxes", "classes", "published"), rows)
    classes = sorted(built.images_per_class, key=lambda name: (-built.images_per_class[name], name))
    counts = [(name, f"{built.images_per_class[name]:,}", f"{built.boxes_per_class[name]:,}") for name in classes]
    print_table("", ("class", "images", "boxes"), counts)
    for line in built.remarks:
        typer.echo(line)
    for line in (*built.funnel.summary_lines(), *built.boxes.summary_lines()):
        complain(f"Note: {line}")
    typer.echo(f"Studies: {built.out / 'studies.jsonl'}")
    typer.echo(f"Funnel:  {built.out / 'funnel.json'}")
    typer.echo(f"Use:     --data studies:{built.out}")
