"""The words that a judge quotes, found where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perimetry.screening.finding import Span
from perimetry.screening.item import Item

__all__ = ["located"]

_AROUND = " \t\n\r\"'“”‘’«»`.…"
_SAME = {"'": "['’‘`]", "’": "['’‘`]", '"': '["“”]', "“": '["“”]', "”": '["“”]', "-": "[-–—]", "–": "[-–—]"}


def located(item: Item, words: str, options: Sequence[str] = ()) -> Span | None:
    """The first place of a quotation: in the options named, then in the stem, then in any other option.

    Blanks, capitals, and the shapes of quotation marks and dashes may differ; words may not.

    Parameters
    ----------
    item : Item
    words : str
    options : sequence of str
        Labels of the options that are said to carry the cue.

    Examples
    --------
    >>> item = Item("1", "mine", "g", "A sheep  farmer's cough", "open")
    >>> located(item, "“Sheep farmer’s”")
    Span(field='stem', start=2, end=17, label='')
    >>> located(item, "goat") is None
    True
    """
    wanted = words.strip(_AROUND).split()
    if not wanted:
        return None
    pattern = re.compile(r"\s+".join(map(_spelled, wanted)), re.IGNORECASE)
    texts = {option.label: option.text for option in item.options}
    fields = [(label, texts[label]) for label in options if label in texts]
    fields += [("stem", item.stem), *((label, text) for label, text in texts.items() if label not in options)]
    for field, text in fields:
        found = _whole_word(pattern, text)
        if found is not None:
            return Span(field, found.start(), found.end())
    return None


def _spelled(word: str) -> str:
    return "".join(_SAME.get(letter, re.escape(letter)) for letter in word)


def _whole_word(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match that neither begins nor ends within a word: ``rib`` is not in ``described``."""
    for found in pattern.finditer(text):
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        if not (before.isalnum() and found[0][0].isalnum()) and not (after.isalnum() and found[0][-1].isalnum()):
            return found
    return None
