"""Readers by name: ``grounded``, ``mixed(0.3)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.models.model import BatchModel

__all__ = ["READER_NAMES", "build_reader"]

READER_NAMES = MappingProxyType(
    {
        "grounded": "states what the readable anatomy shows",
        "naive": "as grounded, and takes noise for anatomy",
        "blind": "goes by the question's words",
        "contextual": "states a finding when it sees its usual companion",
        "random": "draws from the options",
        "constant": "takes the first option",
        "mixed(a)": "grounded on a share a of the items, blind on the others",
        "longest": "takes the longest option",
    }
)
"""Every reader and its habit in one line."""

_SPELLING = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*")


def build_reader(spec_tail: str, seed: int) -> BatchModel:
    """The reader of that name.

    Parameters
    ----------
    spec_tail : str
        What follows ``reader:``.
    seed : int
        Of whatever the reader draws at random.

    Raises
    ------
    UnknownNameError
        If no reader has that name.
    UsageError
        If the share of ``mixed`` is absent or no number in [0, 1], or another reader is given a parameter.

    Examples
    --------
    >>> build_reader("mixed(0.30)", seed=1).name
    'reader:mixed(0.3)'
    """
    from perimetry.models.readers.seeing import Contextual, Grounded, Mixed
    from perimetry.models.readers.unseeing import Blind, Constant, Longest, Random

    match = _SPELLING.fullmatch(spec_tail)
    name, parameter = match.groups() if match else (spec_tail, None)
    if name == "mixed":
        share = _share(parameter)
        return Mixed(f"mixed({share:g})", seed, share)
    if name not in READER_NAMES:
        raise UnknownNameError("reader", spec_tail, READER_NAMES)
    if parameter is not None:
        raise UsageError(f"Reader {name!r}: found the parameter {parameter!r}, expected none.")
    if name == "naive":
        return Grounded(name, seed, readability=False)
    kinds: dict[str, Callable[[str, int], BatchModel]] = {
        "grounded": Grounded,
        "contextual": Contextual,
        "blind": Blind,
        "random": Random,
        "constant": Constant,
        "longest": Longest,
    }
    return kinds[name](name, seed)


def _share(text: str | None) -> float:
    try:
        share = float(text or "")
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise UsageError(
            f"Reader 'mixed': found the share {text!r}, expected a number from 0 to 1, for example mixed(0.3)."
        )
    return share
