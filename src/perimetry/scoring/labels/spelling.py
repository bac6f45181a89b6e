"""Misspelt and glued words of a report, read as the words they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["Spelling"]

_LONG = 9
_SHORTEST = 6
_WORDS_KEPT = 1 << 16


class Spelling:
    """Reads unknown words; the known ones are not its matter.

    Parameters
    ----------
    known : frozenset of str
        Words that stand as they are.
    correct : sequence of str
        Words that a misspelling may mean.
    glued : frozenset of str
        Short words that may be glued to the end of another.
    findings : frozenset of str
        Words of findings: two of them glued together lost a slash, others a full stop.

    Examples
    --------
    >>> known = frozenset({"limits", "effusion"})
    >>> spelling = Spelling(known, correct=("effusion",), glued=frozenset({"the"}), findings=frozenset({"effusion"}))
    >>> spelling.read("effussion"), spelling.read("limitsthe"), spelling.read("word")
    (('effusion',), ('limits', '.', 'the'), None)
    """

    def __init__(
        self, known: frozenset[str], correct: Iterable[str], glued: frozenset[str], findings: frozenset[str]
    ) -> None:
        self.known = known
        self._correct: dict[str, list[str]] = {}
        for word in correct:
            self._correct.setdefault(word[0], []).append(word)
        self._glued = glued
        self._findings = findings
        self.read = lru_cache(maxsize=_WORDS_KEPT)(self._read)

    def _read(self, word: str) -> tuple[str, ...] | None:
        """What an unknown word stands for; None if it stands for itself."""
        if len(word) < _SHORTEST or not word.isalpha():
            return None
        return self._mended(word) or self._parted(word)

    def _mended(self, word: str) -> tuple[str, ...] | None:
        from rapidfuzz.distance import OSA

        best, fewest = None, 3
        for right in self._correct.get(word[0], ()):
            most = 2 if len(right) >= _LONG else 1
            steps = OSA.distance(word, right, score_cutoff=most)
            if steps <= most and steps < fewest:
                best, fewest = right, steps
        return None if best is None else (best,)

    def _parted(self, word: str) -> tuple[str, ...] | None:
        for cut in range(len(word) - 2, 4, -1):
            left, right = word[:cut], word[cut:]
            if left in self.known and (right in self._glued or (len(right) > 4 and right in self.known)):
                slash = right not in self._glued and left in self._findings and right in self._findings
                return (left, "/" if slash else ".", right)
        return None
