"""The one JSON object in an answer, wherever it stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from perimetry.scoring.judges.answer import sounds_like_refusal
from perimetry.scoring.judges.judgement import Missing, UnreadableAnswerError

__all__ = ["listed", "read_object", "unreadable"]

_MARKS = re.compile(r'\\.|["{}]', re.DOTALL)
_TRAILING = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)


def read_object(text: str, keys: Iterable[str]) -> dict[str, Any]:
    """The object that has one or more of these keys: alone, in prose or in a code fence, trailing commas forgiven.

    Several such objects must be equal, and so must the values of a key that stands twice: which of two answers is
    meant is not guessed.

    Parameters
    ----------
    text : str
    keys : iterable of str

    Raises
    ------
    UnreadableAnswerError
        No such object, a broken or unfinished one, an empty one, or several that differ.

    Examples
    --------
    >>> read_object('Here it is: {"matched": ["effusion",],}', ["matched"])
    {'matched': ['effusion']}
    """
    wanted = tuple(keys)
    spans, rest = _object_spans(text)
    found: list[dict[str, Any]] = []
    empty = False
    broken = ""
    for span in spans:
        try:
            value = _loads(span)
        except UnreadableAnswerError:
            raise
        except (ValueError, RecursionError):
            if not broken and _mentions(span, wanted):
                broken = "the JSON is broken"
            continue
        empty = empty or not value
        if any(key in value for key in wanted) and value not in found:
            found.append(value)
    if _mentions(rest, wanted):
        broken = "the JSON ends before its last brace"
    if broken:
        raise UnreadableAnswerError(broken)
    if len(found) > 1:
        raise UnreadableAnswerError("several JSON objects that differ")
    if not found:
        raise UnreadableAnswerError("the JSON object is empty" if empty else f"no JSON object with {wanted[0]!r}")
    return found[0]


def listed(parent: dict[str, Any], key: str) -> list[Any]:
    """The list under a key; a lost section is never taken for an empty one."""
    if key not in parent:
        raise UnreadableAnswerError(f"no section {key!r}")
    value = parent[key]
    if not isinstance(value, list):
        raise UnreadableAnswerError(f"section {key!r} is no list")
    return value


def unreadable(text: str, error: UnreadableAnswerError) -> Missing:
    """What an answer without a judgement is: a refusal, one that was cut, or one that cannot be read."""
    if "{" not in text and sounds_like_refusal(text):
        return Missing("refused", "the judge declined in words")
    detail = str(error)
    return Missing("cut_off" if detail.startswith("the JSON ends") else "unreadable", detail)


def _loads(span: str) -> dict[str, Any]:
    try:
        return dict(json.loads(span, strict=False, object_pairs_hook=_once))
    except json.JSONDecodeError:
        tidied = _TRAILING.sub(lambda mark: mark.group(1) or "", span)
        return dict(json.loads(tidied, strict=False, object_pairs_hook=_once))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for key, value in pairs:
        if key in held and held[key] != value:
            raise UnreadableAnswerError(f"{key!r} stands twice and differs")
        held[key] = value
    return held


def _object_spans(text: str) -> tuple[list[str], str]:
    """Outermost brace pairs, and what follows an opening brace that is never closed."""
    spans: list[str] = []
    depth = start = 0
    within_string = False
    for mark in _MARKS.finditer(text):
        sign = mark.group()
        if sign == '"':
            within_string = depth > 0 and not within_string
        elif within_string or len(sign) > 1:
            continue
        elif sign == "{":
            if depth == 0:
                start = mark.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append(text[start : mark.end()])
    return spans, text[start:] if depth else ""


def _mentions(text: str, keys: tuple[str, ...]) -> bool:
    return any(f'"{key}"' in text for key in keys)
