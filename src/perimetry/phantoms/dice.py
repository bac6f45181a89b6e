"""Dice: a short run of random numbers read from one named stream, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from perimetry.statistics.streams import Part, raw_integers

__all__ = ["Dice"]

Item = TypeVar("Item")

_BLOCK = 64


class Dice:
    """Numbers of one stream in the order in which they are asked for.

    Parameters
    ----------
    seed : int
    name : str
        Name of the stream.
    *parts : str, int or bytes
        What the stream belongs to.

    Examples
    --------
    >>> Dice(1, "example").below(6) == Dice(1, "example").below(6)
    True
    """

    def __init__(self, seed: int, name: str, *parts: Part) -> None:
        self._stream = (seed, name, parts)
        self._raw: list[int] = []
        self._at = 0

    def raw(self) -> int:
        """The next raw 64-bit integer."""
        if self._at >= len(self._raw):
            seed, name, parts = self._stream
            self._raw = [int(word) for word in raw_integers(seed, name, *parts, size=max(_BLOCK, 2 * len(self._raw)))]
        self._at += 1
        return self._raw[self._at - 1]

    def unit(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return (self.raw() >> 11) * 2.0**-53

    def between(self, low: float, high: float) -> float:
        """A float in [low, high)."""
        return low + (high - low) * self.unit()

    def below(self, bound: int) -> int:
        """An integer in 0 .. bound - 1."""
        return (self.raw() * bound) >> 64

    def sign(self) -> int:
        """-1 or 1."""
        return 1 if self.raw() >> 63 else -1

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
