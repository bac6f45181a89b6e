"""Studies that `perimetry build` wrote, or anybody: one study a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import get_args

from perimetry.cases.boxes import note_boxes
from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, DataUse, LoadOptions, Terms
from perimetry.cases.echo import echo
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.fitted import fitted_boxes
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import found_in, image_folders, refuse_unknown_settings, require_path
from perimetry.cases.records import study_from
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.sidecar import SIDECAR, STUDIES, read_sidecar
from perimetry.cases.study import Study
from perimetry.cases.table import Record, read_records
from perimetry.cases.values import parse_list, text

__all__ = ["DATASET"]

NAME = "studies"
LAYOUT = (
    f"{STUDIES} as perimetry build writes it, or its folder; images relative to it, or where {SIDECAR} or --images says"
)
DATA_USES: tuple[DataUse, ...] = get_args(DataUse)


def load_studies(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield the studies of a file under the name of the data set that they were built from.

    Boxes are compared with the size of their image: those without area, in fractions of the image or outside of it are
    left out and counted; those that reach beyond its edge are cut, which is counted too.
    """
    refuse_unknown_settings(options, NAME, "data_use")
    file = _file(require_path(path, NAME, LAYOUT))
    terms = studies_terms(file, options.settings)
    sidecar = read_sidecar(file)
    folders = image_folders(file, options)
    if options.images is None and sidecar is not None and sidecar.images is not None:
        folders = [sidecar.images, *folders]
    shelf = ImageShelf(folders)
    boxes = Funnel("boxes")
    number = 0
    for number, record in enumerate(read_records(file, faulty=True), start=1):
        funnel.enter()
        if record.fault:
            funnel.leave_out("a key that stands twice in its record", record.fault)
            continue
        identity = text(record.values.get("id")) or f"line {number}"
        make = partial(_study, record, file, terms.name, shelf, boxes, str(number))
        yield from built(make, identity, funnel)
    if not number:
        raise DataError(f"{NAME}: {file} is empty; one study a line was expected. Build it again.")
    note_boxes(boxes, funnel)
    shelf.report(funnel)


def studies_terms(path: Path, settings: Mapping[str, str]) -> Terms:
    """Whose studies a file holds and what may be done with them.

    ``funnel.json`` beside the file says so, else the name of the data set that its first line carries. Where neither
    does, the studies count as credentialed until ``data_use=`` says otherwise; that setting can make the terms of
    known data stricter, never looser.
    """
    from perimetry.cases.datasets import datasets

    file = _file(path)
    sidecar = read_sidecar(file)
    name = text(next(iter(read_records(file, faulty=True)), Record(0, {})).values.get("dataset"))
    if sidecar is not None:
        if name and name != sidecar.dataset:
            raise DataError(
                f"{NAME}: {file} is of {echo(name)}, but {SIDECAR} beside it of {echo(sidecar.dataset) or 'nobody'}. "
                "Keep each file with its own, or build the studies again."
            )
        known = Terms(sidecar.dataset or NAME, sidecar.data_use, sidecar.licence, sidecar.citation)
        return _stricter(known, settings, f"{file.parent / SIDECAR} says")
    if name in datasets().names() and name != NAME and (source := datasets().get(name)).terms_at is None:
        known = Terms(source.name, source.data_use, source.licence, source.citation)
        return _stricter(known, settings, f"{file} names the data set {name}, which is")
    return Terms(name or NAME, _given(settings) or "credentialed")


def _stricter(known: Terms, settings: Mapping[str, str], source: str) -> Terms:
    given = _given(settings)
    if given is None:
        return known
    if DATA_USES.index(given) < DATA_USES.index(known.data_use):
        raise UsageError(f"data_use={given} is looser than what is known: {source} {known.data_use}. Leave it out.")
    return Terms(known.name, given, known.licence, known.citation)


def _given(settings: Mapping[str, str]) -> DataUse | None:
    given = settings.get("data_use")
    if given is None:
        return None
    for each in DATA_USES:
        if each == given:
            return each
    raise UsageError(f"data_use={given} is not one of {', '.join(DATA_USES)}.")


def _file(path: Path) -> Path:
    if not require_path(path, NAME, LAYOUT).is_dir():
        return path
    if not (path / STUDIES).is_file():
        raise DataError(f"{NAME}: {STUDIES} was looked for. {found_in(path)}")
    return path / STUDIES


def _study(record: Record, file: Path, name: str, shelf: ImageShelf, boxes: Funnel, number: str) -> Study:
    column = "images" if record.values.get("images") is not None else "image"
    images = shelf.cell(record, file, column, text(record.values.get("view")))
    values = {key: value for key, value in record.values.items() if key != "data_use"}
    given = parse_list(values["boxes"]) if values.get("boxes") else []
    values["boxes"], lost = fitted_boxes(given, images, boxes, text(values.get("id")) or number)
    return study_from(values, name, images, number, lost)


DATASET = Dataset(
    name=NAME,
    title="built studies",
    citation="",
    licence="that of the data set they were built from",
    data_use="credentialed",
    load=load_studies,
    default_split="all",
    splits=("all",),
    kind="study",
    layout=LAYOUT,
    terms_at=studies_terms,
)
