"""ScienceQA (Lu et al. 2022, NeurIPS): school science, for the cross-domain diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import HubRecord, hub_records
from perimetry.cases.image import Image
from perimetry.cases.layout import image_folders, refuse_unknown_settings, require_path, setting
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf, image_group
from perimetry.cases.values import hidden_fields, options_of, text

__all__ = ["DATASET"]

NAME = "scienceqa"
LAYOUT = "a hub snapshot: image, question, choices, answer, hint (setting images=only|all, default only)"


def load_scienceqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split, by default those with an image; the hint is shown before the question."""
    refuse_unknown_settings(options, NAME, "images")
    only_images = setting(options, "images", "only", ("only", "all")) == "only"
    root = require_path(path, NAME, LAYOUT)
    shelf = ImageShelf(image_folders(root, options, "images"))
    for item in hub_records(root, options.split or "test", NAME, "image", "question", "choices", "answer"):
        funnel.enter()
        images = shelf.cell(item.record, item.file, "image")
        if only_images and not images:
            funnel.leave_out("no image (images=all keeps them)", item.number, asked_for=True)
            continue
        yield from built(partial(_question, item, images), item.number, funnel)
    shelf.report(funnel)


def _question(item: HubRecord, images: tuple[Image, ...]) -> Question:
    values = item.values
    options = options_of(values.get("choices"))
    try:
        place = int(values["answer"])
    except (TypeError, ValueError) as error:
        raise CaseError(f"answer: the place of a choice was expected, found {values['answer']!r}") from error
    identity = text(values.get("id")) or item.number
    return Question(
        id=identity,
        dataset=NAME,
        group=image_group(images, identity),
        stem="\n".join(part for part in (text(values.get("hint")), text(values.get("question"))) if part),
        # A place outside the choices is no label, and is counted as such.
        answer=options[place].label if 0 <= place < len(options) else f"place {place}",
        answer_type="choice",
        options=options,
        images=images,
        hidden=hidden_fields(values, "image", "question", "choices", "hint"),
    )


DATASET = Dataset(
    name=NAME,
    title="ScienceQA",
    citation="Lu et al. Learn to explain: multimodal reasoning via thought chains for science QA. NeurIPS 2022.",
    licence="CC-BY-NC-SA-4.0",
    data_use="open",
    load=load_scienceqa,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    layout=LAYOUT,
)
