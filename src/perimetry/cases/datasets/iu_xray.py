"""IU X-ray (Demner-Fushman et al. 2016, JAMIA 23:304): the releases of ReXrank, R2Gen and Open-i."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import CaseError, DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import found_in, image_folders, refuse_unknown_settings, require_path
from perimetry.cases.openi import openi_records
from perimetry.cases.plain_files import read_json
from perimetry.cases.report_sections import headed_sections
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.study import Study
from perimetry.cases.values import parse_list, text

__all__ = ["DATASET"]

NAME = "iu-xray"
LAYOUT = (
    "ReXRank_IUXray_{train,valid,test}.json (ReXrank), or annotation.json (R2Gen), or Open-i's XML files in "
    "ecgen-radiology/; images below, in images/ or in NLMCXR_png/"
)
REXRANK = {"train": ("train",), "validation": ("valid", "val"), "test": ("test",)}
R2GEN = {"train": "train", "validation": "val", "test": "test"}
VIEWS = {"Frontal": "frontal", "Lateral": "lateral"}
FIELDS = ("section_findings", "section_impression", "context", "image_path")


def load_iu_xray(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study a report, grouped by itself: the data set has one study a patient.

    ReXrank and Open-i give the sections of a report; R2Gen gives one text, which stands under findings. Open-i has no
    splits: every split but ``all`` is refused there.
    """
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    base = root.parent if root.is_file() else root
    shelf = ImageShelf(image_folders(base, options, "images", "NLMCXR_png"))
    for study in _studies(root, options.split or "test", shelf, funnel):
        if study.sections.keys() & {"findings", "impression"}:
            yield study
        else:
            funnel.leave_out("a report without findings and impression", study.id)
    shelf.report(funnel)


def _studies(root: Path, split: str, shelf: ImageShelf, funnel: Funnel) -> Iterator[Study]:
    if root.is_file() and root.suffix != ".json":
        raise DataError(f"{NAME}: {root} is not a .json file. Expected: {LAYOUT}.")
    files = [root] if root.is_file() else _rexrank_files(root, split)
    if files and files[0].name != "annotation.json":
        for file in files:
            yield from _rexrank(file, shelf, funnel)
        return
    annotation = root if root.is_file() else root / "annotation.json"
    if annotation.is_file():
        yield from _r2gen(annotation, split, shelf, funnel)
        return
    for folder in (root / "ecgen-radiology", root / "NLMCXR_reports" / "ecgen-radiology", root):
        if any(folder.glob("*.xml")):
            if split != "all":
                raise DataError(f"{NAME}: Open-i's release has no splits. Ask for --split all, or use R2Gen's.")
            for record in openi_records(folder, NAME, funnel):
                funnel.enter()
                yield Study(
                    id=record.study,
                    dataset=NAME,
                    group=record.study,
                    images=tuple(shelf.file(name) for name in record.images),
                    sections=record.sections,
                    hidden={"mesh": "; ".join(record.terms)} if record.terms else {},
                )
            return
    raise DataError(f"{NAME}: {LAYOUT} was looked for. {found_in(root)}")


def _rexrank_files(root: Path, split: str) -> list[Path]:
    wanted = REXRANK if split == "all" else {split: REXRANK[split]}
    found = []
    for name, spellings in wanted.items():
        files = [root / f"ReXRank_IUXray_{spelling}.json" for spelling in spellings]
        present = [file for file in files if file.is_file()]
        if not present and split != "all" and any(root.glob("ReXRank_IUXray_*.json")):
            raise DataError(f"{NAME}: {files[0].name} was looked for, the split {name}. {found_in(root)}")
        found += present[:1]
    return found


def _rexrank(file: Path, shelf: ImageShelf, funnel: Funnel) -> Iterator[Study]:
    for key, record in _objects(file, FIELDS):
        funnel.enter()
        yield from built(partial(_rexrank_study, key, record, shelf, funnel), key, funnel)


def _rexrank_study(key: str, record: Mapping[str, Any], shelf: ImageShelf, funnel: Funnel) -> Study:
    images, views = (parse_list(record.get(field) or []) for field in ("image_path", "frontal_lateral"))
    if len(images) != len(views):
        funnel.note("where images and views differ in number, the views are left open")
        views = [""] * len(images)
    sections = {
        **headed_sections(text(record.get("context")), inline=True),
        "findings": text(record.get("section_findings")),
        "impression": text(record.get("section_impression")),
    }
    return Study(
        id=key,
        dataset=NAME,
        group=key,
        images=tuple(
            shelf.file(text(name), VIEWS.get(text(view), text(view))) for name, view in zip(images, views, strict=True)
        ),
        sections={name: body for name, body in sections.items() if body},
        hidden={"key_image_path": text(record.get("key_image_path"))},
    )


def _r2gen(file: Path, split: str, shelf: ImageShelf, funnel: Funnel) -> Iterator[Study]:
    content = read_json(file)
    if not isinstance(content, dict):
        raise DataError(f"{NAME}: {file} is no object of splits; train, val and test were expected.")
    for name in R2GEN.values() if split == "all" else [R2GEN[split]]:
        records = content.get(name)
        if not isinstance(records, list):
            raise DataError(f"{NAME}: {file} has no list {name!r}; it has {', '.join(content)}.")
        for number, record in enumerate(records, start=1):
            funnel.enter()
            yield from built(partial(_r2gen_study, record, shelf), f"{name}, item {number}", funnel)


def _r2gen_study(record: Any, shelf: ImageShelf) -> Study:
    if not isinstance(record, dict) or not text(record.get("id")) or "image_path" not in record:
        raise CaseError("id, report and image_path were expected")
    identity, report = text(record["id"]), text(record.get("report"))
    return Study(
        id=identity,
        dataset=NAME,
        group=identity,
        images=tuple(shelf.file(text(image)) for image in parse_list(record["image_path"] or [])),
        sections={"findings": report} if report else {},
    )


def _objects(file: Path, fields: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Records by their key; a field that no record has tells another release."""
    content = read_json(file)
    if not isinstance(content, dict) or not all(isinstance(each, dict) for each in content.values()):
        raise DataError(f"{NAME}: {file} holds no objects by study; ReXrank's release has one object a study.")
    for field in fields:
        if content and not any(field in record for record in content.values()):
            first = next(iter(content.values()))
            raise DataError(f"{NAME}: {file} has no field {field!r}; its first record has {', '.join(first)}.")
    yield from content.items()


DATASET = Dataset(
    name=NAME,
    title="IU X-ray (Open-i)",
    citation="Demner-Fushman et al. Preparing a collection of radiology examinations for distribution and retrieval. "
    "JAMIA 23:304, 2016.",
    licence="CC-BY-NC-ND-4.0",
    data_use="open",
    load=load_iu_xray,
    default_split="test",
    splits=("test", "validation", "train", "all"),
    kind="study",
    layout=LAYOUT,
)
