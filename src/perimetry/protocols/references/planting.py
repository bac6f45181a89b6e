"""Errors planted by rules in the references of an audit, where the user brought none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from perimetry.editing.references.planting import KINDS, plant_errors
from perimetry.protocols.references.material import Material
from perimetry.protocols.references.trust import Planted
from perimetry.runs.folder import write_atomically
from perimetry.scoring.report_metric import Report

__all__ = ["PLANTED", "plant_in", "write_planted"]

PLANTED = "planted.jsonl"


def plant_in(material: Material, seed: int) -> Planted | None:
    """Plant an error of every kind in every reference that has a place for it; None where none has.

    Parameters
    ----------
    material : Material
    seed : int
    """
    made = [
        {} if text is None else plant_errors(text, seed) for one in material.sets for text in one.reports.references
    ]
    texts: dict[str, tuple[Report, ...]] = {kind: tuple(each.get(kind) for each in made) for kind in KINDS}
    held = {kind: column for kind, column in texts.items() if any(each is not None for each in column)}
    return Planted(held, 0, by_rules=True) if held else None


def write_planted(path: Path, material: Material, planted: Planted) -> None:
    """Write the planted errors, one a line: ``dataset``, ``id``, ``kind``, ``text``."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(material, planted))
    write_atomically(path, "".join(lines).encode("utf-8", "replace"))


def _rows(material: Material, planted: Planted) -> Iterator[dict[str, str]]:
    for place, (dataset, identity) in enumerate(zip(material.datasets, material.ids, strict=True)):
        for kind, texts in planted.texts.items():
            text = texts[place]
            if text is not None:
                yield {"dataset": dataset, "id": identity, "kind": kind, "text": text}
