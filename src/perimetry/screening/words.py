"""Words of a text with their places, and text without its markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

__all__ = [
    "STOP_WORDS",
    "Word",
    "find_run",
    "fold",
    "folded",
    "has_markup",
    "is_english",
    "visible",
    "word_set",
    "words",
]

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>")
IMAGE_MARK = re.compile(r"<image \d+>")
LATEX_COMMAND = re.compile(r"\\[a-zA-Z]+\*?|\\[,;:!% ]|[$]")
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set.

    Examples
    --------
    >>> sorted(word_set("the of"))
    ['of', 'the']
    """
    return frozenset(text.split())


STOP_WORDS = word_set(
    "a an and are as at be been being by did do does for from had has have he her his if in into is it its may"
    " more most no not of on or other our she should than that the their them then there these they this those to"
    " was were what when where which while who whose why will with would you your following likely best next"
)

# Frequent in another language, and no English word.
_FOREIGN = word_set(
    "el la los las una del por para con que y es le les des une dans est qui sur du et au aux der das und ist"
    " eine mit den dem ein bei il della nel gli che di e um uma os das dos em na não het een van"
)
_MANY_LETTERS_BEYOND_LATIN = 0.3
_FEW_WORDS = 6


class Word(NamedTuple):
    """A word where it stands: first and last character of the text, as it is written, and in lower case."""

    start: int
    end: int
    text: str
    lower: str


def words(text: str) -> tuple[Word, ...]:
    """Words in order; a hyphen parts words, an apostrophe does not, markup holds none.

    Examples
    --------
    >>> [word.lower for word in words("Crohn's <b>non-caseating</b>")]
    ["crohn's", 'non', 'caseating']
    """
    return tuple(Word(*match.span(), match[0], match[0].lower()) for match in WORD.finditer(_masked(text)))


def visible(text: str) -> str:
    r"""The text as a reader sees it: without HTML tags, entities, LaTeX commands and image marks.

    Examples
    --------
    >>> visible("H<sub>2</sub>O &amp; $\\mathrm{CO_2}$")
    'H2O & CO_2'
    """
    if not any(sign in text for sign in "<&\\$"):
        return text.strip()
    plain = LATEX_COMMAND.sub("", TAG.sub("", IMAGE_MARK.sub("", text)))
    if plain.count("{") or "\\" in text:
        plain = plain.replace("{", "").replace("}", "")
    return html.unescape(plain).strip()


def has_markup(text: str) -> bool:
    r"""Whether a text holds HTML tags, entities or LaTeX commands.

    Examples
    --------
    >>> has_markup("p < 0.05"), has_markup("H<sub>2</sub>O"), has_markup(r"\\frac{1}{2}")
    (False, True, True)
    """
    if not any(sign in text for sign in "<&\\$"):
        return False
    text = IMAGE_MARK.sub("", text)
    return any(pattern.search(text) for pattern in (TAG, ENTITY, LATEX_COMMAND))


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A lower-case word without its plural ending.

    Examples
    --------
    >>> fold("fractures"), fold("biopsies"), fold("pelvis"), fold("sinus")
    ('fracture', 'biopsy', 'pelvis', 'sinus')
    """
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def folded(found: Iterable[Word]) -> tuple[str, ...]:
    """The words folded, in order."""
    return tuple(fold(word.lower) for word in found)


def find_run(run: Sequence[str], within: Sequence[str]) -> int:
    """Where a run of words first stands in a sequence of words, or -1; an empty run stands nowhere.

    Examples
    --------
    >>> find_run(["b", "c"], ["a", "b", "c"]), find_run([], ["a"])
    (1, -1)
    """
    size = len(run)
    if not size or size > len(within):
        return -1
    first, wanted = run[0], list(run)
    for place in range(len(within) - size + 1):
        if within[place] == first and list(within[place : place + size]) == wanted:
            return place
    return -1


def is_english(text: str, found: Sequence[Word]) -> bool:
    """Whether word lists in English can say something about a text: yes unless script or small words speak against it.

    Examples
    --------
    >>> is_english("What is shown?", words("What is shown?"))
    True
    >>> spanish = "El paciente tiene dolor en la pierna y los brazos"
    >>> is_english(spanish, words(spanish))
    False
    """
    if not text.isascii():
        letters = sum(letter.isalpha() for letter in text)
        beyond = sum(letter.isalpha() and letter > "\u024f" for letter in text)
        if beyond > _MANY_LETTERS_BEYOND_LATIN * letters:
            return False
    if len(found) < _FEW_WORDS:
        return True
    here = sum(word.lower in STOP_WORDS for word in found)
    elsewhere = sum(word.lower in _FOREIGN for word in found)
    return here >= elsewhere


def _masked(text: str) -> str:
    """The text with its markup blanked out, every other character in its place."""
    if not any(sign in text for sign in "<&\\$"):
        return text
    for pattern in (IMAGE_MARK, TAG, ENTITY, LATEX_COMMAND):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text
