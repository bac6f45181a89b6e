"""What the lenient rules add: each reads more into a text than the strict set dares."""

from __future__ import annotations

import re

from perimetry.scoring.answers.extraction import Hit, Reading, Stop
from perimetry.scoring.answers.normalise import normalise
from perimetry.scoring.answers.options import LONGEST, match_text
from perimetry.scoring.answers.statements import read_polar
from perimetry.scoring.answers.view import View, lines_of, trim

__all__ = ["contained_text", "label_in_last_sentence", "loose_polar", "text_fuzzy_80"]

_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot|incorrect|wrong|except|unlikely|rule[sd]? out)\b|n't\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[.!?](?=\s+\S)|\n")
_TOKEN = re.compile(r"(?<![\w'-])[A-Za-z0-9](?![\w'-])")
_POLES = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)


def _last_sentence(view: View) -> tuple[int, int]:
    lines = lines_of(view)
    if not lines:
        return view.start, view.start
    start, end = trim(view.body, *lines[-1])
    start = max(start, end - LONGEST)
    for found in _BREAK.finditer(view.body, start, end):
        start = found.end()
    return start, end


def label_in_last_sentence(view: View) -> Reading:
    """The only label in the last sentence, where that denies nothing; a bare A, a or I before a word is none."""
    if not view.space.labels:
        return None
    start, end = _last_sentence(view)
    if _NEGATION.search(view.body, start, end):
        return None
    hits: dict[str, Hit] = {}
    whole = trim(view.body, start, end, ".")
    for found in _TOKEN.finditer(view.body, start, end):
        known = view.space.label_of(found.group())
        if known is None or not (known[1] or found.span() == whole):
            continue
        if found.group() in "AIa" and re.match(r"\s+(?!or\b|and\b)[a-z]|'", view.body[found.end() : end]):
            continue
        hits[known[0]] = Hit(known[0], *found.span())
    if len(hits) > 1:
        return Stop("several")
    return next(iter(hits.values()), None)


def contained_text(view: View) -> Reading:
    """The only option whose text stands in the last sentence, where that denies nothing; nested texts do not count."""
    if not view.space.labels:
        return None
    start, end = _last_sentence(view)
    if _NEGATION.search(view.body, start, end):
        return None
    sentence = f" {normalise(view.body[start:end])} "
    inside = [(label, text) for label, text in view.space.own.items() if len(text) > 1 and f" {text} " in sentence]
    outer = [
        label for label, text in inside if not any(text != other and f" {text} " in f" {other} " for _, other in inside)
    ]
    if len(outer) > 1:
        return Stop("several")
    return Hit(outer[0], start, end) if outer else None


def text_fuzzy_80(view: View) -> Reading:
    """The text of an option by similarity above 80, still 10 clear of the next."""
    lines = lines_of(view)
    if not view.space.labels or not lines:
        return None
    start, end = trim(view.body, *lines[-1])
    match = match_text(view.body[start:end], view.space, threshold=80.0, prefix=True)
    return Hit(match.label, start, end) if match else None


def loose_polar(view: View) -> Reading:
    """A leading yes or no in any use ("No effusion is seen"), else the only one of the two words in the response."""
    if view.space.kind == "open" or (view.space.labels and view.space.polar is None):
        return None
    lines = lines_of(view)
    if not lines:
        return None
    leading = read_polar(view.body, *lines[0], view.space, loose=True)
    if leading is not None:
        return leading
    found = list(_POLES.finditer(view.body, view.start, view.end))
    if len({match.group().lower() for match in found}) != 1:
        return None
    return read_polar(view.body, *found[-1].span(), view.space, loose=True)
