"""Where two texts differ, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TypeAlias

from perimetry.reports import Marked

__all__ = ["difference_marks"]

_WORD = re.compile(r"\S+")
_Change: TypeAlias = tuple[str, int, int, int, int]
WHOLE = 250_000
"""Pairs of words up to which two texts are held against each other as a whole."""


def difference_marks(before: str, after: str) -> tuple[tuple[Marked, ...], tuple[Marked, ...]]:
    """Words that only one of the texts has in their place; those next to each other share a mark.

    Returns
    -------
    (marks of `before`, marks of `after`)

    Examples
    --------
    >>> old, new = difference_marks("No acute bony abnormality.", "No acute osseous abnormality.")
    >>> [(mark.start, mark.end) for mark in old + new]
    [(9, 13), (9, 16)]
    """
    first, second = list(_WORD.finditer(before)), list(_WORD.finditer(after))
    old: list[Marked] = []
    new: list[Marked] = []
    for kind, start, end, other_start, other_end in _changes(
        [word.group() for word in first], [word.group() for word in second]
    ):
        if kind == "equal":
            continue
        if start < end:
            old.append(Marked(first[start].start(), first[end - 1].end(), "only here", "negative"))
        if other_start < other_end:
            new.append(Marked(second[other_start].start(), second[other_end - 1].end(), "only here", "positive"))
    return tuple(old), tuple(new)


def _changes(first: Sequence[str], second: Sequence[str]) -> Iterator[_Change]:
    """What `SequenceMatcher` says of the words; of long texts sentence by sentence, in about linear time."""
    if len(first) * len(second) <= WHOLE:
        yield from SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
        return
    ends, other_ends = _ends(first), _ends(second)
    said = [tuple(first[start:end]) for start, end in pairwise(ends)]
    other_said = [tuple(second[start:end]) for start, end in pairwise(other_ends)]
    for kind, start, end, other_start, other_end in SequenceMatcher(None, said, other_said).get_opcodes():
        here, there = ends[start], other_ends[other_start]
        if kind != "replace":
            yield kind, here, ends[end], there, other_ends[other_end]
            continue
        one, other = first[here : ends[end]], second[there : other_ends[other_end]]
        # Frequent words are no anchors of a long stretch: each pair of them would be looked at.
        matcher = SequenceMatcher(None, one, other, autojunk=len(one) * len(other) > WHOLE)
        for inner, a, b, c, d in matcher.get_opcodes():
            yield inner, here + a, here + b, there + c, there + d


def _ends(words: Sequence[str]) -> list[int]:
    """Where sentences end, from 0 to the number of words."""
    return [0, *(place for place, word in enumerate(words[:-1], start=1) if word.endswith((".", "!", "?"))), len(words)]
