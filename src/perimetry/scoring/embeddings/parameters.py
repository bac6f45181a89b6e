"""Parameters of a metric's spelling: checked by name, filled up with defaults, read one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from perimetry.cases.errors import UsageError

__all__ = ["read_count", "read_parameters", "read_word"]

Choice = TypeVar("Choice")


def read_parameters(metric: str, given: Mapping[str, str], known: Sequence[str]) -> dict[str, str]:
    """What was given, over the defaults.

    Parameters
    ----------
    known
        ``name=default``, as in `MetricKind.parameters`.

    Raises
    ------
    UsageError
        For a name that is not known.

    Examples
    --------
    >>> read_parameters("bertscore", {"layer": "5"}, ("idf=none", "layer=usual"))
    {'idf': 'none', 'layer': '5'}
    """
    defaults = {name: value for name, _, value in (entry.partition("=") for entry in known)}
    for name in given:
        if name not in defaults:
            raise UsageError(f"{metric} takes no parameter {name!r}. It takes: {', '.join(sorted(defaults))}.")
    return {**defaults, **given}


def read_count(metric: str, name: str, text: str, low: int) -> int:
    """A whole number from ``low`` on.

    Raises
    ------
    UsageError
        For anything else.
    """
    if not text.isascii() or not text.isdigit() or int(text) < low:
        raise UsageError(f"{metric}: {name} is {text!r}; expected a whole number from {low} on.")
    return int(text)


def read_word(metric: str, name: str, text: str, choices: Mapping[str, Choice]) -> Choice:
    """One of some words.

    Raises
    ------
    UsageError
        For any other.
    """
    if text not in choices:
        raise UsageError(f"{metric}: {name} is {text!r}; expected one of {', '.join(choices)}.")
    return choices[text]
