"""VQA v2 (Goyal et al. 2017, CVPR): questions on photographs, for the cross-domain diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import HubRecord, hub_records
from perimetry.cases.layout import image_folders, refuse_unknown_settings, require_path
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf, image_group
from perimetry.cases.values import closed_or_open, hidden_fields, parse_list, text

__all__ = ["DATASET", "agreed_answers"]

NAME = "vqav2"
LAYOUT = "a hub snapshot: image, question, question_id, image_id, answers (of ten annotators), answer_type"
FULL_CREDIT = 3
"""Annotators whose agreement gives an answer full credit in the official accuracy, min(n / 3, 1)."""


def load_vqav2(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split; ``group`` is the photograph."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    shelf = ImageShelf(image_folders(root, options, "images"))
    for item in hub_records(root, options.split or "validation", NAME, "image", "question", "answers"):
        funnel.enter()
        yield from built(partial(_question, item, shelf), item.number, funnel)
    shelf.report(funnel)


def agreed_answers(answers: list[str], preferred: str = "") -> tuple[str, ...]:
    """The commonest answer first, then the others that three or more annotators gave.

    Parameters
    ----------
    answers : list of str
    preferred : str, default ""
        Wins a tie for the first place (the data set's own choice); then the answer that stands first.

    Examples
    --------
    >>> agreed_answers(["red"] * 5 + ["dark red"] * 4 + ["pink"])
    ('red', 'dark red')
    """
    counts = Counter(answer for answer in answers if answer)
    ranked = sorted(counts, key=lambda answer: (-counts[answer], answer != preferred))
    return tuple(answer for place, answer in enumerate(ranked) if place == 0 or counts[answer] >= FULL_CREDIT)


def _question(item: HubRecord, shelf: ImageShelf) -> Question:
    values = item.values
    given = parse_list(values.get("answers") or [])
    texts = [text(each.get("answer") if isinstance(each, Mapping) else each) for each in given]
    answers = agreed_answers(texts, text(values.get("multiple_choice_answer")))
    images = shelf.cell(item.record, item.file, "image")
    identity = text(values.get("question_id")) or item.number
    answer = answers[0] if answers else ""
    return Question(
        id=identity,
        dataset=NAME,
        group=text(values.get("image_id")) or image_group(images, identity),
        stem=text(values.get("question")),
        answer=answer,
        answer_type="closed" if text(values.get("answer_type")) == "yes/no" else closed_or_open(answer),
        images=images,
        also_accepted=answers[1:],
        hidden=hidden_fields(values, "image", "question"),
    )


DATASET = Dataset(
    name=NAME,
    title="VQA v2",
    citation="Goyal et al. Making the V in VQA matter. CVPR 2017.",
    licence="CC-BY-4.0 (photographs: their owners' licences)",
    data_use="open",
    load=load_vqav2,
    default_split="validation",
    splits=("train", "validation", "test", "testdev", "all"),
    layout=LAYOUT,
)
