"""Counts of one screen over a data set: everything a prevalence and an odds ratio need, in a few bytes an item."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import Unit
from perimetry.statistics import OddsRatio, holm, mantel_haenszel

__all__ = ["FEW_TABLES", "TALLY_SCHEMA", "Tally", "adjusted_p", "known", "tally_columns"]

FEW_TABLES = 10
"""Items that tell something below which an odds ratio is shown, but neither drawn nor tested."""

TALLY_SCHEMA: dict[str, type[pl.DataType]] = {
    "items": pl.Int64,
    "items_with_cue": pl.Int64,
    "share_of_items": pl.Float64,
    "options_with_cue": pl.Int64,
    "key_has_cue": pl.Int64,
    "share_of_keys": pl.Float64,
    "odds_ratio": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "p_value": pl.Float64,
    "p_holm": pl.Float64,
    "informative": pl.Int64,
}
"""Of `tally_columns`."""


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


def tally_columns(tally: Tally, odds: OddsRatio, p_holm: float | None) -> dict[str, float | int | None]:
    """What a table says of a tally, with its own odds ratio; cues of the whole item have no option and no odds.

    Examples
    --------
    >>> told = tally_columns(Tally("item", 4, 1), Tally("item").odds(), None)
    >>> told["share_of_items"], told["key_has_cue"], told["odds_ratio"]
    (0.25, None, None)
    """
    optional = tally.unit == "option"
    return {
        "items": tally.items,
        "items_with_cue": tally.found,
        "share_of_items": tally.found / tally.items if tally.items else None,
        "options_with_cue": tally.carriers if optional else None,
        "key_has_cue": tally.key if optional else None,
        "share_of_keys": tally.key / tally.items if optional and tally.items else None,
        "odds_ratio": known(odds.value),
        "ci_low": known(odds.ci_low),
        "ci_high": known(odds.ci_high),
        "p_value": known(odds.p_value),
        "p_holm": p_holm,
        "informative": odds.informative if optional else None,
    }


def adjusted_p(odds: Mapping[str, OddsRatio]) -> dict[str, float]:
    """P values of a data set's cues, adjusted within it; those that rest on few items have none.

    The test is an approximation for many items: on a handful, chance would look resolved too easily.
    """
    tested = {
        name: one.p_value for name, one in odds.items() if one.informative >= FEW_TABLES and not math.isnan(one.p_value)
    }
    return dict(zip(tested, np.asarray(holm(list(tested.values()))).tolist(), strict=True)) if tested else {}


def known(value: float) -> float | None:
    """A number, or None for one that there is none of."""
    return None if math.isnan(value) else value
