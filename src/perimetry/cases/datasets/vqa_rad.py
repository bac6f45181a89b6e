"""VQA-RAD (Lau et al. 2018, Scientific Data 5:180251): the official release, or the hub's image, question, answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import plain_questions
from perimetry.cases.layout import find_file, found_in, image_folders, refuse_unknown_settings, require_path
from perimetry.cases.question import AnswerType, Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import read_rows
from perimetry.cases.values import closed_or_open, hidden_fields, text

__all__ = ["DATASET"]

NAME = "vqa-rad"
LAYOUT = (
    "'VQA_RAD Dataset Public.json' and the folder 'VQA_RAD Image Folder' (or a hub snapshot: image, question, answer)"
)
ANSWER_TYPES: Mapping[str, AnswerType] = {"CLOSED": "closed", "OPEN": "open"}


def load_vqa_rad(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split; ``test`` is the official one (phrase types test_freeform and test_para)."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    source = find_file(root, ("VQA_RAD*Public*.json", "*VQA_RAD*.json", "VQA_RAD*/VQA_RAD*.json"))
    if source is None:
        if any(root.rglob("*.parquet")):
            yield from _snapshot(root, options, funnel)
            return
        raise DataError(f"{NAME}: 'VQA_RAD Dataset Public.json' was looked for. {found_in(root)}")
    if source.suffix != ".json":
        yield from plain_questions(NAME, source, options, funnel)
        return
    shelf = ImageShelf(image_folders(source, options, "VQA_RAD Image Folder", "images"))
    mended: dict[str, list[str]] = {}
    for row in read_rows(source):
        funnel.enter()
        phrase = text(row.get("phrase_type"))
        split = "test" if phrase.startswith("test") else "train"
        if options.split not in ("all", split):
            funnel.leave_out(f"of the split {split}", text(row.get("qid")), asked_for=True)
            continue
        yield _question(row, phrase, shelf, mended)
    for what, ids in mended.items():
        funnel.note(
            f"mended {what} in {len(ids)} of the records read ({', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''})"
        )
    shelf.report(funnel)


def _snapshot(root: Path, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Questions of a hub snapshot; where its files are something else, the official release is what is missing."""
    try:
        yield from plain_questions(NAME, root, options, funnel)
    except DataError as error:
        raise DataError(
            f"{NAME}: neither 'VQA_RAD Dataset Public.json' nor a hub snapshot (image, question, answer) that can be "
            f"read was found. {error} {found_in(root)}"
        ) from error


def _question(row: dict[str, Any], phrase: str, shelf: ImageShelf, mended: dict[str, list[str]]) -> Question:
    identity, image = text(row.get("qid")), text(row.get("image_name"))
    answer, kind = row.get("answer"), row.get("answer_type")
    if not isinstance(answer, str):
        mended.setdefault("an answer that is a number", []).append(identity)
    for field in ("question", "answer", "answer_type"):
        value = row.get(field)
        if isinstance(value, str) and value != value.strip():
            mended.setdefault(f"stray spaces of {field}", []).append(identity)
    return Question(
        id=identity,
        dataset=NAME,
        group=image,
        stem=text(row.get("question")),
        answer=text(answer),
        answer_type=ANSWER_TYPES.get(text(kind).upper(), closed_or_open(text(answer))),
        images=(shelf.file(image),) if image else (),
        hidden={**hidden_fields(row, "question", "answer"), "phrase_type": phrase},
    )


DATASET = Dataset(
    name=NAME,
    title="VQA-RAD",
    citation="Lau et al. A dataset of clinically generated visual questions and answers about radiology images. 2018.",
    licence="CC0-1.0",
    data_use="open",
    load=load_vqa_rad,
    default_split="test",
    splits=("train", "test", "all"),
    layout=LAYOUT,
)
