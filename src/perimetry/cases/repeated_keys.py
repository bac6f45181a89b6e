"""JSON objects that name a key twice: which of its values was meant cannot be told, so none is taken."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from perimetry.cases.errors import CaseError

__all__ = ["Repeating", "fault_of", "parse_json", "parse_once"]


class Repeating(dict[str, Any]):
    """An object in which `key` stands more than once; it holds the last value of each."""

    key: str = ""


class _RepeatedError(Exception):
    """Some object names a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _RepeatedError
    return value


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeating, names = Repeating(value), [name for name, _ in pairs]
    repeating.key = next(name for name in names if names.count(name) > 1)
    return repeating


_ONCE = json.JSONDecoder(object_pairs_hook=_once)


def parse_json(data: str | bytes) -> tuple[Any, bool]:
    """What JSON holds, and whether any object in it is `Repeating`; raises what `json.loads` does.

    Examples
    --------
    >>> parse_json('{"a": 1, "b": {"a": 2}}')
    ({'a': 1, 'b': {'a': 2}}, False)
    >>> value, repeats = parse_json('[{"a": 1}, {"a": 1, "a": 2}]')
    >>> repeats, [fault_of(each) for each in value]
    (True, ['', "the key 'a' stands more than once in one object"])
    """
    try:
        # A decoder made once: making one for every line takes longer than reading the line.
        return (_ONCE.decode(data) if isinstance(data, str) else json.loads(data, object_pairs_hook=_once)), False
    except _RepeatedError:
        return json.loads(data, object_pairs_hook=_marked), True


def parse_once(data: str) -> Any:
    """As `json.loads`, but a `CaseError` where a key stands twice in an object.

    Examples
    --------
    >>> parse_once('{"Edema": 1}')
    {'Edema': 1}
    """
    value, found = parse_json(data)
    if found:
        raise CaseError(f"{fault_of(value)}; keep the one that is meant")
    return value


def fault_of(value: Any) -> str:
    """What to say of the first repeated key anywhere in a value that `parse_json` gave; empty where there is none."""
    if isinstance(value, Repeating):
        return f"the key {value.key[:60]!r} stands more than once in one object"
    inner: Sequence[Any] = ()
    if isinstance(value, Mapping):
        inner = tuple(value.values())
    elif isinstance(value, list):
        inner = value
    return next((fault for fault in map(fault_of, inner) if fault), "")
