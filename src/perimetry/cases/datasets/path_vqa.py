"""PathVQA (He et al. 2020): pathology images of textbooks; the hub layout, or a table of the raw release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import plain_questions
from perimetry.cases.layout import refuse_unknown_settings, require_path
from perimetry.cases.question import Question

__all__ = ["DATASET"]

NAME = "path-vqa"
LAYOUT = "a hub snapshot (image, question, answer), or a table of the raw release (Image_ID, Questions, Answers)"


def load_path_vqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split; raw image names are looked for in ``images/``."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    yield from plain_questions(
        NAME,
        root,
        options,
        funnel,
        image=("image", "Image_ID"),
        question=("question", "Questions"),
        answer=("answer", "Answers"),
    )


DATASET = Dataset(
    name=NAME,
    title="PathVQA",
    citation="He et al. PathVQA: 30000+ questions for medical visual question answering. 2020.",
    licence="MIT",
    data_use="open",
    load=load_path_vqa,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    layout=LAYOUT,
)
