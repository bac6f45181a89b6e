"""Folding that keeps every character in its place, so that spans index the raw response."""

from __future__ import annotations

import re

__all__ = ["fold"]


def _table() -> dict[int, str]:
    table: dict[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    for first, last, to in ((0x24B6, 0x24CF, "A"), (0x24D0, 0x24E9, "a"), (0x1F130, 0x1F149, "A")):  # circled letters
        table.update({code: chr(ord(to) + code - first) for code in range(first, last + 1)})
    for block in (0x1D400, 0x1D434, 0x1D468, 0x1D5A0, 0x1D5D4, 0x1D608, 0x1D63C, 0x1D670):  # mathematical alphabets
        for index in range(26):
            table[block + index] = chr(ord("A") + index)
            table[block + 26 + index] = chr(ord("a") + index)
    for character, to in (
        ("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
        ("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f", '"'),
        ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        ("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
        ("\u200b\u200c\u200d\u2060\ufeff\u200e\u200f", " "),
        ("\u2028\u2029\u0085\x0b\x0c\r", "\n"),
        ("\u3002", "."),
        ("\u3001", ","),
        ("\u3010\u3014", "["),
        ("\u3011\u3015", "]"),
    ):
        table.update({ord(one): to for one in character})
    return table


TABLE = _table()
LATEX = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:bf|rm|it|sf|tt)|boldsymbol|bm|bf|rm|operatorname|left|right"
    r"|displaystyle|[,;:! ])(?![A-Za-z])"
)

SPECIAL = re.compile(r"<\|[A-Za-z_]{1,30}\|>|</?s>|<(?:end_of_turn|eos|bos|start_of_turn)>")


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def fold(text: str) -> str:
    r"""The text with typographic variants made plain, character by character; the length stays the same.

    Full-width, circled and mathematical letters become ASCII, all dashes ``-``, all quotes straight, all spaces
    plain, all line ends ``\n``, CJK stops ASCII ones; LaTeX font commands and tokenizer marks become spaces.

    Examples
    --------
    >>> fold("（Ｂ）")
    '(B)'
    """
    if not text.isascii():
        text = text.translate(TABLE)
    elif "\r" in text:
        text = text.replace("\r", "\n")
    if "\\" in text:
        text = LATEX.sub(_blank, text)
    if "<" in text:
        text = SPECIAL.sub(_blank, text)
    return text
