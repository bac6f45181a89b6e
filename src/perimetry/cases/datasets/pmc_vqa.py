"""PMC-VQA (Zhang et al. 2023): multiple choice on figures of PubMed Central."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import first_of
from perimetry.cases.layout import found_in, image_folders, refuse_unknown_settings, require_path
from perimetry.cases.question import Option, Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import read_records
from perimetry.cases.values import hidden_fields, label_of, text

__all__ = ["DATASET"]

NAME = "pmc-vqa"
LAYOUT = "SPLIT.csv (Figure_path, Question, Choice A..D, Answer, Answer_label), images in images/ or figures/"
SPLITS = ("train", "test", "test_clean", "train_2", "test_2")
LABELS = ("A", "B", "C", "D")


def load_pmc_vqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of one csv; ids are its ``index`` column, else its row numbers; ``group`` is the figure."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    split = options.split or "test"
    source = root if root.is_file() else root / f"{split}.csv"
    if not source.is_file():
        raise DataError(f"{NAME}: {split}.csv was looked for. {found_in(root)}")
    shelf = ImageShelf(image_folders(root, options, "images", "figures", "images_2"))
    for record in read_records(source):
        funnel.enter()
        yield _question(record.values, f"{source.stem}-{record.row}", shelf)
    shelf.report(funnel)


def _question(row: dict[str, Any], number: str, shelf: ImageShelf) -> Question:
    figure = text(row.get("Figure_path"))
    choices = {label: _bare(row.get(f"Choice {label}"), label) for label in LABELS}
    options = tuple(Option(label, choice) for label, choice in choices.items() if choice)
    # Files older than the correction of the column's name read "Anwser"; in the second version it holds the label.
    answer = text(first_of(row, "Answer_label", "Answer", "Anwser"))
    label = label_of(answer, options)
    if label not in LABELS:
        bare = {label_of(_bare(answer, each), options) for each in LABELS} & set(LABELS)
        label = bare.pop() if len(bare) == 1 else answer
    return Question(
        id=text(row.get("index")) or number,
        dataset=NAME,
        group=figure or number,
        stem=text(row.get("Question")),
        answer=label,
        answer_type="choice",
        options=options,
        images=(shelf.file(figure),) if figure else (),
        hidden=hidden_fields(row, "Question", *(f"Choice {label}" for label in LABELS)),
    )


def _bare(choice: Any, label: str) -> str:
    """A choice without the label that the files repeat in it (" A:...")."""
    return re.sub(rf"^{label}\s*[:.)]\s*", "", text(choice)).strip()


DATASET = Dataset(
    name=NAME,
    title="PMC-VQA",
    citation="Zhang et al. PMC-VQA: visual instruction tuning for medical visual question answering. 2023.",
    licence="CC-BY-SA-4.0 (figures: their articles' licences)",
    data_use="open",
    load=load_pmc_vqa,
    default_split="test",
    splits=SPLITS,
    layout=LAYOUT,
)
