"""Cells of a CSV file, so spelled that a spreadsheet takes none for a formula, and back."""

from __future__ import annotations

import re

__all__ = ["FORMULA", "NUMBER", "original_cell", "safe_cell"]

FORMULA = r"(?s)^[=+\-@\t\r＝＋－＠]."
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_FORMULA, _NUMBER = re.compile(FORMULA), re.compile(NUMBER)


def safe_cell(text: str) -> str:
    """Put an apostrophe before a text that begins as a formula does (``= + - @``, tab); numbers stay.

    Examples
    --------
    >>> [safe_cell(text) for text in ("=1+1", "-0.5", "a-b")]
    ["'=1+1", '-0.5', 'a-b']
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def original_cell(text: str) -> str:
    """The text that `safe_cell` made this cell of.

    Examples
    --------
    >>> [original_cell(text) for text in ("'=1+1", "-0.5", "'tis")]
    ['=1+1', '-0.5', "'tis"]
    """
    return text[1:] if text.startswith("'") and safe_cell(text[1:]) == text else text
