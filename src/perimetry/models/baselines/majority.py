"""The most common answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from perimetry.models.baselines.item import Example, Item, normal

__all__ = ["Majority"]


class Majority:
    """Answers with the most common answer of the training split, by option set if it is known, else by answer type.

    Options with the same texts are one set wherever they stand; the answer is the label under which the most common
    text stands now. An option set that training does not have gets the most common label that it holds. Ties go to
    the answer that comes first in the alphabet.

    Parameters
    ----------
    examples : sequence of Example
        The training split.

    Examples
    --------
    >>> examples = [Example(Item("closed", "?"), answer) for answer in ("Yes", "no", "yes")]
    >>> Majority(examples).answer(Item("closed", "another"))
    'Yes'
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        self._counts: dict[Hashable, Counter[str]] = {}
        self._spelling: dict[str, Counter[str]] = {}
        for example in examples:
            item = example.item
            self._count((item.answer_type,), normal(example.answer))
            self._spelling.setdefault(normal(example.answer), Counter())[example.answer.strip()] += 1
            if item.options:
                self._count((item.answer_type, item.option_set), _chosen(item, example.answer))

    def _count(self, key: Hashable, answer: str) -> None:
        self._counts.setdefault(key, Counter())[answer] += 1

    def answer(self, item: Item) -> str:
        """The answer; neither the question nor the image plays a part."""
        if item.options:
            texts = {normal(text or label): (label, text) for label, text in reversed(item.options)}
            best = _first(self._counts.get((item.answer_type, item.option_set), Counter()), set(texts))
            if best is not None:
                return _said(item, texts[best])
            labels = {normal(label): (label, text) for label, text in reversed(item.options)}
            best = _first(self._counts.get((item.answer_type,), Counter()), set(labels))
            return _said(item, labels[best] if best is not None else item.options[0])
        best = _first(self._counts.get((item.answer_type,), Counter()))
        if best is None:
            everything: Counter[str] = Counter()
            for key, counts in self._counts.items():
                if isinstance(key, tuple) and len(key) == 1:
                    everything.update(counts)
            best = _first(everything)
        return self.spell(best) if best is not None else ""

    def spell(self, answer: str) -> str:
        """The commonest spelling of a normalised answer."""
        best = _first(self._spelling.get(answer, Counter()))
        return answer if best is None else best


def _chosen(item: Item, answer: str) -> str:
    """Normalised text of the option that the answer names, by label or by text."""
    for label, text in item.options:
        if answer.strip() == label:
            return normal(text or label)
    return normal(answer)


def _said(item: Item, option: tuple[str, str]) -> str:
    """How an option is answered: its label, or its text where a yes/no question lists its answers."""
    label, text = option
    return label if item.answer_type == "choice" else text or label


def _first(counts: Counter[str], among: set[str] | None = None) -> str | None:
    """The commonest, ties by alphabet."""
    found = [(-count, answer) for answer, count in counts.items() if among is None or answer in among]
    return min(found)[1] if found else None
