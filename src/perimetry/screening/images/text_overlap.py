"""How much of an option stands in the visible text of an image."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from perimetry.screening.images.reading import TextLine
from perimetry.screening.words import STOP_WORDS, Word, find_run, fold, folded, words

__all__ = ["Overlap", "TextPool", "overlap"]

SHORTEST = 4
LONG_ENOUGH = 6
"""Letters from which a word may be read with an error, or run together with its neighbours."""
ALIKE = 85.0
SHORT_COMPLETE = 2


@dataclass(frozen=True, slots=True)
class Overlap:
    """What an option and the visible text share.

    Parameters
    ----------
    degree : {"complete", "partial"}
        ``complete``: every word of the option stands in the text, in its order and without a gap; ``partial``: at least
        one word of four letters or more does that is no stop word and none of `generic`.
    words : tuple of Word
        The option's words that were found.
    lines : tuple of TextLine
        Where they stand.
    """

    degree: Literal["complete", "partial"]
    words: tuple[Word, ...]
    lines: tuple[TextLine, ...]


@dataclass(frozen=True)
class TextPool:
    """Visible text, ready to be searched.

    Parameters
    ----------
    lines : tuple of TextLine
    """

    lines: tuple[TextLine, ...]

    @property
    def by_line(self) -> tuple[tuple[TextLine, tuple[str, ...], str], ...]:
        """Each line with its folded words and with its letters run together."""
        return tuple((line, folded(words(line.text)), _run_together(line.text)) for line in self.lines)


def overlap(text: str, pool: TextPool, generic: Iterable[str] = ()) -> Overlap | None:
    """Compare a text with what can be read in an image.

    OCR drops blanks and mistakes a letter now and then: words of six letters or more are found run together with
    others, and with about one error in seven letters.

    Parameters
    ----------
    text : str
        An option, or the answer to an open question.
    pool : TextPool
    generic : iterable of str
        Folded words that say nothing by themselves.

    Examples
    --------
    >>> from perimetry.screening.images.reading import Frame, TextLine
    >>> pool = TextPool((TextLine("LEFT PNEUMOTHORAX", Frame(0, 0, 90, 12), 0.99),))
    >>> overlap("pneumothorax", pool).degree, overlap("tension pneumothorax", pool).degree, overlap("cyst", pool)
    ('complete', 'partial', None)
    """
    mine = words(text)
    wanted = folded(mine)
    if not wanted or not pool.lines:
        return None
    ready = pool.by_line
    whole = _complete(wanted, ready)
    if whole:
        return Overlap("complete", mine, whole)
    silent = STOP_WORDS | frozenset(generic)
    hits: dict[Word, TextLine] = {}
    for word in mine:
        short = fold(word.lower)
        if len(short) < SHORTEST or short in silent or short.isdigit():
            continue
        for line, found, together in ready:
            if _stands(short, found, together):
                hits[word] = line
                break
    if not hits:
        return None
    return Overlap("partial", tuple(hits), tuple(dict.fromkeys(hits.values())))


def _complete(wanted: Sequence[str], ready: Sequence[tuple[TextLine, tuple[str, ...], str]]) -> tuple[TextLine, ...]:
    together = "".join(wanted)
    if len(together) <= SHORT_COMPLETE:
        # One or two letters, L or CT, have to be a line by themselves.
        return tuple(line for line, found, _ in ready if found == tuple(wanted))[:1]
    for line, found, run in ready:
        if find_run(wanted, found) >= 0 or (len(together) >= LONG_ENOUGH and together in run):
            return (line,)
        if len(wanted) == 1 and _stands(wanted[0], found, run):
            return (line,)
    everything = [word for _, found, _ in ready for word in found]
    if len(wanted) > 1 and find_run(wanted, everything) >= 0:
        return tuple(line for line, found, _ in ready if set(found) & set(wanted))
    return ()


def _stands(word: str, found: Sequence[str], together: str) -> bool:
    if word in found:
        return True
    if len(word) < LONG_ENOUGH:
        return False
    from rapidfuzz import fuzz

    return word in together or any(
        abs(len(other) - len(word)) <= 2 and fuzz.ratio(word, other) >= ALIKE for other in found
    )


def _run_together(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
