"""Phrases of the labeller's lexicon: how they are written, and the tree that finds the longest one at a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from perimetry.cases.errors import DataError
from perimetry.scoring.labels.events import Event, Kind

__all__ = ["Tree", "spelled_out"]

_PART = re.compile(r"\[([^\]]+)\]|(\S+)")


def spelled_out(phrase: str) -> Iterator[tuple[str, ...]]:
    """Every word sequence that a phrase stands for: ``a/b`` is either word, ``[a/b]`` may be left out.

    Examples
    --------
    >>> list(spelled_out("[small] mass/masses"))
    [('small', 'mass'), ('small', 'masses'), ('mass',), ('masses',)]
    """
    if phrase == "/":
        yield ("/",)
        return
    parts = [[*optional.split("/"), ""] if optional else fixed.split("/") for optional, fixed in _PART.findall(phrase)]
    for words in product(*parts):
        yield tuple(word for word in words if word)


class _Node:
    """Where a sequence of words has led to: what it means, if anything, and which words may follow."""

    __slots__ = ("meaning", "next")

    def __init__(self) -> None:
        self.meaning: tuple[Kind, int] | None = None
        self.next: dict[str, _Node] = {}


class Tree:
    """A tree of words; built once, read often.

    Parameters
    ----------
    entries
        Phrases with what they mean: a kind and a number.

    Raises
    ------
    DataError
        If a word sequence means two things.

    Examples
    --------
    >>> tree = Tree([("pleural fluid", (Kind.MENTION, 9)), ("fluid", (Kind.ANATOMY, 0))])
    >>> tree.find(["no", "pleural", "fluid"])
    [(<Kind.MENTION: 0>, 9, 1, 3)]
    """

    def __init__(self, entries: Iterable[tuple[str, tuple[Kind, int]]]) -> None:
        self._root = _Node()
        words: set[str] = set()
        for phrase, meaning in entries:
            for sequence in spelled_out(phrase):
                node = self._root
                for word in sequence:
                    node = node.next.setdefault(word, _Node())
                if node.meaning not in (None, meaning):
                    raise DataError(
                        f"The labeller's lexicon gives {' '.join(sequence)!r} two meanings: as {_told(node.meaning)} "
                        f"and as {_told(meaning)}. Keep one of them."
                    )
                node.meaning = meaning
                words.update(sequence)
        self.words = frozenset(words)

    def find(self, words: list[str]) -> list[Event]:
        """The longest phrases, left to right, without overlap."""
        found: list[Event] = []
        first = self._root.next
        at, end = 0, len(words)
        while at < end:
            node = first.get(words[at])
            if node is None:
                at += 1
                continue
            meaning, stop, after = node.meaning, at + 1, at + 1
            while after < end:
                node = node.next.get(words[after])
                if node is None:
                    break
                after += 1
                if node.meaning is not None:
                    meaning, stop = node.meaning, after
            if meaning is not None:
                found.append((meaning[0], meaning[1], at, stop))
            at = stop
        return found


def _told(meaning: tuple[Kind, int] | None) -> str:
    return "nothing" if meaning is None else f"{meaning[0].name.lower()} {meaning[1]}"
