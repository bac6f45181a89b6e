"""ReXGradient-160K (Zhang et al. 2025): reports in sections, one object a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import find_file, found_in, image_folders, refuse_unknown_settings, require_path, setting
from perimetry.cases.plain_files import read_json
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.study import Study
from perimetry.cases.values import text

__all__ = ["DATASET"]

NAME = "rexgradient"
LAYOUT = "metadata/{train,valid,test}_metadata_view_position.json and deid_png/ beside it (setting views=frontal|all)"
SPLITS = {"train": "train", "validation": "valid", "test": "test"}
SECTIONS = {"findings": "Findings", "impression": "Impression", "indication": "Indication", "comparison": "Comparison"}
NEEDED = ("ImagePath", "ImageViewPosition", "Findings", "Impression")
VIEWS = {
    "PA": "PA",
    "POSTERO_ANTERIOR": "PA",
    "AP": "AP",
    "ANTERO_POSTERIOR": "AP",
    "AP AXIAL": "AP",
    "LATERAL": "lateral",
    "LL": "lateral",
    "RL": "lateral",
    "LEFT LATERAL": "lateral",
    "RIGHT LATERAL": "lateral",
    "LATERO_LATERAL": "lateral",
}
"""View positions as they occur, and as studies carry them; any other one stays as it is."""

FRONTAL = ("AP", "PA")
IMAGES = "deid_png/"


def load_rexgradient(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study a report with its frontal images (``views=all``: all of them), grouped by patient."""
    refuse_unknown_settings(options, NAME, "views")
    views = setting(options, "views", "frontal", ("frontal", "all"))
    root = require_path(path, NAME, LAYOUT)
    base = root.parent if root.is_file() else root
    shelf = ImageShelf(image_folders(base, options, "deid_png", "../deid_png"))
    for file in _files(root, options.split or "test"):
        for study, record in _objects(file):
            funnel.enter()
            sections = {
                name: " ".join(body.split())
                for name, column in SECTIONS.items()
                if (body := text(record.get(column))) and body.lower() != "none"
            }
            images = list(_images(record))
            shown = [(name, view) for name, view in images if views == "all" or view in FRONTAL]
            if not sections.keys() & {"findings", "impression"}:
                funnel.leave_out("a report without findings and impression", study)
            elif not shown:
                funnel.leave_out("no frontal image (views=all keeps it)", study)
            else:
                yield Study(
                    id=study,
                    dataset=NAME,
                    group=text(record.get("PatientID")) or images[0][0].partition("/")[0],
                    images=tuple(shelf.file(name, view) for name, view in shown),
                    sections=sections,
                )
    shelf.report(funnel)


def _files(root: Path, split: str) -> list[Path]:
    if root.is_file():
        return [root]
    found = []
    for name in SPLITS.values() if split == "all" else [SPLITS[split]]:
        wanted = f"{name}_metadata_view_position.json"
        file = find_file(root, (f"metadata/{wanted}", wanted, f"*/metadata/{wanted}"))
        if file is None:
            raise DataError(f"{NAME}: metadata/{wanted} was looked for. {found_in(root)}")
        found.append(file)
    return found


def _objects(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    content = read_json(file)
    if not isinstance(content, dict) or not all(isinstance(each, dict) for each in content.values()):
        raise DataError(f"{NAME}: {file} holds no objects by study. Expected: {LAYOUT}.")
    for field in NEEDED:
        if content and not any(field in record for record in content.values()):
            first = next(iter(content.values()))
            raise DataError(f"{NAME}: {file} has no field {field!r}; its first record has {', '.join(first)}.")
    yield from content.items()


def _images(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Paths below the folder of images, with their views; a list of views that is too short leaves the rest open."""
    paths, views = record.get("ImagePath"), record.get("ImageViewPosition")
    listed = paths if isinstance(paths, list) else []
    given = views if isinstance(views, list) else []
    for place, path in enumerate(listed):
        view = text(given[place]) if place < len(given) else ""
        # Paths are written from the folder of the tables: ../deid_png/PATIENT/...
        yield text(path).rpartition(IMAGES)[2], VIEWS.get(view.upper(), view)


DATASET = Dataset(
    name=NAME,
    title="ReXGradient-160K",
    citation="Zhang et al. ReXGradient-160K: a large-scale publicly available dataset of chest radiographs with "
    "free-text reports. 2025.",
    licence="non-commercial data access and use agreement",
    data_use="credentialed",
    load=load_rexgradient,
    default_split="test",
    splits=("test", "validation", "train", "all"),
    kind="study",
    layout=LAYOUT,
)
