"""From a report's text to words and marks with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perimetry.scoring.labels.spelling import Spelling

__all__ = ["Tokens", "tokenise"]

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|[.;!?,:/]|\n[^\S\n]*(?:\n|[-*•]|\d{1,2}[.)])")
_STOPS = frozenset(".;!?")
_ABBREVIATED = frozenset(["vs", "dr", "approx", "ca", "cf", "e", "i", "g"])


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words in lower case and marks; every end of a sentence is ``.``.

    Parameters
    ----------
    words : list of str
    starts, ends : list of int
        Where each lies in the text.
    """

    words: list[str]
    starts: list[int]
    ends: list[int]


def tokenise(text: str, spelling: Spelling) -> Tokens:
    r"""Cut a text into words and marks.

    Misspelt words become the words they stand for, hyphens part words, a stop after an abbreviation is no end, and a
    blank line or a new list item is one.

    Examples
    --------
    >>> from perimetry.scoring.labels.lexicon import default_lexicon
    >>> tokenise("Non-displaced, 1.5 cm vs. 2.\n\nOK", default_lexicon().spelling).words
    ['non', 'displaced', ',', '1.5', 'cm', 'vs', '2', '.', '.', 'ok', '.']
    """
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    known = spelling.known
    read = spelling.read
    for found in _TOKEN.finditer(text):
        word = found.group().lower()
        if word in known:
            if word == "." and words and words[-1] in _ABBREVIATED:
                continue
        elif word in _STOPS or word[0] == "\n":
            word = "."
        else:
            several = read(word)
            if several is not None and len(several) > 1:
                start, cut = found.start(), found.start() + len(several[0])
                words += several
                starts += [start, cut, cut]
                ends += [cut, cut, found.end()]
                continue
            if several is not None:
                word = several[0]
        words.append(word)
        starts.append(found.start())
        ends.append(found.end())
    words.append(".")
    starts.append(len(text))
    ends.append(len(text))
    return Tokens(words, starts, ends)
