"""GQA (Hudson and Manning 2019, CVPR): compositional questions, for the cross-domain diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.layout import found_in, image_folders, refuse_unknown_settings, require_path, split_files
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import columns, read_records
from perimetry.cases.values import closed_or_open, hidden_fields, text

__all__ = ["DATASET"]

NAME = "gqa"
LAYOUT = (
    "a hub snapshot: SPLIT_balanced_instructions/*.parquet (id, imageId, question, answer) and "
    "SPLIT_balanced_images/*.parquet (id, image), or images in images/"
)


def load_gqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split, of its balanced part where there is one; ``group`` is the photograph."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    files = split_files(root, options.split or "testdev", NAME)
    files = [file for file in files if "balanced" in file.relative_to(root).as_posix()] or files
    questions = [file for file in files if {"imageId", "question", "answer"} <= set(columns(file))]
    if not questions:
        raise DataError(f"{NAME}: no table with imageId, question and answer was found. {found_in(root)}")
    shelf = ImageShelf(image_folders(root, options, "images"))
    held = _images([file for file in files if {"id", "image"} <= set(columns(file))], shelf)
    for file in questions:
        for record in read_records(file):
            funnel.enter()
            values = record.values
            photograph, answer = text(values["imageId"]), text(values["answer"])
            yield Question(
                id=text(values.get("id")) or f"{file.stem}-{record.row}",
                dataset=NAME,
                group=photograph,
                stem=text(values["question"]),
                answer=answer,
                answer_type=closed_or_open(answer),
                images=(held.get(photograph) or shelf.file(f"{photograph}.jpg"),),
                hidden=hidden_fields(values, "question", "answer"),
            )
    shelf.report(funnel)


def _images(files: list[Path], shelf: ImageShelf) -> dict[str, Image]:
    held = {}
    for file in files:
        for record in read_records(file):
            for image in shelf.cell(record, file, "image"):
                held[text(record.values["id"])] = image
    return held


DATASET = Dataset(
    name=NAME,
    title="GQA",
    citation="Hudson and Manning. GQA: a new dataset for real-world visual reasoning. CVPR 2019.",
    licence="CC-BY-4.0",
    data_use="open",
    load=load_gqa,
    default_split="testdev",
    splits=("train", "validation", "test", "testdev", "all"),
    layout=LAYOUT,
)
