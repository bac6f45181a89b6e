"""Parameters of conditions: how a value is read, checked and spelled."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from perimetry.cases.errors import UsageError

__all__ = ["Parameter", "Value", "integer", "number", "spell", "spell_value", "word"]

Value: TypeAlias = int | float | str
Style = Literal["keyword", "positional", "at"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kind of condition.

    Parameters
    ----------
    name : str
        Also the name of the condition's field.
    expected : str
        What a value must be, as an error message says it: ``"an integer from 1"``.
    read : callable of str giving Value
        Reads a value; raises ValueError when the text is not what was expected.
    default : Value or None, default None
        None: the parameter must be given, and is always spelled.
    style : {"keyword", "positional", "at"}
        Canonical spelling: ``shuffle(patch=16)``, ``blank(0)`` or ``oco@100``. The first two are read either way.
    """

    name: str
    expected: str
    read: Callable[[str], Value]
    default: Value | None = None
    style: Style = "keyword"

    def parse(self, text: str, where: str) -> Value:
        """Read a value; `where` is the condition as it was written, for the message."""
        try:
            return self.read(text.strip())
        except ValueError:
            raise UsageError(
                f"Condition {where!r}: parameter {self.name!r} is {text.strip()!r}; expected {self.expected}."
            ) from None

    @property
    def usage(self) -> str:
        """One phrase for help texts and messages."""
        default = "must be given" if self.default is None else f"default {spell_value(self.default)}"
        return f"{self.name} ({self.expected}; {default})"


def integer(
    name: str, low: int, high: int | None = None, *, default: int | None = None, style: Style = "keyword"
) -> Parameter:
    """A whole number in ``low..high`` (no upper end when `high` is None)."""

    def read(text: str) -> Value:
        value = int(text)
        if value < low or (high is not None and value > high):
            raise ValueError(text)
        return value

    expected = f"an integer from {low}" + ("" if high is None else f" to {high}")
    return Parameter(name, expected, read, default, style)


def number(name: str, low: float, high: float, *, default: float | None = None, style: Style = "keyword") -> Parameter:
    """A finite real number in ``low..high``."""

    def read(text: str) -> Value:
        value = float(text)
        if not math.isfinite(value) or not low <= value <= high:
            raise ValueError(text)
        return value

    return Parameter(name, f"a number from {low:g} to {high:g}", read, default, style)


def word(name: str, choices: tuple[str, ...], *, default: str | None = None) -> Parameter:
    """One word of a fixed list."""

    def read(text: str) -> Value:
        if text not in choices:
            raise ValueError(text)
        return text

    return Parameter(name, f"{', '.join(choices[:-1])} or {choices[-1]}", read, default)


def spell_value(value: Value) -> str:
    """Shortest stable spelling of a value.

    Examples
    --------
    >>> spell_value(0.50), spell_value(1.0), spell_value("mean")
    ('0.5', '1', 'mean')
    """
    return format(value, ".12g") if isinstance(value, float) else str(value)


def spell(name: str, parameters: tuple[Parameter, ...], values: Mapping[str, Value]) -> str:
    """Canonical spelling of a condition: parameters in their declared order, defaults left out.

    Examples
    --------
    >>> spell("hardneg", (integer("rank", 1, default=1),), {"rank": 5})
    'hardneg(rank=5)'
    """
    at = ""
    arguments = []
    for parameter in parameters:
        value = values[parameter.name]
        if parameter.default is not None and value == parameter.default:
            continue
        if parameter.style == "at":
            at = f"@{spell_value(value)}"
        elif parameter.style == "positional":
            arguments.append(spell_value(value))
        else:
            arguments.append(f"{parameter.name}={spell_value(value)}")
    return f"{name}{at}" + (f"({','.join(arguments)})" if arguments else "")
