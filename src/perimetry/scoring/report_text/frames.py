r"""Frames that hold a report: ``\boxed{}``, and tags such as ``<answer>``."""

from __future__ import annotations

import re

from perimetry.scoring.report_text.window import Window, says_something, trimmed

__all__ = ["Frame", "boxed", "tagged"]

Frame = tuple[Window, bool]
"""The content, and whether the frame was closed."""

_BOX = re.compile(r"(?:\\+f?boxed|\x08oxed)\s{0,3}\{")
_WRAPPER = re.compile(r"\\+(?:text|textbf|textit|textrm|mathrm|mbox)\s{0,3}\{")
_TAG = re.compile(
    r"<\s{0,3}(?P<slash>/?)\s{0,3}(?P<name>(?:final[_ -]?)?(?:answer|report)|findings|output)\s{0,3}>", re.IGNORECASE
)


def boxed(text: str, window: Window) -> Frame | None:
    r"""Content of the last ``\boxed{}`` that says something, braces balanced; one that is never closed runs to the end.

    A box inside a box belongs to the outer one. Where all boxes are empty, the last of them: an empty report.
    """
    found: Frame | None = None
    place = window[0]
    while (opening := _BOX.search(text, place, window[1])) is not None:
        close = _closing(text, opening.end(), window[1])
        inner = trimmed(text, (opening.end(), window[1] if close is None else close))
        if found is None or says_something(text, inner):
            found = _unwrapped(text, inner), close is not None
        place = window[1] if close is None else close + 1
    return found


def tagged(text: str, window: Window) -> Frame | None:
    """Content of the last pair of tags that says something; one that is never closed runs to the end."""
    found: Frame | None = None
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(text, *window):
        if not tag["slash"]:
            opened = opened or tag
        elif opened is not None and opened["name"].lower() == tag["name"].lower():
            inner = trimmed(text, (opened.end(), tag.start()))
            if found is None or says_something(text, inner):
                found = inner, True
            opened = None
    if opened is not None:
        inner = trimmed(text, (opened.end(), window[1]))
        if says_something(text, inner):
            found = inner, False
    return found


def _closing(text: str, place: int, end: int) -> int | None:
    """Place of the brace that closes the one before `place`; braces after a backslash are text."""
    depth = 1
    while place < end:
        letter = text[place]
        if letter == "\\" and text[place + 1 : place + 2] in ("{", "}"):
            place += 1
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return place
        place += 1
    return None


def _unwrapped(text: str, window: Window) -> Window:
    r"""Inside of a ``\text{}`` that holds the whole content."""
    while (wrapper := _WRAPPER.match(text, *window)) is not None:
        close = _closing(text, wrapper.end(), window[1])
        if close is not None and close + 1 != window[1]:
            break
        window = trimmed(text, (wrapper.end(), window[1] if close is None else close))
    return window
