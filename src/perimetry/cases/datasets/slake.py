"""SLAKE (Liu et al. 2021, ISBI): English and Chinese questions on 642 images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import found_in, image_folders, refuse_unknown_settings, require_path, setting
from perimetry.cases.question import AnswerType, Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import read_rows
from perimetry.cases.values import closed_or_open, hidden_fields, text

__all__ = ["DATASET"]

NAME = "slake"
LAYOUT = "train.json, validate.json and test.json, images in imgs/ (setting lang=en|zh|all, default en)"
FILES = {"train": "train.json", "validation": "validate.json", "test": "test.json"}
ANSWER_TYPES: Mapping[str, AnswerType] = {"CLOSED": "closed", "OPEN": "open"}


def load_slake(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split in the languages asked for; ``group`` is the image."""
    refuse_unknown_settings(options, NAME, "lang")
    language = setting(options, "lang", "en", ("en", "zh", "all"))
    root = require_path(path, NAME, LAYOUT)
    shelf = ImageShelf(image_folders(root, options, "imgs"))
    for file in _files(root, options.split or "test"):
        for row in read_rows(file):
            funnel.enter()
            spoken = text(row.get("q_lang"))
            if language not in ("all", spoken):
                funnel.leave_out(f"in another language ({spoken})", text(row.get("qid")), asked_for=True)
                continue
            image, answer = text(row.get("img_name")), text(row.get("answer"))
            yield Question(
                id=text(row.get("qid")),
                dataset=NAME,
                group=image,
                stem=text(row.get("question")),
                answer=answer,
                answer_type=ANSWER_TYPES.get(text(row.get("answer_type")).upper(), closed_or_open(answer)),
                images=(shelf.file(image),) if image else (),
                hidden=hidden_fields(row, "question", "answer"),
            )
    shelf.report(funnel)


def _files(root: Path, split: str) -> list[Path]:
    if root.is_file():
        return [root]
    names = list(FILES.values()) if split == "all" else [FILES[split]]
    for name in names:
        if not (root / name).is_file():
            raise DataError(f"{NAME}: {name} was looked for. {found_in(root)}")
    return [root / name for name in names]


DATASET = Dataset(
    name=NAME,
    title="SLAKE",
    citation="Liu et al. SLAKE: a semantically-labeled knowledge-enhanced dataset for medical VQA. ISBI 2021.",
    licence="CC-BY-4.0",
    data_use="open",
    load=load_slake,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    layout=LAYOUT,
)
