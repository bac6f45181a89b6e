r"""Frames that hold a final answer: ``\boxed{}`` and ``<answer>`` tags."""

from __future__ import annotations

import re
from collections.abc import Callable

from perimetry.scoring.answers.extraction import Hit, Reading, Stop
from perimetry.scoring.answers.statements import read_statement
from perimetry.scoring.answers.view import View

__all__ = ["boxed", "last_boxes", "tagged"]

_BOX = re.compile(r"(?:\\+f?boxed|\x08oxed)\s{0,3}\{")
_JOINED = re.compile(r"[\s,;.$\\()\[\]*&/+-]*(?:and|or)?[\s,;.$\\()\[\]*&/+-]*", re.IGNORECASE)
_TAG = re.compile(r"<\s{0,3}(/?)\s{0,3}(?:final[_ -]?)?answer\s{0,3}>", re.IGNORECASE)
LONGEST_BOX = 2000
"""Characters of a box that are looked at for its closing brace."""

BOXES = 6
"""How many boxes, from the last backwards, are looked at."""


def last_boxes(body: str, start: int, end: int) -> list[tuple[int, int, int, int]]:
    """The last closed boxes in order: span of the whole and span of the content, braces balanced."""
    openings = [found.span() for found in _BOX.finditer(body, start, end)]
    boxes: list[tuple[int, int, int, int]] = []
    for first, inner in openings[-BOXES:]:
        depth = 1
        for place in range(inner, min(end, inner + LONGEST_BOX)):
            if body[place] == "{":
                depth += 1
            elif body[place] == "}":
                depth -= 1
                if depth == 0:
                    boxes.append((first, place + 1, inner, place))
                    break
    return boxes


def boxed(view: View) -> Reading:
    r"""The last ``\boxed{}``. Boxes joined to it by no more than "and", "or" or a comma are one answer together.

    A later "answer is" that says otherwise, or a joined box with another answer, is a contradiction.
    """
    if "oxed" not in view.body:
        return None
    boxes = last_boxes(view.body, view.start, view.end)
    if not boxes:
        return None
    last = boxes[-1]
    reading = read_statement(view.body, last[2], last[3], view.space)
    if not isinstance(reading, Hit):
        return reading
    end = last[0]
    for box in reversed(boxes[:-1]):
        if _JOINED.fullmatch(view.body, box[1], end) is None or "\n\n" in view.body[box[1] : end]:
            break
        other = read_statement(view.body, box[2], box[3], view.space)
        if not (isinstance(other, Hit) and other.answer == reading.answer):
            return Stop("several")
        end = box[0]
    return Hit(reading.answer, last[0], last[1])


def tagged(view: View, inner: Callable[[View], Reading]) -> Reading:
    """The last ``<answer>`` block; an unclosed one runs to the end. Its content is read by the other rules."""
    if "<" not in view.body:
        return None
    opened: re.Match[str] | None = None
    window: tuple[int, int, int] | None = None
    for tag in _TAG.finditer(view.body, view.start, view.end):
        if not tag[1]:
            opened = tag
        elif opened is not None:
            window, opened = (opened.end(), tag.start(), tag.end()), None
    if opened is not None and view.body[opened.end() : view.end].strip():
        window = (opened.end(), view.end, view.end)
    if window is None:
        return None
    return inner(view.narrowed(window[0], window[1]))
