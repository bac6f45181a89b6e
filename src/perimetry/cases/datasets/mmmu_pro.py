"""MMMU-Pro (Yue et al. 2024): ten options, four options, or the question inside the image."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import refuse_unknown_settings, require_path, setting
from perimetry.cases.mmmu_items import mmmu_questions
from perimetry.cases.question import Question

__all__ = ["DATASET"]

NAME = "mmmu-pro"
FOLDERS = {"standard10": "standard (10 options)", "standard4": "standard (4 options)", "vision": "vision"}
LAYOUT = (
    "a hub snapshot: CONFIG/test-*.parquet, or one table file (settings config=standard10|standard4|vision, default "
    "standard10; subjects=health|all|NAME+NAME, default health)"
)


def load_mmmu_pro(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Question]:
    """Yield the items of one configuration."""
    refuse_unknown_settings(options, NAME, "config", "subjects")
    config = setting(options, "config", "standard10", FOLDERS)
    root = require_path(path, NAME, LAYOUT)
    part = FOLDERS[config] if root.is_dir() and any((root / folder).is_dir() for folder in FOLDERS.values()) else ""
    yield from mmmu_questions(NAME, root, options, funnel, part)


DATASET = Dataset(
    name=NAME,
    title="MMMU-Pro (health and medicine)",
    citation="Yue et al. MMMU-Pro: a more robust multi-discipline multimodal understanding benchmark. 2024.",
    licence="Apache-2.0",
    data_use="open",
    load=load_mmmu_pro,
    default_split="test",
    splits=("test",),
    layout=LAYOUT,
)
