"""MedThinkVQA: diagnosis of published radiology cases from history and several images."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import HubRecord, first_of, hub_records
from perimetry.cases.image import Image
from perimetry.cases.layout import image_folders, refuse_unknown_settings, require_path
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.values import hidden_fields, label_of, options_of, text

__all__ = ["DATASET"]

NAME = "medthinkvqa"
LAYOUT = "a hub snapshot (CLINICAL_HISTORY, options, correct_answer, image_NN_path, ...), images beside it"
IMAGE = re.compile(r"^image_(\d+)(_path)?$")


def load_medthinkvqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the cases of a split.

    The history is the stem. Title, imaging findings, discussion, captions and modalities are hidden: they give the
    diagnosis away.
    """
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    shelf = ImageShelf(image_folders(root, options, "images"))
    for item in hub_records(root, options.split or "test", NAME, "CLINICAL_HISTORY", "options", "correct_answer"):
        funnel.enter()
        yield from built(partial(_question, item, shelf), item.number, funnel)
    shelf.report(funnel)


def _question(item: HubRecord, shelf: ImageShelf) -> Question:
    values = item.values
    options = options_of(values.get("options"))
    identity = text(first_of(values, "id", "case_id", "ID")) or item.number
    return Question(
        id=identity,
        dataset=NAME,
        group=identity,
        stem=text(values.get("CLINICAL_HISTORY")),
        answer=label_of(text(values.get("correct_answer")), options),
        answer_type="choice",
        options=options,
        images=_images(item, shelf),
        hidden=hidden_fields(values, "CLINICAL_HISTORY", "options"),
    )


def _images(item: HubRecord, shelf: ImageShelf) -> tuple[Image, ...]:
    """The images in order of their numbers; a column of bytes goes before the path of the same number."""
    found: dict[int, Image] = {}
    for column in sorted(item.values, key=len):
        if (match := IMAGE.match(column)) and int(match[1]) not in found:
            for image in shelf.cell(item.record, item.file, column)[:1]:
                found[int(match[1])] = image
    return tuple(found[number] for number in sorted(found))


DATASET = Dataset(
    name=NAME,
    title="MedThinkVQA",
    citation="MedThinkVQA: thinking with medical images over published radiology cases.",
    licence="see the data set's card; images of published cases are not to be redistributed",
    data_use="restricted",
    load=load_medthinkvqa,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    layout=LAYOUT,
)
