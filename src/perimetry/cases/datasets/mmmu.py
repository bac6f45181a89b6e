"""MMMU (Yue et al. 2024, CVPR): by default the subjects of health and medicine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import refuse_unknown_settings, require_path
from perimetry.cases.mmmu_items import mmmu_questions
from perimetry.cases.question import Question

__all__ = ["DATASET"]

NAME = "mmmu"
LAYOUT = "a hub snapshot: SUBJECT/SPLIT-*.parquet (setting subjects=health|all|NAME+NAME, default health)"


def load_mmmu(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the items of a split; the keys of ``test`` are not published, so that its items are left out."""
    refuse_unknown_settings(options, NAME, "subjects")
    yield from mmmu_questions(NAME, require_path(path, NAME, LAYOUT), options, funnel)


DATASET = Dataset(
    name=NAME,
    title="MMMU (health and medicine)",
    citation="Yue et al. MMMU: a massive multi-discipline multimodal understanding and reasoning benchmark. CVPR 2024.",
    licence="Apache-2.0",
    data_use="open",
    load=load_mmmu,
    default_split="validation",
    splits=("dev", "validation", "test", "all"),
    layout=LAYOUT,
)
