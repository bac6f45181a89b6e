"""Options that several commands share as one parameter: a dataclass in the code, an option a field for the user."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

__all__ = ["spread"]


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer is to see it: in place of every parameter that is a dataclass, its fields.

    typer reads the signature of a function, and a signature may be set: nothing of typer is changed or replaced.

    Parameters
    ----------
    command : callable
        Fields of its dataclasses are annotated as options and have defaults.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     width: int = 1
    ...     height: int = 2
    >>> def show(name: str, size: Size) -> None:
    ...     print(name, size.width * size.height)
    >>> show.__annotations__ = {"name": str, "size": Size}
    >>> list(inspect.signature(spread(show)).parameters)
    ['name', 'width', 'height']
    >>> spread(show)(name="a", width=5, height=2)
    a 10
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type[Any]] = {}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not (isinstance(kind, type) and is_dataclass(kind)):
            options.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[name] = kind
        own = get_type_hints(kind, include_extras=True)
        options += [
            inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=own[field.name]
            )
            for field in fields(kind)
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    run.__dict__["__signature__"] = inspect.Signature(options)
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run
