"""MedXpertQA-MM (Zuo et al. 2025): the multimodal subset of MedXpertQA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from perimetry.cases.check import built
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.errors import CaseError, DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import find_file, found_in, image_folders, refuse_unknown_settings, require_path
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.table import Record, read_records
from perimetry.cases.values import hidden_fields, label_of, options_of, text

__all__ = ["DATASET"]

NAME = "medxpertqa-mm"
LAYOUT = "medxpertqa_mm_input.jsonl, or the hub's MM/SPLIT.jsonl or .parquet; images in images/"
# The stem repeats the options behind these words.
CHOICES = re.compile(r"\s*Answer Choices:\s*\(A\).*\Z", re.DOTALL)
SHOWN = ("question", "options", "label", "images")


def load_medxpertqa_mm(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the items of a split; the options leave the stem, and an item's images stand in their order."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    split = options.split or "test"
    patterns = [f"{folder}{split}*{suffix}" for folder in ("MM/", "") for suffix in (".jsonl", ".parquet")]
    source = find_file(root, [*(["*mm*input*.jsonl"] if split == "test" else []), *patterns])
    if source is None:
        raise DataError(f"{NAME}: medxpertqa_mm_input.jsonl or MM/{split}.jsonl was looked for. {found_in(root)}")
    # The hub keeps its tables in MM/ and the images beside that folder.
    base = source.parent.parent if source.parent.name == "MM" else source.parent
    shelf = ImageShelf(image_folders(base, options, "images", "MM/images"))
    for record in read_records(source):
        funnel.enter()
        identity = text(record.values.get("id"))
        yield from built(partial(_question, record, source, shelf), identity, funnel)
    shelf.report(funnel)


def _question(record: Record, source: Path, shelf: ImageShelf) -> Question:
    row = record.values
    options = options_of(row.get("options"))
    answers = [label_of(label, options) for label in _labels(row.get("label"))]
    identity = text(row.get("id"))
    return Question(
        id=identity,
        dataset=NAME,
        group=identity,
        stem=CHOICES.sub("", text(row.get("question"))),
        answer=answers[0] if answers else "",
        answer_type="choice",
        options=options,
        images=shelf.cell(record, source, "images"),
        also_accepted=tuple(answers[1:]),
        hidden=hidden_fields(row, *SHOWN),
    )


def _labels(label: Any) -> list[str]:
    if label is None or isinstance(label, str):
        return [label.strip()] if label else []
    if isinstance(label, list):
        return [text(each) for each in label]
    raise CaseError(f"label: a text or a list was expected, found {label!r}")


DATASET = Dataset(
    name=NAME,
    title="MedXpertQA-MM",
    citation="Zuo et al. MedXpertQA: benchmarking expert-level medical reasoning and understanding. ICML 2025.",
    licence="MIT",
    data_use="open",
    load=load_medxpertqa_mm,
    default_split="test",
    splits=("dev", "test"),
    layout=LAYOUT,
)
