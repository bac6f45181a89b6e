"""Counts of one screen over a data set: everything a prevalence and an odds ratio need, in a few bytes an item."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import Unit
from perimetry.statistics import OddsRatio, mantel_haenszel

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """What one screen has counted so far.

    Parameters
    ----------
    unit : {"option", "item"}
    items : int
        Items that the screen applies to.
    found : int
        Items with the cue.
    key : int
        Items whose key carries the cue; 0 for cues of the whole item.
    carriers : int
        Options with the cue.
    severities : Counter of str

    Examples
    --------
    >>> from perimetry.screening.item import Choice
    >>> item = Item("1", "mine", "g", "Why?", "choice", (Choice("A", "so"), Choice("B", "thus")), frozenset("B"))
    >>> tally = Tally("option")
    >>> tally.add(item, Finding(("B",)))
    >>> tally.items, tally.found, tally.key, tally.odds().informative
    (1, 1, 1, 1)
    """

    unit: Unit
    items: int = 0
    found: int = 0
    key: int = 0
    carriers: int = 0
    severities: Counter[str] = field(default_factory=Counter)
    _cells: array[int] = field(default_factory=lambda: array("H"))
    _groups: array[int] = field(default_factory=lambda: array("q"))
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def add(self, item: Item, finding: Finding | None) -> None:
        """Count an item that the screen applies to."""
        self.items += 1
        if finding is None:
            return
        self.found += 1
        self.severities[finding.severity] += 1
        if self.unit == "item":
            return
        carried, keys = set(finding.options), set(item.key_labels)
        both, cue, key = len(carried & keys), len(carried - keys), len(keys - carried)
        self.key += both > 0
        self.carriers += len(carried)
        # Items without the cue, and those in which every option has it, add nothing to the odds ratio.
        if len(carried) < len(item.options):
            self._cells.extend((both, cue, key, len(item.options) - both - cue - key))
            self._groups.append(self._numbers.setdefault(item.group, len(self._numbers)))

    def odds(self, level: float = 0.95) -> OddsRatio:
        """Odds ratio of an option with the cue for being the key, within items (Mantel-Haenszel).

        Where groups hold several items, the interval is the one over groups.
        """
        cells = np.frombuffer(self._cells, np.uint16).reshape(-1, 2, 2) if self._cells else np.zeros((0, 2, 2))
        if not len(cells):
            return OddsRatio(math.nan, math.nan, math.nan, level, math.nan, 0, 0)
        grouped = len(self._numbers) < len(self._groups)
        return mantel_haenszel(cells, groups=self._groups.tolist() if grouped else None, level=level)
