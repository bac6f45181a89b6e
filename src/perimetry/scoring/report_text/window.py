"""A window on a text: rules only narrow it, so that a report is always a stretch of what the model wrote."""

from __future__ import annotations

import re
from typing import TypeAlias

__all__ = ["Window", "says_something", "trimmed"]

Window: TypeAlias = tuple[int, int]
"""Start and end in the model's text."""

_WORD = re.compile(r"[^\W_]")


def says_something(text: str, window: Window) -> bool:
    """Whether there is a letter or a digit of any script."""
    return _WORD.search(text, *window) is not None


def trimmed(text: str, window: Window) -> Window:
    """The window without white space at its ends.

    Examples
    --------
    >>> trimmed("  a b ", (0, 6))
    (2, 5)
    """
    start, end = window
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
