"""Which alternatives a page shows: drawn by a seed as they pass, so that all of them need not be held."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from perimetry.cases.digest import digest_parts
from perimetry.editing.references.alternative import Alternative

__all__ = ["SHOWN", "SHOWN_REJECTED", "Draw", "Examples"]

SHOWN = 5
SHOWN_REJECTED = 2


@dataclass(slots=True)
class Draw:
    """Some of the alternatives of one form that ended in one way.

    Parameters
    ----------
    size : int
        How many are kept.
    seen : int
        Out of how many.
    """

    size: int
    seen: int = 0
    _kept: list[tuple[str, Alternative]] = field(default_factory=list)

    def add(self, place: str, alternative: Alternative) -> None:
        """Keep it if its place is among the first."""
        self.seen += 1
        insort(self._kept, (place, alternative), key=lambda held: held[0])
        del self._kept[self.size :]

    @property
    def kept(self) -> tuple[Alternative, ...]:
        """In the order of their places."""
        return tuple(alternative for _, alternative in self._kept)


class Examples:
    """A draw of accepted and of rejected alternatives for every form.

    A report's place in the draw is a digest of the seed, the form and its id: the same reports are shown however many
    are made at once, and in whatever order.

    Parameters
    ----------
    accepted : int, default 5
        How many of each form are kept.
    rejected : int, default 2
    seed : int, default 42
    """

    def __init__(self, accepted: int = SHOWN, rejected: int = SHOWN_REJECTED, seed: int = 42) -> None:
        self.seed = seed
        self._sizes = {"accepted": accepted, "rejected": rejected}
        self._draws: dict[tuple[str, str], Draw] = {}

    def add(self, alternatives: Iterable[Alternative]) -> None:
        """Look at some alternatives."""
        for each in alternatives:
            ending = "accepted" if each.text is not None else each.status
            if ending in self._sizes and (each.text or each.edits[-1].last):
                place = digest_parts([str(self.seed), "shown alternatives", each.target, each.study])
                self.of(each.target, ending).add(place, each)

    def of(self, target: str, ending: str) -> Draw:
        """The draw of a form and an ending."""
        return self._draws.setdefault((target, ending), Draw(self._sizes[ending]))
