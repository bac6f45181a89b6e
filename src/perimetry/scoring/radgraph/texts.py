"""Texts as RadGraph sees them: which are the same, and the tokens they are cut into."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Tokens", "cut_decimal", "same_form", "whole_tokens"]

Tokens = Literal["whole", "upstream"]
"""How a report is cut before it is annotated: ``whole`` keeps decimals in one piece, ``upstream`` is the extractor's
own way (the public package makes three tokens of ``1.5``)."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]")
_DECIMAL = re.compile(r"(?<![\w.,])(?:\d+[.,]|\.)\d+(?![.,]?\d)")

# What the public package drops before it cuts: escapes that stand in the text as such; and what it spells otherwise.
_ESCAPES = re.compile(r"\\[nf]|\\u2122")
_PIECE = re.compile(r"\w+|[^\w\s]")
_QUOTES = re.compile(r"\\?\"|`")

# The first model's cut: these marks alone stand by themselves. A point or comma inside or before a number stays.
_FIRST_MARKS = re.compile(r"[/:!?()]|,(?!\d)|(?<!\d),(?=\d)|\.(?!\d)|(?<=[^\W\d])\.(?=\d)")

# The later models' cut: runs of word characters and runs of others, and then some runs of others once more.
_LATER_TOKEN = re.compile(
    r"(?<![\w.,])\.\d\w*|\w+(?:(?<=\d)[.,](?=\d)\w+)*|(?:(?!\.\d)[^\w\s])+|\.",
)
_LATER_CUT = re.compile(r"(?<=[)%])(?=\.)|(?<=\.)(?=')|(?<=%)(?=[,)])")


def same_form(text: str) -> str:
    """Form in which a report and any cut of it into tokens are equal: its words and marks, one space between them.

    White space counts between two words only, control characters count as white space, and quotes not at all.

    Examples
    --------
    >>> same_form("Effusion (1.5 cm).") == same_form("Effusion ( 1 . 5 cm ) .")
    True
    >>> same_form("cardiomediastinal") == same_form("cardio mediastinal")
    False
    """
    plain = _CONTROL.sub(" ", _QUOTES.sub(" ", _ESCAPES.sub(" ", text)))
    return " ".join(_PIECE.findall(plain))


def whole_tokens(text: str, model: str = "radgraph-xl") -> tuple[str, ...]:
    """Cut a report as the model's own pre-processing does, but leave decimals whole.

    Parameters
    ----------
    text
    model
        ``radgraph`` (the first model: only ``/ , : . ! ? ( )`` are cut off) or any other name (every run of marks is).

    Examples
    --------
    >>> whole_tokens("A 1.5-cm nodule.", "radgraph")
    ('A', '1.5-cm', 'nodule', '.')
    >>> whole_tokens("A 1.5-cm nodule.")
    ('A', '1.5', '-', 'cm', 'nodule', '.')
    """
    plain = _CONTROL.sub(" ", _ESCAPES.sub(" ", text))
    if model == "radgraph":
        return tuple(_FIRST_MARKS.sub(r" \g<0> ", plain).split())
    joined = " ".join(_LATER_TOKEN.findall(plain.replace('\\"', "``")))
    return tuple(_LATER_CUT.sub(" ", joined).split())


def cut_decimal(text: str, tokens: tuple[str, ...]) -> str:
    """The first decimal of a text that its tokens do not hold in one piece; empty if there is none.

    Examples
    --------
    >>> cut_decimal("tip 2.5 cm above", ("tip", "2", ".", "5", "cm", "above"))
    '2.5'
    """
    for found in _DECIMAL.finditer(text):
        if not any(found.group() in token for token in tokens):
            return found.group()
    return ""
