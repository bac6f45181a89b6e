"""Where the key stands among the options: one tally a place."""

from __future__ import annotations

from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.tally import Tally

__all__ = ["positions"]


def positions(item: Item, places: dict[int, Tally]) -> None:
    """Count for every place of an option whether the key stands there.

    Examples
    --------
    >>> from perimetry.screening.item import Choice
    >>> places: dict[int, Tally] = {}
    >>> positions(Item("1", "mine", "g", "", "choice", (Choice("A", "a"), Choice("B", "b")), frozenset("B")), places)
    >>> {place: tally.key for place, tally in places.items()}
    {1: 0, 2: 1}
    """
    for place, option in enumerate(item.options, start=1):
        tally = places.setdefault(place, Tally("option"))
        tally.add(item, Finding((option.label,)))
