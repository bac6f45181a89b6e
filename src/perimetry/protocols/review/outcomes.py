"""What raters settled on, item by item and pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.protocols.review.draw import Item
from perimetry.protocols.review.ratings import Rating, in_order
from perimetry.protocols.review.study import ReviewStudy
from perimetry.statistics import consensus

__all__ = ["HOWS", "Settled", "settle"]

HOWS = ("unanimous", "majority", "adjudicated")
"""How an item may be settled: by two raters, with a third, by a fourth."""


@dataclass(frozen=True, slots=True)
class Settled:
    """One item and its consensus.

    Parameters
    ----------
    task : str
    item : Item
    side : str
        ``original``, ``alternative`` or ``pair``.
    ratings : tuple of Rating or None
        In the order asked.
    value : str or None
        None while a rating is missing.
    how : str
        One of `HOWS`, or what is missing (``needs third``).
    """

    task: str
    item: Item
    side: str
    ratings: tuple[Rating | None, ...]
    value: str | None
    how: str

    @property
    def values(self) -> tuple[str | None, ...]:
        """Values of the ratings."""
        return tuple(None if rating is None else rating.value for rating in self.ratings)


def settle(study: ReviewStudy, ratings: Sequence[Rating]) -> tuple[Settled, ...]:
    """Settle every item in the steps of ReRef section 2.3 (`perimetry.statistics.consensus`).

    Two raters; where they differ a third, and the value of two of the three stands; where all three differ a fourth,
    whose value stands.

    Returns
    -------
    tuple of Settled
        Every item of every task, in the order of their numbers.
    """
    found = []
    for held in study.tasks:
        ordered = in_order(study, ratings, held.task.name)
        for item in held.items:
            given = tuple(ordered[item.id])
            result = consensus([None if rating is None else rating.value for rating in given])
            side = "pair" if held.task.shows == "pair" else item.first
            value = None if result.label is None else str(result.label)
            found.append(Settled(held.task.name, item, side, given, value, result.how))
    return tuple(found)
