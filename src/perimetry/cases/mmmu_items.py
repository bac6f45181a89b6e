"""Items as MMMU and MMMU-Pro write them: image marks, options in a string, subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from perimetry.cases.check import built
from perimetry.cases.dataset import LoadOptions
from perimetry.cases.errors import CaseError, UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import HubRecord, hub_records
from perimetry.cases.image import Image
from perimetry.cases.layout import image_folders, setting
from perimetry.cases.question import Option, Question
from perimetry.cases.shelf import ImageShelf, image_group
from perimetry.cases.values import closed_or_open, hidden_fields, label_of, letters, parse_list, text

__all__ = ["HEALTH", "mmmu_questions"]

HEALTH = (
    "Basic_Medical_Science",
    "Clinical_Medicine",
    "Diagnostics_and_Laboratory_Medicine",
    "Pharmacy",
    "Public_Health",
)
"""Subjects of the discipline "Health and Medicine"."""

MARK = re.compile(r"<image (\d+)>")
SUBJECT_IN_ID = re.compile(r"^[a-z]+_(.+)_\d+$")
IMAGE_COLUMNS = tuple(f"image_{number}" for number in range(1, 8))
SHOWN = ("question", "options", "answer", "image", *IMAGE_COLUMNS)


def mmmu_questions(
    dataset: str, root: Path, options: LoadOptions, funnel: Funnel, part: str = ""
) -> Iterator[Question]:
    """Yield the items of a split whose subject is wanted (setting ``subjects``: health, all, or names joined by +).

    Only the images that stem or options name belong to an item (the others illustrate its explanation); an item
    without any mark has them all. The stem's marks are renumbered, so that ``<image k>`` is the k-th image of the case.
    """
    wanted = _subjects(setting(options, "subjects", "health"))
    shelf = ImageShelf(image_folders(root, options, "images"))
    without = 0
    for item in hub_records(root, options.split or "all", dataset, "options", "answer", part=part):
        funnel.enter()
        subject = _subject(item)
        if wanted and subject not in wanted:
            funnel.leave_out("of another subject", f"{text(item.values.get('id'))} ({subject})", asked_for=True)
            continue
        identity = text(item.values.get("id")) or item.number
        yield from built(partial(_question, dataset, item, shelf), identity, funnel)
        without += not any(item.values.get(column) for column in ("image", *IMAGE_COLUMNS))
    if without:
        funnel.note(f"{without:,} items come without the images that they name: the table has none")
    shelf.report(funnel)


def _subjects(given: str) -> tuple[str, ...]:
    if given == "all":
        return ()
    if given == "health":
        return HEALTH
    names = tuple(name.strip().replace(" ", "_") for name in given.split("+") if name.strip())
    if not names:
        raise UsageError("The setting subjects is empty; health, all, or subject names joined by + were expected.")
    return names


def _subject(item: HubRecord) -> str:
    given = text(item.values.get("subject"))
    if not given and (found := SUBJECT_IN_ID.match(text(item.values.get("id")))):
        given = found[1]
    return (given or item.file.parent.name).replace(" ", "_")


def _question(dataset: str, item: HubRecord, shelf: ImageShelf) -> Question:
    values = item.values
    texts = [text(each) for each in parse_list(values.get("options") or "[]")]
    held = _held_images(item, shelf)
    stem = text(values.get("question"))
    named = [int(number) for number in MARK.findall(stem)]
    in_options = [int(number) for body in texts for number in MARK.findall(body)]
    if held and (missing := sorted({*named, *in_options} - set(held))):
        raise CaseError(f"<image {missing[0]}> is named, but the item holds no such image")
    order = list(dict.fromkeys(named)) if named or in_options else list(held)
    places = {number: place for place, number in enumerate(order, start=1)}
    images = tuple(held[number] for number in order if number in held)
    options = tuple(_option(label, body, held) for label, body in zip(letters(len(texts)), texts, strict=True))
    answers = _answers(values.get("answer"), options)
    identity = text(values.get("id")) or item.number
    return Question(
        id=identity,
        dataset=dataset,
        group=image_group(images, identity),
        stem=MARK.sub(lambda mark: f"<image {places[int(mark[1])]}>", stem),
        answer=answers[0],
        answer_type="choice" if options else closed_or_open(answers[0]),
        options=options,
        images=images,
        also_accepted=tuple(answers[1:]),
        hidden={**hidden_fields(values, *SHOWN), "subject": _subject(item)},
    )


def _held_images(item: HubRecord, shelf: ImageShelf) -> dict[int, Image]:
    held = {}
    for number, column in enumerate(IMAGE_COLUMNS, start=1):
        if found := shelf.cell(item.record, item.file, column):
            held[number] = found[0]
    if not held and (found := shelf.cell(item.record, item.file, "image")):
        held[1] = found[0]
    return held


def _option(label: str, body: str, held: dict[int, Image]) -> Option:
    marks = [int(number) for number in MARK.findall(body)]
    if len(marks) > 1:
        raise CaseError(f"option {label} names {len(marks)} images; one was expected")
    if not marks or not held:
        return Option(label, body)
    return Option(label, MARK.sub("", body).strip(), held[marks[0]])


def _answers(answer: Any, options: tuple[Option, ...]) -> list[str]:
    given = text(answer)
    if given in ("", "?"):
        # Splits without published keys hold a question mark.
        return [""]
    if options:
        return [label_of(given, options)]
    if given.startswith("["):
        return [text(each) for each in parse_list(given)] or [""]
    return [given]
