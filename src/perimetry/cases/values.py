"""Dirty values of records: numbers that are texts, stray spaces, lists written as text."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from perimetry.cases.errors import CaseError
from perimetry.cases.question import AnswerType, Option
from perimetry.cases.repeated_keys import parse_once

__all__ = [
    "BASE64_STARTS",
    "LETTERS",
    "SHORTEST_IMAGE",
    "closed_or_open",
    "hidden_fields",
    "label_of",
    "labels_of",
    "letters",
    "options_of",
    "parse_list",
    "text",
]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
YES_NO = frozenset({"yes", "no"})

BASE64_STARTS = ("data:image/", "/9j/", "iVBORw0KGgo", "R0lGOD", "SUkqA", "TU0AK", "UklGR")
"""How the base64 text of a JPEG, PNG, GIF, TIFF (both byte orders) or WebP begins."""
SHORTEST_IMAGE = 64
"""Characters below which a text that begins so is still taken for a text."""


def text(value: Any) -> str:
    """A value as text: None and NaN are empty, whole floats lose their ``.0``, runs of spaces at the ends go.

    Examples
    --------
    >>> text(12), text(" yes "), text(None), text(3.0)
    ('12', 'yes', '', '3')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value).strip()


def closed_or_open(answer: str) -> AnswerType:
    """``closed`` for yes and no in any case, else ``open``: for data sets that do not say.

    Examples
    --------
    >>> closed_or_open("Yes"), closed_or_open("left lung")
    ('closed', 'open')
    """
    return "closed" if answer.strip().rstrip(".").lower() in YES_NO else "open"


def parse_list(value: Any) -> list[Any]:
    """A list, or the list that a text spells in JSON or as a Python literal.

    Raises
    ------
    CaseError
        When the text spells no list. Nothing is ever evaluated.

    Examples
    --------
    >>> parse_list("['lung', 'heart']")
    ['lung', 'heart']
    """
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, str):
        raise CaseError(f"a list was expected, found {type(value).__name__}")
    for parse in (parse_once, ast.literal_eval):
        try:
            parsed = parse(value.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(parsed, (list, tuple)):
            return list(parsed)
    raise CaseError(f"a list was expected, found {value[:60]!r}")


def letters(count: int) -> tuple[str, ...]:
    """The first `count` option labels A, B, C, ..."""
    if count > len(LETTERS):
        raise CaseError(f"{count} options were found; at most {len(LETTERS)} were expected")
    return tuple(LETTERS[:count])


def options_of(value: Any) -> tuple[Option, ...]:
    """Options from what data sets write: a mapping label -> text, or a list of texts, pairs or records.

    A text spells a mapping or list in JSON, or a list as a Python literal, or has one option a line, or options between
    ``|``. A record has ``label`` or ``letter``, and ``text`` or ``content``. Empty texts of a mapping (columns that a
    shorter item leaves empty) are no options.

    Examples
    --------
    >>> [option.label for option in options_of(["lung", "heart"])]
    ['A', 'B']
    >>> options_of({"A": "lung", "B": None})
    (Option(label='A', text='lung', image=None),)
    >>> [option.text for option in options_of("lung | heart")]
    ['lung', 'heart']
    """
    if value is None or value == "":
        return ()
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = parse_once(value)
        except json.JSONDecodeError as error:
            raise CaseError(f"options: a JSON object was expected, found {value[:60]!r}") from error
    if isinstance(value, Mapping):
        return tuple(Option(text(label), text(body)) for label, body in value.items() if text(body))
    found = []
    parsed = _option_list(value)
    for label, item in zip(letters(len(parsed)), parsed, strict=True):
        if isinstance(item, Mapping):
            found.append(
                Option(text(item.get("label", item.get("letter", label))), text(item.get("text", item.get("content"))))
            )
        else:
            found.append(Option(label, text(item)))
    return tuple(found)


def _option_list(value: Any) -> list[Any]:
    """The list that a cell spells; plain text only where it can be read in one way."""
    if isinstance(value, str) and not value.lstrip().startswith(("[", "(")):
        separator = "\n" if "\n" in value.strip() else "|"
        parts = [part.strip() for part in value.strip().split(separator)]
        if len(parts) > 1 and all(parts):
            return parts
    try:
        return parse_list(value)
    except CaseError as error:
        raise CaseError(f'options: {error}. Write ["lung", "heart"], or lung | heart, or one option a line') from error


def label_of(answer: str, options: tuple[Option, ...]) -> str:
    """The label that an answer names: a label in any dress and case, or the text of exactly one option; else as it is.

    Examples
    --------
    >>> label_of("(b)", options_of(["lung", "heart"])), label_of("Heart", options_of(["lung", "heart"]))
    ('B', 'B')
    """
    labels = {option.label.lower(): option.label for option in options}
    bare = re.sub(r"^[(\[]?\s*(.+?)\s*[)\].:]?$", r"\1", answer.strip())
    if answer in labels.values():
        return answer
    if bare.lower() in labels:
        return labels[bare.lower()]
    same = _with_text(answer, options)
    return same[0] if len(same) == 1 else answer


def labels_of(answer: str, options: tuple[Option, ...]) -> tuple[str, ...]:
    """The labels that an answer names: as `label_of`, and every option with the text where several have it.

    Examples
    --------
    >>> labels_of("Lung", options_of(["lung", "heart", "lung"])), labels_of("b", options_of(["lung", "heart"]))
    (('A', 'C'), ('B',))
    """
    label = label_of(answer, options)
    if any(label == option.label for option in options):
        return (label,)
    return _with_text(answer, options) or (answer,)


def _with_text(answer: str, options: tuple[Option, ...]) -> tuple[str, ...]:
    wanted = answer.strip().casefold()
    return tuple(option.label for option in options if option.text and option.text.casefold() == wanted)


def hidden_fields(values: Mapping[str, Any], *shown: str) -> dict[str, str]:
    """Everything of a record that a model is not shown, as text; images and empty values are left out.

    Examples
    --------
    >>> hidden_fields({"id": 7, "answer": "yes", "scan": b"...", "topic": "chest"}, "answer")
    {'id': '7', 'topic': 'chest'}
    """
    return {
        name: text(value)
        for name, value in values.items()
        if name not in shown and not _is_image(value) and text(value)
    }


def _is_image(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) > SHORTEST_IMAGE and value.startswith(BASE64_STARTS)
    if isinstance(value, (list, tuple)):
        return any(_is_image(part) for part in value)
    return isinstance(value, (bytes, bytearray)) or (isinstance(value, Mapping) and "bytes" in value)
