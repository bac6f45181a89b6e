"""Names and values of a file as messages quote them: printable and short, whatever the file holds."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["echo", "echo_list"]

LONGEST_ECHO = 60
NAMES_ECHOED = 20


def echo(value: object, longest: int = LONGEST_ECHO) -> str:
    r"""A value with its unprintable characters spelled out, cut where it is long.

    Examples
    --------
    >>> print(echo("PK\x03\x04"), echo("a" * 100, 5))
    PK\x03\x04 aaaaa...
    """
    head = str(value)[: longest + 1]
    cut = head[:longest]
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in cut)
    return shown if head == cut else f"{shown}..."


def echo_list(values: Iterable[object]) -> str:
    """Values as `echo` gives them, joined by commas; the first twenty of many.

    Examples
    --------
    >>> echo_list(["id", "question"]), echo_list(range(100))[-12:]
    ('id, question', ' and 80 more')
    """
    names = [echo(value) for value in values]
    more = f" and {len(names) - NAMES_ECHOED} more" if len(names) > NAMES_ECHOED else ""
    return ", ".join(names[:NAMES_ECHOED]) + more
