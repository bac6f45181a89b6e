"""Which items carry which cue, for accuracy with and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perimetry.cases import Question
from perimetry.runs.cube import Flags

__all__ = ["Cue", "cues_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Cue:
    """One cue over the items of a run.

    Parameters
    ----------
    name : str
        The screen's name.
    present : bool array, (items,)
        Items whose key carries the cue; of a cue of the whole item, items that have it.
    looked_at : bool array, (items,)
        Items that the screen can look at. The others are on neither side.
    """

    name: str
    present: Flags
    looked_at: Flags


def cues_of(questions: Sequence[Question]) -> list[Cue]:
    """Every text screen over the questions of a run, in the order of the screens' names.

    A cue that no item carries, or every one, divides nothing and is left out.
    """
    from perimetry.screening.dataset_statistics import DatasetStatistics
    from perimetry.screening.item import Item
    from perimetry.screening.registry import chosen_screens

    items = [Item.of(question) for question in questions]
    by_dataset: dict[str, list[Item]] = {}
    for item in items:
        by_dataset.setdefault(item.dataset, []).append(item)
    known = {name: DatasetStatistics.of(members) for name, members in by_dataset.items()}
    cues = []
    for screen in chosen_screens():
        present = np.zeros(len(items), dtype=bool)
        looked_at = np.zeros(len(items), dtype=bool)
        for number, item in enumerate(items):
            if not screen.applies(item):
                continue
            looked_at[number] = True
            finding = screen.find(item, known[item.dataset])
            if finding is not None:
                present[number] = screen.unit == "item" or bool(set(finding.options) & item.keys)
        if present.any() and (looked_at & ~present).any():
            cues.append(Cue(screen.name, present, looked_at))
    return cues
