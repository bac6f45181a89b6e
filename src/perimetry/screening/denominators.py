"""How many items each analysis could use, and why the others could not be used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from perimetry.screening.item import Item
from perimetry.screening.words import has_markup

__all__ = ["Denominators", "Remark"]

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Remark:
    """Items of one peculiarity: what it means for the screens, how many, and the first ids by alphabet."""

    what: str
    items: int
    consequence: str
    examples: tuple[str, ...] = ()


def _same_twice(item: Item) -> bool:
    texts = [option.visible.casefold() for option in item.options if option.visible]
    return len(set(texts)) < len(texts)


_PECULIAR: tuple[tuple[str, str, Callable[[Item], bool]], ...] = (
    ("no stem", "option screens apply; the stem is called vague", lambda item: not item.stem.strip()),
    ("no image", "text screens apply all the same", lambda item: not item.images),
    (
        "several keys",
        "an option counts as the key where it is one of them",
        lambda item: len(item.key_labels) > 1,
    ),
    ("options of the same text", "told by duplicate-options", _same_twice),
    (
        "HTML or LaTeX in stem or options",
        "lengths count what a reader sees; spans refer to the text as it is",
        lambda item: any(has_markup(text) for text in (item.stem, *(option.text for option in item.options))),
    ),
    ("not in English", "screens that read English words leave it out", lambda item: not item.english),
)


@dataclass(slots=True)
class Denominators:
    """Counts of items by what screens can do with them.

    Examples
    --------
    >>> counts = Denominators()
    >>> counts.add(Item("1", "mine", "g", "Why?", "open"))
    >>> counts.items, counts.valid, [remark.what for remark in counts.unusable]
    (1, 0, ['open question: it has no labelled options'])
    """

    items: int = 0
    valid: int = 0
    _chances: Counter[tuple[int, int]] = field(default_factory=Counter)
    _unusable: Counter[str] = field(default_factory=Counter)
    _peculiar: Counter[str] = field(default_factory=Counter)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        """Count an item."""
        self.items += 1
        if item.comparable:
            self.valid += 1
            self._chances[len(item.key_labels), len(item.options)] += 1
        else:
            self._unusable[item.unusable] += 1
            self._note(item.unusable, item.id)
        for what, _, holds in _PECULIAR:
            if holds(item):
                self._peculiar[what] += 1
                self._note(what, item.id)

    @property
    def random(self) -> float:
        """Mean chance of the key, ``1/K``, over the items whose options can be compared; nan if there is none."""
        if not self.valid:
            return math.nan
        # Exact whatever the order of the items.
        return float(
            sum(Fraction(count * keys, options) for (keys, options), count in self._chances.items()) / self.valid
        )

    @property
    def unusable(self) -> tuple[Remark, ...]:
        """Items that option screens leave out, by reason."""
        told = "left out of screens that compare options"
        return tuple(
            Remark(reason, count, told, tuple(self._examples[reason]))
            for reason, count in sorted(self._unusable.items())
        )

    @property
    def peculiar(self) -> tuple[Remark, ...]:
        """Items that are screened, with something to be known about them."""
        return tuple(
            Remark(what, self._peculiar[what], told, tuple(self._examples[what]))
            for what, told, _ in _PECULIAR
            if self._peculiar[what]
        )

    def _note(self, what: str, identity: str) -> None:
        kept = self._examples.setdefault(what, [])
        kept.append(identity)
        kept.sort()
        del kept[EXAMPLES:]
