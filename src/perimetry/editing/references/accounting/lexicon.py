"""What the words of a report stand for: read from a data file, matched longest first."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from perimetry.scoring.lexical.porter import porter_stem

__all__ = ["Meaning", "Word", "meanings", "single_words", "words_of"]

Meaning = Literal[
    "finding", "device", "place", "state", "quality", "side", "doubt", "doubt_back", "before", "after", "filler",
    "break", "number", "word", "comma",
]  # fmt: skip

_WORD = re.compile(r"\d+(?:\.\d+)?(?:st|nd|rd|th)?(?![a-z0-9])|[^\W_]+(?:['’][a-z]+)?|[,;:]|_{2,}", re.IGNORECASE)
_NUMBERS = {
    name: str(value)
    for value, names in enumerate(
        (
            "one first", "two second", "three third", "four fourth", "five fifth", "six sixth", "seven seventh",
            "eight eighth", "nine ninth", "ten tenth", "eleven eleventh", "twelve twelfth",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_VERTEBRA = re.compile(r"[tlc]\d{1,2}$")
_NON = re.compile(r"\bnon-(?=[a-z])", re.IGNORECASE)
_DIMENSIONS = re.compile(
    r"(?<![\d.])\d+(?:\.\d+)?(?:(?:\s?(?:x|by)\s?\d+(?:\.\d+)?){1,3}\s?-?(mm|cm)|-?(mm|cm))\b", re.IGNORECASE
)
_UNITS = {"mm": 1.0, "millimeter": 1.0, "millimeters": 1.0, "cm": 10.0, "centimeter": 10.0, "centimeters": 10.0}
_OTHER_UNITS = frozenset({"inch", "inches", "in", "m", "percent", "degrees", "french", "fr", "ml", "cc", "hu"})
LONG = 6
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)$")


@dataclass(frozen=True, slots=True)
class Word:
    """One or more words of a text with what they stand for.

    Parameters
    ----------
    kind : Meaning
    meaning : str
        Canonical name; the stem for a word that the lexicon does not have.
    said : str
        As it stands in the text, in lower case.
    """

    kind: Meaning
    meaning: str
    said: str


@dataclass(frozen=True, slots=True)
class _Lexicon:
    phrases: Mapping[tuple[str, ...], tuple[Meaning, str]]
    longest: Mapping[str, int]


@cache
def _lexicon() -> _Lexicon:
    text = (files("perimetry.editing.references.accounting") / "lexicon.toml").read_text(encoding="utf-8")
    held = tomllib.loads(text)
    phrases: dict[tuple[str, ...], tuple[Meaning, str]] = {}
    kinds: tuple[Meaning, ...] = ("finding", "device", "place", "state", "quality", "side", "doubt", "doubt_back")
    for kind in kinds:
        for meaning, ways in held[kind].items():
            for way in ways:
                phrases[tuple(way.split())] = (kind, meaning)
    for way in held["negation"]["before"]:
        phrases[tuple(way.split())] = ("before", "no")
    for way in held["negation"]["after"]:
        phrases[tuple(way.split())] = ("after", "no")
    for way in held["filler"]["words"]:
        phrases.setdefault((way,), ("filler", ""))
    for way in held["breaks"]["words"]:
        phrases[way,] = ("break", "")
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return _Lexicon(phrases, longest)


def meanings(kind: Meaning) -> frozenset[str]:
    """All canonical names of a kind.

    Examples
    --------
    >>> "effusion" in meanings("finding")
    True
    """
    return frozenset(meaning for held, meaning in _lexicon().phrases.values() if held == kind)


@cache
def single_words() -> frozenset[str]:
    """Every word that occurs in an expression of the lexicon.

    Examples
    --------
    >>> {"effusion", "of", "no"} <= single_words()
    True
    """
    return frozenset(word for phrase in _lexicon().phrases for word in phrase)


def words_of(sentence: str) -> list[Word]:
    """A sentence as words with their meanings; measurements in millimetres.

    Examples
    --------
    >>> [(word.kind, word.meaning) for word in words_of("No right-sided pleural effusion, tip at 2.5 cm")][:4]
    [('before', 'no'), ('side', 'right'), ('finding', 'effusion'), ('comma', '')]
    >>> words_of("tip at 2.5 cm")[-1].meaning
    '25 mm'
    """
    tokens = [match.group().lower() for match in _WORD.finditer(_tidied(sentence))]
    return list(_matched(tokens))


def _tidied(sentence: str) -> str:
    """Units to each number, and "non-calcified" as one word: it denies no more than itself."""
    return _NON.sub("non", _DIMENSIONS.sub(_each_with_unit, sentence))


def _each_with_unit(found: re.Match[str]) -> str:
    """Give every number of "2 x 3 cm" its unit."""
    unit = found.group(1) or found.group(2)
    return " ".join(f"{number} {unit}" for number in re.findall(r"\d+(?:\.\d+)?", found.group()))


def _matched(tokens: Sequence[str]) -> Iterator[Word]:
    lexicon = _lexicon()
    place = 0
    while place < len(tokens):
        said = tokens[place]
        for length in range(min(lexicon.longest.get(said, 0), len(tokens) - place), 0, -1):
            phrase = tuple(tokens[place : place + length])
            if phrase in lexicon.phrases:
                kind, meaning = lexicon.phrases[phrase]
                for part in meaning.split() or [""]:
                    yield Word(_part_kind(kind, part, meaning), part, " ".join(phrase))
                place += length
                break
        else:
            known = _as_adjective(said)
            if known:
                yield Word(*known, said)
                place += 1
                continue
            taken, word = _single(tokens, place)
            if word is not None:
                yield word
            place += taken


def _as_adjective(said: str) -> tuple[Meaning, str] | None:
    """What the adjective of an adverb stands for: "chronically elevated" is a chronic elevation."""
    if not said.endswith("ly") or len(said) < LONG:
        return None
    phrases = _lexicon().phrases
    for ending, instead in (("ally", "al"), ("ally", ""), ("ily", "y"), ("ly", ""), ("ly", "le")):
        if said.endswith(ending):
            found = phrases.get((said.removesuffix(ending) + instead,))
            if found and found[0] in ("quality", "finding") and " " not in found[1]:
                return found
    return None


def _part_kind(kind: Meaning, part: str, meaning: str) -> Meaning:
    """Kind of one of several meanings: "bibasilar" is a side and a place, "cardiomegaly" a place and a state."""
    if " " not in meaning:
        return kind
    if part in ("both", "left", "right"):
        return "side"
    if part in ("enlarged", "upper_normal"):
        return "state"
    if part in ("upper", "mid", "lower"):
        return "quality"
    return "place" if part == "heart" else kind


def _single(tokens: Sequence[str], place: int) -> tuple[int, Word | None]:
    said = tokens[place]
    if said == ";":
        return 1, Word("break", "", said)
    if said in ",:":
        return 1, Word("comma", "", said)
    if said.startswith("__"):
        return 1, None
    if _VERTEBRA.match(said):
        return 1, Word("place", said, said)
    if said[0].isdigit() or said in _NUMBERS:
        return _number(tokens, place)
    return 1, Word("word", porter_stem(said), said)


def _number(tokens: Sequence[str], place: int) -> tuple[int, Word]:
    said = tokens[place]
    value = _NUMBERS.get(said) or _ORDINAL.sub(r"\1", said)
    unit = tokens[place + 1] if place + 1 < len(tokens) else ""
    if unit in _UNITS and value.replace(".", "", 1).isdigit():
        return 2, Word("number", f"{float(value) * _UNITS[unit]:g} mm", f"{said} {unit}")
    if unit in _OTHER_UNITS and unit != "in":
        return 2, Word("number", f"{value} {unit}", f"{said} {unit}")
    return 1, Word("number", value, said)
