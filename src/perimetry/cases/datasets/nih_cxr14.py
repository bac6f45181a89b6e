"""NIH ChestX-ray14 (Wang et al. 2017, CVPR): radiographs with the boxes of ``BBox_List_2017.csv``; no reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.boxes import fit_box, note_boxes, note_cut
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.echo import echo
from perimetry.cases.errors import CaseError, DataError, ImageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.image_size import image_size
from perimetry.cases.layout import find_file, found_in, refuse_unknown_settings, require_path, setting
from perimetry.cases.located import ImageFiles
from perimetry.cases.plain_files import table_rows
from perimetry.cases.sources import FileSource
from perimetry.cases.study import Box, Study
from perimetry.cases.tables import finding_table
from perimetry.cases.values import text

__all__ = ["DATASET", "nih_studies"]

NAME = "nih-cxr14"
LAYOUT = (
    "BBox_List_2017.csv, Data_Entry_2017*.csv and the images in images/ or images_001/images/ ... "
    "(setting boxes=only|all, default only: images with a box)"
)
BOX_LIST = ("BBox_List_2017.csv", "BBox_List*.csv", "*/BBox_List*.csv")
ENTRIES = ("Data_Entry_2017_v2020.csv", "Data_Entry_2017.csv", "Data_Entry*.csv", "*/Data_Entry*.csv")
# How a reader of tables names the columns of "Bbox [x,y,w,h]": the commas inside the brackets separate.
CORNERS = ("Bbox [x", "y", "w", "h]")
DRAWN_ON = 1024
"""Width and height of the images on which the boxes were drawn."""


@dataclass(slots=True)
class Entry:
    """What the two tables say of one image."""

    labels: tuple[str, ...] = ()
    patient: str = ""
    view: str = ""
    listed: bool = False


def load_nih_cxr14(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study an image, grouped by patient; ``boxes=all`` takes images without a box, too.

    Classes are those of the table ``nih_cxr14``; a class with a box counts as labelled. Boxes are scaled where an image
    is not 1024 pixels wide and high. An image that is not in the folders is left out and counted.
    """
    refuse_unknown_settings(options, NAME, "boxes")
    wanted = setting(options, "boxes", "only", ("only", "all"))
    boxes = Funnel("boxes")
    yield from nih_studies(require_path(path, NAME, LAYOUT), options.images, funnel, boxes, every=wanted == "all")
    note_boxes(boxes, funnel)


def nih_studies(
    root: Path, images: Path | None, funnel: Funnel, boxes: Funnel, *, every: bool = False
) -> Iterator[Study]:
    """Yield the studies of a folder, counting studies and boxes apart.

    Parameters
    ----------
    root : Path
        Folder of the official files.
    images : Path or None
        Folder of the images where it is not the layout's own.
    funnel, boxes : Funnel
        Of studies and of boxes.
    every : bool, default False
        Whether images without a box are wanted.
    """
    root = root.parent if root.is_file() else root
    drawn = _drawn(_file(root, BOX_LIST), boxes)
    entries = _entries(_file(root, ENTRIES), funnel)
    files = ImageFiles.below(root, images, ("images", "images_*/images", "images_*", "."))
    unlabelled = 0
    for name in dict.fromkeys([*drawn, *(entries if every else ())]):
        funnel.enter()
        file = files.get(name)
        if file is None:
            _leave_out("its image is not in the folders of images", name, name, drawn, funnel, boxes)
            continue
        entry = entries.get(name, Entry())
        try:
            fitted = _boxes(drawn.get(name, ()), file, boxes, name)
        except ImageError as error:
            _leave_out("its image cannot be read", f"{name}: {error}", name, drawn, funnel, boxes)
            continue
        unlabelled += not entry.listed
        yield _study(name, file, entry, fitted, drawn.get(name, ()), funnel)
    if unlabelled:
        funnel.note(f"{unlabelled:,} images are not in the table of labels: their classes are those of their boxes")


def _leave_out(
    reason: str, example: str, name: str, drawn: Mapping[str, Sequence[Any]], funnel: Funnel, boxes: Funnel
) -> None:
    """Count an image, and its boxes with it."""
    funnel.leave_out(reason, example)
    for _ in drawn.get(name, ()):
        boxes.leave_out(reason, name, asked_for=True)


def _file(root: Path, patterns: Sequence[str]) -> Path:
    found = find_file(root, patterns)
    if found is None:
        raise DataError(f"{NAME}: {patterns[0]} was looked for. {found_in(root)}")
    return found


def _drawn(path: Path, boxes: Funnel) -> dict[str, list[tuple[str, list[Any]]]]:
    """Finding and corners of each box, by image; names that the table does not know are counted."""
    table = finding_table("nih_cxr14")
    found: dict[str, list[tuple[str, list[Any]]]] = {}
    seen: set[tuple[str, ...]] = set()
    for row in table_rows(path, NAME, ("Image Index", "Finding Label", *CORNERS)):
        boxes.enter()
        name, label = text(row["Image Index"]), text(row["Finding Label"])
        listed = found.setdefault(name, [])
        whole = (name, label, *(text(row[corner]) for corner in CORNERS))
        if whole in seen:
            boxes.leave_out("a row that is there already (the first one is kept)", f"{name}: {label}")
            continue
        seen.add(whole)
        if table.classes(label):
            listed.append((label, [row[corner] for corner in CORNERS]))
        else:
            known = "without a CheXpert class" if table.row(label) else "that is not known"
            boxes.leave_out(f"a box of the finding {echo(label)!r} {known}", name)
    return found


def _entries(path: Path, funnel: Funnel) -> dict[str, Entry]:
    """What the table of labels says of each image; of rows that contradict each other the first is kept, and told."""
    found: dict[str, Entry] = {}
    at_odds: dict[str, None] = {}
    for row in table_rows(path, NAME, ("Image Index", "Finding Labels", "Patient ID", "View Position")):
        name = text(row["Image Index"])
        entry = Entry(
            tuple(part.strip() for part in text(row["Finding Labels"]).split("|") if part.strip()),
            text(row["Patient ID"]),
            text(row["View Position"]),
            listed=True,
        )
        if found.setdefault(name, entry) != entry:
            at_odds[name] = None
    if at_odds:
        named = ", ".join(echo(name) for name in list(at_odds)[:2])
        funnel.note(
            f"{len(at_odds):,} images have rows of labels that contradict each other (the first one is kept): {named}"
        )
    return found


def _boxes(drawn: Sequence[tuple[str, list[Any]]], file: Path, boxes: Funnel, name: str) -> tuple[Box, ...]:
    if not drawn:
        return ()
    size = image_size(file)
    scale = (size[0] / DRAWN_ON, size[1] / DRAWN_ON)
    table = finding_table("nih_cxr14")
    found = []
    for label, corners in drawn:
        try:
            x, y, width, height = fit_box(corners, size, scale=scale)
        except CaseError as error:
            boxes.leave_out(str(error), f"{name}: {label} {echo(corners)}")
            continue
        # The numbers were read once already.
        in_pixels = [float(value) * scale[place % 2] for place, value in enumerate(corners)]
        note_cut(in_pixels, (x, y, width, height), boxes, f"{name}: {label} {echo(corners)}")
        found.append(Box(0, x, y, width, height, frozenset(table.classes(label) or ()), label))
    return tuple(found)


def _study(
    name: str,
    file: Path,
    entry: Entry,
    boxes: tuple[Box, ...],
    drawn: Sequence[tuple[str, list[Any]]],
    funnel: Funnel,
) -> Study:
    table = finding_table("nih_cxr14")
    labels: dict[str, float] = {}
    for label in entry.labels:
        classes = table.classes(label)
        if classes is None:
            funnel.note(f"labels have the finding {echo(label)!r}, which is not known: it gives no class")
        labels.update(dict.fromkeys(classes or (), 1.0))
    # A box that cannot be used says all the same that the finding is there.
    shown = {each for label, _ in drawn for each in table.classes(label) or ()}
    labels.update(dict.fromkeys(sorted(shown - labels.keys()), 1.0))
    return Study(
        id=name.rpartition(".")[0] or name,
        dataset=NAME,
        # File names begin with the patient's number.
        group=entry.patient or name.partition("_")[0].lstrip("0"),
        images=(Image(FileSource(file, key=name), view=entry.view),),
        boxes=boxes,
        labels=labels,
        hidden={"labels": "|".join(entry.labels)} if entry.labels else {},
    )


DATASET = Dataset(
    name=NAME,
    title="NIH ChestX-ray14, images with boxes",
    citation="Wang et al. ChestX-ray8: hospital-scale chest X-ray database and benchmarks. CVPR 2017.",
    licence="no restriction on use; acknowledge the NIH Clinical Center and cite the paper",
    data_use="open",
    load=load_nih_cxr14,
    default_split="all",
    splits=("all",),
    kind="study",
    layout=LAYOUT,
)
