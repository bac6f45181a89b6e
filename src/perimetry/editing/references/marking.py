"""Where two texts differ, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from perimetry.reports import Marked

__all__ = ["difference_marks"]

_WORD = re.compile(r"\S+")


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
    matcher = SequenceMatcher(None, [word.group() for word in first], [word.group() for word in second], autojunk=False)
    old: list[Marked] = []
    new: list[Marked] = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        if start < end:
            old.append(Marked(first[start].start(), first[end - 1].end(), "only here", "negative"))
        if other_start < other_end:
            new.append(Marked(second[other_start].start(), second[other_end - 1].end(), "only here", "positive"))
    return tuple(old), tuple(new)
