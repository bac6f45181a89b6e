"""Ids that do not meet: which column of a file would hold the ones that were looked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.values import text

__all__ = ["IdAdvice", "columns_with", "id_advice", "sample", "spelling_advice"]

_LOOKED_AT = 5_000
"""Rows that are read for a message."""


def columns_with(rows: Iterable[Mapping[str, Any]], ids: Collection[str]) -> list[str]:
    """Columns that hold some of these ids, the one that holds most of them first.

    Examples
    --------
    >>> columns_with([{"row": 1, "study": "a"}, {"row": 2, "study": "b"}], {"a", "b", "2"})
    ['study', 'row']
    """
    held = frozenset(ids)
    found: dict[str, int] = {}
    for number, row in enumerate(rows):
        if number == _LOOKED_AT:
            break
        for column, value in row.items():
            if isinstance(value, str | int | float) and text(value) in held:
                found[column] = found.get(column, 0) + 1
    return sorted(found, key=lambda column: -found[column])


@dataclass(frozen=True, slots=True)
class IdAdvice:
    """What to say of ids that do not meet.

    Parameters
    ----------
    origin : str
        Where the ids were read from.
    remedy : str
        What to do.
    sure : bool
        Whether the remedy names a column that holds the ids that were looked for.
    """

    origin: str = ""
    remedy: str = ""
    sure: bool = False

    @property
    def whole(self) -> str:
        """Both sentences."""
        return f"{self.origin} {self.remedy}".strip()


def id_advice(
    origin: str, rows: Iterable[Mapping[str, Any]], columns: Collection[str], ids: Collection[str]
) -> IdAdvice:
    """What to do where the ids of a file were not found: the column that has them, or the columns that there are.

    Parameters
    ----------
    origin : str
        Where they were read from, as a sentence.
    rows : iterable of mapping
    columns : collection of str
        Columns that may hold them.
    ids : collection of str
        Those that were looked for.

    Examples
    --------
    >>> id_advice("", [{"row": 1, "study": "a"}], ["row", "study"], {"a"}).remedy
    'The column study holds such ids: give --id study.'
    """
    likely = [column for column in columns_with(rows, ids) if column in columns]
    if likely:
        column = echo(likely[0])
        return IdAdvice(origin, f"The column {column} holds such ids: give --id {column}.", sure=True)
    named = echo_list(columns)
    return IdAdvice(
        origin, f"Name the column that holds such ids with --id COLUMN. No column of the file has one: {named}."
    )


def spelling_advice(ours: Iterable[str], theirs: Iterable[str]) -> str:
    """Which ids differ in their spelling alone: leading zeros, a decimal part of a whole number, case, blanks.

    Examples
    --------
    >>> spelling_advice(["0007", "0008"], ["7", "9"])
    "They differ in their spelling: '0007' and '7'. Spell them alike in both files."
    >>> spelling_advice(["7"], ["8"])
    ''
    """
    known = {_plain(each): each for each in theirs}
    for each in ours:
        other = known.get(_plain(each))
        if other is not None:
            return f"They differ in their spelling: {echo(each)!r} and {echo(other)!r}. Spell them alike in both files."
    return ""


def _plain(identity: str) -> str:
    return re.sub(r"^0+(?=.)", "", re.sub(r"\.0+$", "", identity.strip().casefold()))


def sample(ids: Iterable[str], count: int = 3) -> str:
    """The first few ids, as messages quote them."""
    return echo_list([each for _, each in zip(range(count), ids, strict=False)])
