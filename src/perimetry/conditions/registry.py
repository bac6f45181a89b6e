"""The registry of conditions and the reading of their spellings."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from perimetry.cases.errors import UsageError
from perimetry.cases.registry import Registry
from perimetry.conditions.condition import Condition
from perimetry.conditions.kind import ConditionKind
from perimetry.conditions.spelling import read_arguments, read_spelling, split_spellings

__all__ = ["DEFAULT_CONDITIONS", "condition_names", "conditions", "parse_condition", "parse_conditions"]

DEFAULT_CONDITIONS = ("real", "retest", "blank", "shuffle", "noimage", "hardneg", "mismatch")
"""The seven conditions of a counterfactual audit, by spelling."""


def _own() -> dict[str, ConditionKind]:
    """Entries of the package: every module of ``conditions.kinds`` offers its ``KINDS``."""
    from perimetry.conditions import kinds

    found: dict[str, ConditionKind] = {}
    for module in sorted(pkgutil.iter_modules(kinds.__path__), key=lambda module: module.name):
        offered: tuple[ConditionKind, ...] = importlib.import_module(f"{kinds.__name__}.{module.name}").KINDS
        for kind in offered:
            if kind.name in found:
                raise UsageError(f"Two conditions are called {kind.name!r}; rename one in {module.name}.py.")
            found[kind.name] = kind
    return found


@cache
def conditions() -> Registry[ConditionKind]:
    """The registry of conditions: the package's own, then those of entry-point group ``perimetry.conditions``.

    An outside package offers a `ConditionKind` (`Spelled.kind()` makes one from a class).
    """
    return Registry("condition", "perimetry.conditions", _own)


def condition_names() -> tuple[str, ...]:
    """Names of all conditions, sorted, for help texts.

    Examples
    --------
    >>> "shuffle" in condition_names()
    True
    """
    return conditions().names()


def parse_condition(text: str) -> Condition:
    """Read a condition from its spelling.

    Parameters
    ----------
    text : str
        ``name``, ``name@value`` or ``name(value, key=value)``; blanks between arguments do not matter.

    Returns
    -------
    Condition
        Its own ``spelling`` is the canonical one: defaults left out, parameters in their declared order.

    Raises
    ------
    UsageError
        Naming the parameter, what was found and what was expected; `UnknownNameError` suggests near names.

    Examples
    --------
    >>> parse_condition("hardneg( rank=5, match=auto )").spelling
    'hardneg(rank=5)'
    """
    spelling = read_spelling(text)
    kind = conditions().get(spelling.name)
    return kind.make(**read_arguments(spelling, kind.parameters))


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Read a list of conditions separated by commas; one that stands twice is kept once.

    Examples
    --------
    >>> [condition.spelling for condition in parse_conditions("real,hardneg(rank=5,match=label),real")]
    ['real', 'hardneg(rank=5,match=label)']
    """
    found: dict[str, Condition] = {}
    for piece in split_spellings(text):
        condition = parse_condition(piece)
        found.setdefault(condition.spelling, condition)
    if not found:
        raise UsageError(
            f"No condition in {text!r}; expected a list such as {','.join(DEFAULT_CONDITIONS)}. "
            f"Known: {', '.join(condition_names())}."
        )
    return tuple(found.values())
