"""Records of hub snapshots, and the plainest layout: image, question, answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import image_folders, split_files
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import Record, columns, read_records
from perimetry.cases.values import closed_or_open, hidden_fields, text

__all__ = ["HubRecord", "hub_records", "image_group", "plain_questions"]

HubRecord = tuple[Path, Record, str]
"""A table file, one of its records, and an id for records that bring none: file name and row."""


def hub_records(root: Path, split: str, dataset: str, needed: tuple[str, ...], part: str = "") -> Iterator[HubRecord]:
    """Stream the records of a split of a hub snapshot.

    The made-up id is ``SPLIT-N`` with N counted over the split's files in order of their names: it stays the same
    when a snapshot is cut into other files.

    Raises
    ------
    DataError
        When a file lacks a column that is needed.
    """
    number = 0
    for file in split_files(root, split, dataset, part):
        present = columns(file)
        if missing := [name for name in needed if name not in present]:
            raise DataError(
                f"{dataset}: {file} has no column {' or '.join(repr(name) for name in missing)}; "
                f"its columns: {', '.join(present)}. Use hub:PATH with --map FILE for another layout."
            )
        for record in read_records(file):
            yield file, record, f"{split}-{number}"
            number += 1


def image_group(question_images: tuple[str, ...], fallback: str) -> str:
    """Name of the group of cases with these images: their digest, else the fallback."""
    return "+".join(question_images) or fallback


def plain_questions(dataset: str, root: Path, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Questions of a snapshot with image, question and answer; the answer type is read off the answer."""
    shelf = ImageShelf(image_folders(root, options, "images"))
    split = options.split or "all"
    for file, record, number in hub_records(root, split, dataset, ("image", "question", "answer")):
        funnel.enter()
        values = record.values
        answer = text(values.get("answer"))
        images = shelf.cell(record, file, "image")
        yield Question(
            id=text(values.get("id") or values.get("qid")) or number,
            dataset=dataset,
            group=image_group(tuple(image.digest for image in images), number),
            stem=text(values.get("question")),
            answer=answer,
            answer_type=closed_or_open(answer),
            images=images,
            hidden=hidden_fields(values, "image", "question", "answer"),
        )
    shelf.report(funnel)
