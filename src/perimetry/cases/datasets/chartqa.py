"""ChartQA (Masry et al. 2022): questions on charts, for the cross-domain diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.hub_table import plain_questions
from perimetry.cases.layout import refuse_unknown_settings, require_path
from perimetry.cases.question import Question

__all__ = ["DATASET"]

NAME = "chartqa"
LAYOUT = "a hub snapshot: image, query and label, or image, question and answer"


def load_chartqa(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the questions of a split; ``group`` is the chart."""
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    yield from plain_questions(NAME, root, options, funnel, question=("query", "question"), answer=("label", "answer"))


DATASET = Dataset(
    name=NAME,
    title="ChartQA",
    citation="Masry et al. ChartQA: a benchmark for question answering about charts. Findings of ACL 2022.",
    licence="GPL-3.0",
    data_use="open",
    load=load_chartqa,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    layout=LAYOUT,
)
