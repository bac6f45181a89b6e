"""Parameters of lexical metrics, read from a metric's spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perimetry.cases.errors import UsageError

__all__ = ["check_known", "one_of", "read_flag", "read_number"]

_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def check_known(metric: str, given: Mapping[str, str], known: Sequence[str]) -> None:
    """Refuse a parameter that the metric does not take; `known` lists ``name=default``."""
    names = [entry.partition("=")[0] for entry in known]
    for name in given:
        if name not in names:
            raise UsageError(f"{metric} takes no parameter {name!r}. It takes: {', '.join(known)}.")


def one_of(metric: str, name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a value that is none of those allowed."""
    if value not in allowed:
        raise UsageError(f"{metric}: {name} is {value!r}; expected one of {', '.join(allowed)}.")


def read_flag(metric: str, name: str, text: str) -> bool:
    """Read true or false.

    Examples
    --------
    >>> read_flag("rouge_l", "stem", "true")
    True
    """
    try:
        return _FLAGS[text.strip().lower()]
    except KeyError:
        raise UsageError(f"{metric}: {name} is {text!r}; expected true or false.") from None


def read_number(metric: str, name: str, text: str) -> float:
    """Read a number; its range is the metric's to check."""
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{metric}: {name} is {text!r}; expected a number.") from None
