"""Parameters of judge metrics, read from a metric's spelling."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from perimetry.cases.errors import DataError, UsageError
from perimetry.models.request import Decoding
from perimetry.scoring.parameters import read_number

__all__ = ["path_of", "prompt_path", "read_decoding", "read_whole"]


def read_whole(metric: str, given: Mapping[str, str], name: str, default: int) -> int:
    """A whole number from 0, or the default.

    Examples
    --------
    >>> read_whole("green_judge", {"words": "300"}, "words", 0)
    300
    """
    text = given.get(name)
    if text is None:
        return default
    if not text.strip().isdecimal():
        raise UsageError(f"{metric}: {name} is {text!r}; expected a whole number from 0.")
    return int(text)


def read_decoding(metric: str, given: Mapping[str, str], max_new_tokens: int) -> Decoding:
    """Greedy unless ``temperature`` says otherwise, with at most ``max_new_tokens`` tokens.

    Examples
    --------
    >>> read_decoding("green", {}, 2048).spelling
    'max_new_tokens=2048,temperature=0,top_p=1'
    """
    tokens = read_whole(metric, given, "max_new_tokens", max_new_tokens)
    if tokens < 1:
        raise UsageError(f"{metric}: max_new_tokens is {tokens}; expected at least 1.")
    temperature = read_number(metric, "temperature", given.get("temperature", "0"))
    if not 0.0 <= temperature <= 2.0:
        raise UsageError(f"{metric}: temperature is {temperature:g}; expected a number from 0 to 2.")
    return Decoding(tokens, temperature)


def path_of(given: Mapping[str, str], name: str) -> Path | None:
    """The file that a parameter names, or None."""
    return Path(given[name]).expanduser() if given.get(name) else None


def prompt_path(metric: str, path: Path | None) -> Path:
    """The file of an official prompt; raises `DataError` that says what to do when none was named."""
    if path is None:
        raise DataError(
            f"{metric} needs its official prompt, which this project does not ship: save it as text with {{reference}} "
            f"and {{candidate}} where the reports stand, and write {metric}(prompt=FILE). {metric}_judge needs no file."
        )
    return path
