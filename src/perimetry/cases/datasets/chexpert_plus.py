"""CheXpert Plus (Chambon et al. 2024): reports in sections, one row an image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.layout import (
    canonical_split,
    find_file,
    found_in,
    image_folders,
    refuse_unknown_settings,
    require_path,
    setting,
)
from perimetry.cases.plain_files import table_rows
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.study import Study
from perimetry.cases.values import text

__all__ = ["DATASET"]

NAME = "chexpert-plus"
LAYOUT = (
    "df_chexpert_plus_240401.csv(.gz) and train/, valid/ below it, in PNG/ or in images/ (setting views=frontal|all)"
)
TABLE = ("df_chexpert_plus_240401.csv", "df_chexpert_plus_240401.csv.gz", "df_chexpert_plus*.csv")
NEEDED = ("path_to_image", "section_findings", "section_impression", "split")
SECTION_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "findings": ("section_findings",),
    "impression": ("section_impression",),
    "indication": ("section_clinical_history", "section_history"),
    "comparison": ("section_comparison",),
    "technique": ("section_technique",),
}
"""Columns of each section; the first that is filled in counts."""


def load_chexpert_plus(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study a report with its frontal images (``views=all``: all of them), grouped by patient.

    Rows of a study stand together in the table. Images are named ``.jpg`` there and come as PNG: both are looked for.
    """
    refuse_unknown_settings(options, NAME, "views")
    views = setting(options, "views", "frontal", ("frontal", "all"))
    root = require_path(path, NAME, LAYOUT)
    table = find_file(root, TABLE)
    if table is None:
        raise DataError(f"{NAME}: {TABLE[0]} was looked for. {found_in(root)}")
    folders = image_folders(table, options, "PNG", "PNG/PNG", "images")
    shelf = ImageShelf(folders)
    for study, rows in _by_study(table, options.split or "validation").items():
        funnel.enter()
        sections = _sections(rows[0])
        shown = [row for row in rows if views == "all" or text(row.get("frontal_lateral")).lower() != "lateral"]
        if not sections.keys() & {"findings", "impression"}:
            funnel.leave_out("a report without findings and impression", study)
        elif not shown:
            funnel.leave_out("no frontal image (views=all keeps it)", study)
        else:
            yield Study(
                id=study,
                dataset=NAME,
                group=text(rows[0].get("deid_patient_id")) or study.partition("/")[0],
                images=tuple(_image(row, shelf, folders) for row in shown),
                sections=sections,
                hidden={"split": text(rows[0]["split"])},
            )
    shelf.report(funnel)


def _by_study(table: Path, split: str) -> dict[str, list[dict[str, Any]]]:
    """Rows of each study of a split, under ``patient/study``."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table_rows(table, NAME, NEEDED):
        if split in ("all", canonical_split(text(row["split"]))):
            parts = PurePosixPath(text(row["path_to_image"])).parts
            found.setdefault("/".join(parts[-3:-1]), []).append(row)
    return found


def _sections(row: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    for name, columns in SECTION_COLUMNS.items():
        body = next((" ".join(value.split()) for column in columns if (value := text(row.get(column)))), "")
        if body:
            found[name] = body
    return found


def _image(row: Mapping[str, Any], shelf: ImageShelf, folders: list[Path]) -> Image:
    reference = text(row["path_to_image"])
    as_png = str(PurePosixPath(reference).with_suffix(".png"))
    present = next((name for name in (reference, as_png) for folder in folders if (folder / name).exists()), reference)
    view = text(row.get("ap_pa")) or text(row.get("frontal_lateral")).lower()
    return shelf.file(present, view)


DATASET = Dataset(
    name=NAME,
    title="CheXpert Plus",
    citation="Chambon et al. CheXpert Plus: augmenting a large chest X-ray dataset with text radiology reports, "
    "patient demographics and additional image formats. 2024.",
    licence="Stanford University Dataset Research Use Agreement",
    data_use="credentialed",
    load=load_chexpert_plus,
    default_split="validation",
    splits=("validation", "train", "all"),
    kind="study",
    layout=LAYOUT,
)
