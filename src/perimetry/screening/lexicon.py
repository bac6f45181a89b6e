"""Phrases looked up in a text: whole words, plural and case minded, longer phrases before shorter ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from perimetry.screening.words import Word, words

__all__ = ["Hit", "Lexicon", "phrases"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase that was found: its label and the characters it covers."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One spelling of a phrase."""

    lower: tuple[str, ...]
    written: tuple[str, ...]
    label: str

    def fits(self, found: Sequence[Word], place: int) -> bool:
        """Whether the words from a place on are this phrase; a capital in the entry has to be one in the text."""
        if place + len(self.lower) > len(found):
            return False
        return all(
            word.lower == lower and _same_case(word.text, written)
            for word, lower, written in zip(found[place:], self.lower, self.written, strict=False)
        )


def _same_case(text: str, written: str) -> bool:
    """Small letters match any case; an initial matches an initial, and no abbreviation: ``ASIA`` is a scale."""
    if not written[0].isupper():
        return True
    return text[0].isupper() and (written.isupper() or len(text) == 1 or not text.isupper())


class Lexicon:
    """Phrases by label, matched word by word.

    Parameters
    ----------
    phrases : mapping of label to iterable of str
        A phrase matches its plural as well (of its last word). Written with a capital it matches in that case only:
        ``Turkey`` is a country, ``turkey`` a meal.
    friends : iterable of str, default ()
        False friends: phrases that are passed over as a whole, ``white matter`` where ``white man`` is looked for.

    Examples
    --------
    >>> race = Lexicon({"race": ["white man", "Chinese"]}, ["Chinese hamster"])
    >>> [hit.label for hit in race.find(words("A white man with white matter lesions"))]
    ['race']
    >>> race.find(words("Chinese hamster cells; fine chinese plates"))
    ()
    """

    def __init__(self, phrases: Mapping[str, Iterable[str]], friends: Iterable[str] = ()) -> None:
        self._entries: dict[str, list[Entry]] = {}
        for label, members in (*phrases.items(), ("", friends)):
            for phrase in members:
                for spelling in spellings(phrase):
                    parts = tuple(word.text for word in words(spelling))
                    lower = tuple(part.lower() for part in parts)
                    self._entries.setdefault(lower[0], []).append(Entry(lower, parts, label))
        for entries in self._entries.values():
            # The longest first; a false friend before a phrase of its length.
            entries.sort(key=lambda entry: (-len(entry.lower), entry.label != "", entry.label, entry.lower))

    def find(self, found: Sequence[Word]) -> tuple[Hit, ...]:
        """The phrases of a text, in order; none overlaps another one."""
        return tuple(self._hits(found))

    def _hits(self, found: Sequence[Word]) -> Iterator[Hit]:
        place = 0
        while place < len(found):
            entries = self._entries.get(found[place].lower)
            entry = next((entry for entry in entries if entry.fits(found, place)), None) if entries else None
            if entry is None:
                place += 1
                continue
            last = place + len(entry.lower) - 1
            if entry.label:
                yield Hit(entry.label, found[place].start, found[last].end)
            place = last + 1


def spellings(phrase: str) -> tuple[str, ...]:
    """A phrase and its plural.

    Examples
    --------
    >>> spellings("factory"), spellings("left"), spellings("wife")
    (('factory', 'factories'), ('left', 'lefts'), ('wife', 'wives'))
    """
    if phrase.endswith("man") and (phrase == "man" or not phrase.endswith("German")):
        return phrase, phrase[:-2] + "en"
    if phrase.endswith("y") and phrase[-2:-1] not in "aeiou":
        return phrase, phrase[:-1] + "ies"
    if phrase.endswith("fe"):
        return phrase, phrase[:-2] + "ves"
    if phrase.endswith(("s", "x", "ch", "sh")):
        return phrase, phrase + "es"
    return phrase, phrase + "s"


def phrases(text: str) -> tuple[str, ...]:
    """Phrases from a text with commas between them.

    Examples
    --------
    >>> phrases("nursing home, old house")
    ('nursing home', 'old house')
    """
    return tuple(part.strip() for part in " ".join(text.split()).split(",") if part.strip())
