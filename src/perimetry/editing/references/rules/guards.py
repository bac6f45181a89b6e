"""Where an expression may give way to another one: guards against what would read badly, or say something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Entry"]

REACH = 60
"""Characters before and after an expression that are looked at."""
_LAST = re.compile(r"(\w+)\s*$")
_WORDS = re.compile(r"[A-Za-z]+")
_STOP = re.compile(r"[.;:]\s")
_FIRST = re.compile(r"\s*([\w]+)")
_ENDS = re.compile(r"\s*(?:[.,;:)!?]|\n|$)")
_OPENS = re.compile(r"(?:^|[.;:!?\n])\s*(?:[-*•]\s+|\(?\d{1,2}[.)]\s+)?(?:the\s+|an?\s+)?$", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:an?|another|one|each|every|single|two|three|several)\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
# A word other than these after a noun makes it a part of another one: "cardiomegaly patient".
_AFTER_NOUNS = frozenset(
    {
        "is", "are", "was", "were", "has", "have", "had", "may", "might", "could", "can", "cannot", "will", "would",
        "should", "does", "do", "did", "and", "or", "but", "nor", "with", "without", "in", "of", "on", "at", "to",
        "for", "from", "by", "as", "than", "since", "which", "that", "who", "where", "when", "while", "there",
        "likely", "probably", "possibly", "perhaps", "suggesting", "suggestive", "consistent", "compatible",
        "concerning", "worrisome", "suspicious", "again", "also", "not", "no", "now", "seen", "noted", "present",
        "identified", "unchanged", "stable", "increased", "decreased", "improved", "worsened", "appears", "appear",
        "remains", "remain", "persists", "after", "before", "following", "due", "related", "secondary", "versus",
        "vs", "within", "throughout", "involving", "measuring", "suggests", "suggest", "demonstrated", "visualized",
        "bilaterally", "above", "below", "near", "under", "if", "because", "otherwise", "though", "although",
        "however", "terminates", "ends", "projects", "overlies", "extends", "normal", "unremarkable", "clear",
        "intact", "compared", "overlying", "representing", "reflecting", "tip", "shows", "demonstrates", "looks",
        "seems", "upper",
    }
)  # fmt: skip


class Entry:
    r"""What may stand for one expression, and where.

    Parameters
    ----------
    choices : sequence of str
    row : mapping
        Guards, as the head of ``terms.toml`` tells them.

    Examples
    --------
    >>> entry = Entry(["cardiac enlargement"], {"noun": True})
    >>> described, alone = "Cardiomegaly patient.", "Cardiomegaly."
    >>> entry.fitting(described, re.match(r"\w+", described)), entry.fitting(alone, re.match(r"\w+", alone))
    ((), ('cardiac enlargement',))
    """

    def __init__(self, choices: Sequence[str], row: Mapping[str, Any]) -> None:
        self.choices = tuple(choices)
        self.row = row

    def fitting(self, text: str, found: re.Match[str]) -> tuple[str, ...]:
        """Choices that fit; none where a guard of the entry is against it."""
        before = text[max(0, found.start() - REACH) : found.start()]
        after = text[found.end() : found.end() + REACH]
        if not (self._fits_before(before, found.start()) and self._fits_after(after)):
            return ()
        return tuple(choice for choice in self.choices if not _doubled(before, choice, after))

    def _fits_before(self, before: str, start: int) -> bool:
        last = _LAST.search(before)
        word = last.group(1).lower() if last else ""
        if "after" in self.row and word not in self.row["after"]:
            return False
        if word and word in self.row.get("not_after", ()):
            return False
        if any(near.lower() in self.row.get("not_near", ()) for near in _WORDS.findall(_STOP.split(before)[-1])):
            return False
        if self.row.get("countless") and _COUNTED.search(before):
            return False
        opens = _OPENS.search(before) is not None if start else True
        return opens or not (self.row.get("alone") or self.row.get("opens"))

    def _fits_after(self, after: str) -> bool:
        first = _FIRST.match(after)
        word = first.group(1).lower() if first else ""
        if any(_begins(after, phrase) for phrase in self.row.get("not_before", ())):
            return False
        ends = not after.strip() or _ENDS.match(after) is not None
        if (self.row.get("last") or self.row.get("alone")) and not ends:
            return False
        if self.row.get("noun") and word and word not in _AFTER_NOUNS:
            return False
        return not (self.row.get("attributive") and (not word or word in _AFTER_NOUNS))


def _begins(after: str, phrase: str) -> bool:
    """Whether a text begins with a phrase; a full stop in it stands for the end of a sentence or clause."""
    words, stop, _ = phrase.partition(".")
    pattern = r"\s+".join(map(re.escape, words.split()))
    end = r"\s*(?:[.,;:)]|$)" if stop else r"(?![\w-])"
    return re.match(rf"\s*{pattern}{end}", after, re.IGNORECASE) is not None


def _doubled(before: str, new: str, after: str) -> bool:
    """Whether a word would stand twice: "bilateral bilateral", "SVC (SVC)"."""
    last, first = _LAST.search(before), re.match(r"\s*\(?\s*(\w+)", after)
    words = new.lower().split()
    return bool((last and last.group(1).lower() == words[0]) or (first and first.group(1).lower() == words[-1]))
