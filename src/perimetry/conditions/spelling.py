"""The grammar of a condition: ``name``, ``name@value``, ``name(value, key=value)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perimetry.cases.errors import UsageError
from perimetry.conditions.parameters import Parameter, Value

__all__ = ["Spelling", "read_arguments", "read_spelling", "split_spellings"]

_FORM = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?:@(?P<at>[^()@,=\s]+))?(?:\((?P<arguments>[^()]*)\))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Spelling:
    """A condition as it was written, taken apart.

    Parameters
    ----------
    text : str
        The whole.
    name : str
    at : str or None
        What stands behind ``@``.
    arguments : tuple of (key or None, value)
        What stands in the parentheses, in order.
    """

    text: str
    name: str
    at: str | None
    arguments: tuple[tuple[str | None, str], ...]


def read_spelling(text: str) -> Spelling:
    """Take a condition apart; raises `UsageError` when it is not of the form.

    Examples
    --------
    >>> read_spelling("hardneg(rank=5)").arguments
    (('rank', '5'),)
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"Condition {text!r} cannot be read. Expected a name with its parameters in parentheses, "
            "for example shuffle, blank(0), hardneg(rank=5)."
        )
    arguments: list[tuple[str | None, str]] = []
    inside = found["arguments"] or ""
    for argument in inside.split(",") if inside.strip() else ():
        key, equals, value = argument.partition("=")
        if not (value if equals else key).strip():
            raise UsageError(f"Condition {text!r}: an argument is empty; expected a value or key=value between commas.")
        arguments.append((key.strip(), value.strip()) if equals else (None, key.strip()))
    return Spelling(text.strip(), found["name"], found["at"], tuple(arguments))


def read_arguments(spelling: Spelling, parameters: tuple[Parameter, ...]) -> dict[str, Value]:
    """Values of all parameters, checked; raises `UsageError` naming parameter, found and expected."""
    where = spelling.text
    known = {parameter.name: parameter for parameter in parameters}
    given: dict[str, Value] = {}
    if spelling.at is not None:
        behind = next((parameter for parameter in parameters if parameter.style == "at"), None)
        if behind is None:
            raise UsageError(
                f"Condition {where!r}: {spelling.name} takes no value behind '@', found {spelling.at!r}. "
                f"{_usage(spelling.name, parameters)}"
            )
        given[behind.name] = behind.parse(spelling.at, where)
    in_order = iter(parameter for parameter in parameters if parameter.style != "at")
    for key, text in spelling.arguments:
        if key is None:
            parameter = next(in_order, None)
            if parameter is None:
                raise UsageError(
                    f"Condition {where!r}: {text!r} is one value too many. {_usage(spelling.name, parameters)}"
                )
        elif key in known:
            parameter = known[key]
        else:
            raise UsageError(f"Condition {where!r}: there is no parameter {key!r}. {_usage(spelling.name, parameters)}")
        if parameter.name in given:
            raise UsageError(f"Condition {where!r}: parameter {parameter.name!r} is given twice.")
        given[parameter.name] = parameter.parse(text, where)
    for parameter in parameters:
        if parameter.name in given:
            continue
        if parameter.default is None:
            raise UsageError(
                f"Condition {where!r}: parameter {parameter.name!r} is missing; expected {parameter.expected}."
            )
        given[parameter.name] = parameter.default
    return given


def split_spellings(text: str) -> tuple[str, ...]:
    """Split a list of conditions at the commas that stand outside parentheses.

    Examples
    --------
    >>> split_spellings("real, hardneg(rank=5,match=label)")
    ('real', 'hardneg(rank=5,match=label)')
    """
    pieces = re.split(r",(?![^()]*\))", text)
    return tuple(piece.strip() for piece in pieces if piece.strip())


def _usage(name: str, parameters: tuple[Parameter, ...]) -> str:
    if not parameters:
        return f"{name} takes no parameters."
    return f"{name} takes {', '.join(parameter.usage for parameter in parameters)}."
