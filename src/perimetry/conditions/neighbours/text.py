"""Normalised questions and golds, so that equal ones are seen to be equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from perimetry.cases.question import Question

__all__ = ["golds_of", "normalised", "question_of"]

_MARK = re.compile(r"<image[ _]?\d+>", re.IGNORECASE)
_TOKEN = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?|\w+")


@lru_cache(maxsize=1 << 14)
def normalised(text: str) -> str:
    """Case, punctuation, width and spaces evened out; signs, decimals and per cent of numbers stay.

    Examples
    --------
    >>> normalised(" Is the  LUNG normal?"), normalised("2.5 cm (right)")
    ('is the lung normal', '2.5 cm right')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_TOKEN.findall(plain)) or plain.strip()


def question_of(question: Question) -> str:
    """Normalised question text, without image marks."""
    return normalised(_MARK.sub(" ", question.stem))


def golds_of(question: Question) -> tuple[str, ...]:
    """Normalised accepted answers, the gold one first; for a choice, the option's content instead of its label.

    A label says nothing about another item, whose options may stand in another order.
    """
    contents = {}
    for option in question.options:
        image = f"image {option.image.recipe}" if option.image else ""
        contents[option.label] = normalised(option.text) if option.text.strip() else image
    return tuple(dict.fromkeys(contents.get(answer) or normalised(answer) for answer in question.accepted))
