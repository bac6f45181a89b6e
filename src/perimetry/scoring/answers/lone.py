"""Responses that are the answer: a lone label, an option's text, yes or no, a short text."""

from __future__ import annotations

import re

from perimetry.scoring.answers.extraction import Hit, Reading, Stop
from perimetry.scoring.answers.labels import Label, read_label
from perimetry.scoring.answers.normalise import normalise
from perimetry.scoring.answers.options import LONGEST, match_text, named_together
from perimetry.scoring.answers.phrases import PHRASE
from perimetry.scoring.answers.space import AnswerSpace
from perimetry.scoring.answers.statements import declined, read_polar, read_short
from perimetry.scoring.answers.view import View, lines_of, trim

__all__ = ["lone_label", "polar", "short", "text_exact", "text_fuzzy", "text_normalised"]

_COMMENT = re.compile(
    r"(?:is|are|was|were|can|cannot|can't|isn't|not|or|and|vs|versus|would|could|if|but)\b|\?", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"(?:there|it|this|that|these|the image|the [a-z]+ (?:is|are|shows?)|i|we|based on|yes|no)\b", re.IGNORECASE
)
_INTRODUCTION = re.compile(
    r"[\s*_]{0,4}(?:based on|from|in|on|according to|looking at)\s[^.,;:\n]{1,60},\s", re.IGNORECASE
)
SHORT_CLOSED = 7
"""Words of the longest answer to a closed question that is not yes or no; VQA-RAD's longest gold answer has 7."""


def _fills_line(found: Label, view: View) -> bool:
    """Whether nothing but the label, or the label and its own text, stands in the line."""
    if not found.rest.strip(".:)]( "):
        return True
    if not found.own_text:
        return False
    match = match_text(found.rest.strip(), view.space)
    return match is not None and match.label == found.label


def _runs(order: tuple[str, ...], found: list[tuple[str, int, int]]) -> list[list[tuple[str, int, int]]]:
    """Consecutive entries in option order: two and more are a walk through the options, not an answer."""
    rank = {label: index for index, label in enumerate(order)}
    runs: list[list[tuple[str, int, int]]] = []
    for entry in found:
        if runs and rank[runs[-1][-1][0]] < rank[entry[0]]:
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def lone_label(view: View) -> Reading:
    """A label in its usual dress that is the whole response, or stands alone (or with its own text) on a line.

    Lines that walk through several options in their order (an echoed option list) are no answer. Labels of
    the lines that are left must agree.
    """
    if not view.space.labels:
        return None
    lines = lines_of(view)
    if len(lines) == 1:
        start, end = lines[0]
        found = read_label(view.body, start, end, view.space)
        if found is None:
            return None
        if found.clash:
            return Stop(found.clash)
        if _fills_line(found, view) or found.own_text:
            first, last = trim(view.body, start, end)
            return Hit(found.label, first, last)
        if _COMMENT.match(found.rest.lstrip("-,;:.( ")):
            return None
        return Hit(found.label, trim(view.body, start, end)[0], found.end)
    alone: list[tuple[str, int, int]] = []
    for start, end in lines:
        found = read_label(view.body, start, end, view.space)
        if found is not None and not found.clash and _fills_line(found, view):
            alone.append((found.label, *trim(view.body, start, end)))
    left = [run[0] for run in _runs(view.space.labels, alone) if len(run) == 1]
    if not left:
        return None
    if any(entry[0] != left[0][0] for entry in left):
        return Stop("contradiction")
    return Hit(*left[-1])


def _joins_options(text: str, space: AnswerSpace) -> bool:
    return space.by_normalised.get(normalise(text[:LONGEST])) is None and named_together(text, space)


def _texts(view: View, how: str) -> Reading:
    if not view.space.labels:
        return None
    lines = lines_of(view)
    single = len(lines) == 1
    hits: list[Hit] = []
    for start, end in lines if single else (*lines[:1], *lines[-1:]):
        first, last = trim(view.body, start, end)
        text = view.body[first:last]
        if how == "exact":
            label = view.space.by_plain.get(text)
        elif single and how == "normalised" and _joins_options(text, view.space):
            return Stop("several")
        else:
            match = match_text(text, view.space, 90.0 if how == "fuzzy" else None, prefix=single)
            label = None if match is None else match.label
        if label is not None:
            hits.append(Hit(label, first, last))
    if any(hit.answer != hits[0].answer for hit in hits):
        return Stop("contradiction")
    return hits[-1] if hits else None


def text_exact(view: View) -> Reading:
    """The response, or its first or last line, is exactly one option's text."""
    return _texts(view, "exact")


def text_normalised(view: View) -> Reading:
    """The same after normalisation; a one-line response may go on after a clause end ("left lung, because ...")."""
    return _texts(view, "normalised")


def text_fuzzy(view: View) -> Reading:
    """The same by similarity: above 90 and 10 clear of the next option, numbers and sides equal."""
    return _texts(view, "fuzzy")


def polar(view: View) -> Reading:
    """Yes or no at the beginning, or alone on the last line; a response that has both must agree."""
    if view.space.kind == "open" or (view.space.labels and view.space.polar is None):
        return None
    lines = lines_of(view)
    if not lines:
        return None
    opening = _INTRODUCTION.match(view.body, *lines[0])
    first = read_polar(view.body, opening.end() if opening else lines[0][0], lines[0][1], view.space)
    if len(lines) == 1 or isinstance(first, Stop):
        return first
    start, end = trim(view.body, *lines[-1], ".,!")
    last = read_polar(view.body, start, end, view.space) if end - start < 6 else None
    if isinstance(first, Hit) and isinstance(last, Hit) and first.answer != last.answer:
        return Stop("contradiction")
    return last or first


def short(view: View) -> Reading:
    """A short response of one line is itself the answer of an open (or closed, not yes-or-no) question."""
    if view.space.labels:
        return None
    lines = lines_of(view)
    if len(lines) != 1:
        return None
    start, end = trim(view.body, *lines[0], ",;:")
    text = view.body[start:end]
    if PHRASE.search(view.body, start, end) or "oxed{" in text:
        return None  # a statement that its own rule could not read
    if view.space.kind == "closed" and (normalise(text).count(" ") >= SHORT_CLOSED or _SENTENCE.match(text)):
        return Stop("declined") if declined(text) else None
    return read_short(view.body, start, end, framed=False)
