"""A screen: one cue, what it looks at, and the pure function that finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Item

__all__ = ["HALADYNA", "MEDQA_MM", "SCHUWIRTH", "Find", "Layer", "Screen", "Unit"]

Layer = Literal["option form", "stem", "context", "image", "metadata", "data set"]
"""Where a cue lies (Appendix F, Table 38). Screens of the layer ``image`` read pixels; they run with ``--images``."""

Unit = Literal["option", "item"]
"""``option``: some options carry the cue, and the key may be among them; ``item``: the whole item does."""

Find: TypeAlias = Callable[[Item, DatasetStatistics], Finding | None]
"""Pure: the same item and statistics give the same finding, whatever was screened before."""

MEDQA_MM = "MedQA-MM, Appendix F"
HALADYNA = "Haladyna et al. 2002; MedQA-MM, Appendix F"
SCHUWIRTH = "Schuwirth et al. 1996; MedQA-MM, Appendix F"


@dataclass(frozen=True, slots=True)
class Screen:
    """A registered screen.

    Parameters
    ----------
    name : str
        The cue's name in tables: lower-case words joined by hyphens.
    title : str
        The cue in words.
    layer : Layer
    unit : {"option", "item"}
    looks_at : str
        What is looked at and the rule, in one sentence.
    find : Find
    citation : str
    version : int, default 1
        Changes with every change of the rule.
    english : bool, default False
        Whether it reads words of English: items in other languages are left out of its denominator.
    options : bool, default True
        Whether an item needs options that can be compared; set for every screen of unit ``option``.

    Examples
    --------
    >>> Screen("never", "Never", "stem", "item", "nothing", lambda item, known: None, MEDQA_MM, options=False).needs
    'any item'
    """

    name: str
    title: str
    layer: Layer
    unit: Unit
    looks_at: str
    find: Find
    citation: str = MEDQA_MM
    version: int = 1
    english: bool = False
    options: bool = True

    def applies(self, item: Item) -> bool:
        """Whether the item belongs to the denominator of this screen."""
        return (item.comparable or not self.options) and (item.english or not self.english)

    @property
    def needs(self) -> str:
        """What an item must have, in words."""
        parts = ["options with text"] * self.options + ["English text"] * self.english
        return " and ".join(parts) or "any item"
