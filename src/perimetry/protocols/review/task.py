"""The question of a review and what may be answered: read from a TOML or JSON file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError, UnknownNameError
from perimetry.cases.plain_files import read_json

__all__ = ["SHIPPED", "Choice", "Shows", "Task", "read_task", "task_from"]

Shows = Literal["each", "alternative", "pair"]
"""``each``: original and alternative, one at a time; ``alternative``: that alone; ``pair``: both, side by side."""

SHIPPED = ("realism", "equivalence")
"""The two tasks of the paper."""

SHOWS = ("each", "alternative", "pair")
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
FIELDS = ("name", "title", "question", "shows", "ordered", "guide", "ratings")
CHOICE_FIELDS = ("value", "label", "meaning", "score")


@dataclass(frozen=True, slots=True)
class Choice:
    """One rating that may be given.

    Parameters
    ----------
    value : str
        As it stands in sheets and tables.
    label, meaning : str
        What raters read.
    score : float
        Its number in means and differences; higher is better.
    """

    value: str
    label: str
    meaning: str
    score: float


@dataclass(frozen=True, slots=True)
class Task:
    """One question put to raters.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and ``_``.
    title, question : str
    shows : {"each", "alternative", "pair"}
    ratings : tuple of Choice
        At least two, best first.
    ordered : bool
        Whether the ratings have an order: scores then count, and kappa is weighted, too.
    guide : tuple of str
        Advice to raters.

    Examples
    --------
    >>> task = read_task("equivalence")
    >>> task.shows, [choice.value for choice in task.ratings]
    ('pair', ['equivalent', 'minor', 'major'])
    """

    name: str
    title: str
    question: str
    shows: Shows
    ratings: tuple[Choice, ...]
    ordered: bool = False
    guide: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """Every value that may be given, best first."""
        return tuple(choice.value for choice in self.ratings)

    @property
    def scores(self) -> dict[str, float]:
        """Score of each value."""
        return {choice.value: choice.score for choice in self.ratings}

    def value_of(self, given: str) -> str | None:
        """The value that a cell names by value or label, in any case; None where it names none.

        Examples
        --------
        >>> read_task("realism").value_of(" minor issues"), read_task("realism").value_of("4")
        ('2', None)
        """
        wanted = given.strip().casefold()
        # Spreadsheets write whole numbers with a decimal.
        spellings = {wanted, wanted.removesuffix(".0")}
        for choice in self.ratings:
            if spellings & {choice.value.casefold(), choice.label.casefold()}:
                return choice.value
        return None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, in the form of a file."""
        return asdict(self) | {"ratings": [asdict(choice) for choice in self.ratings], "guide": list(self.guide)}


def read_task(spec: str) -> Task:
    """Read a task: one that is shipped, by its name, or a TOML or JSON file.

    Parameters
    ----------
    spec : str

    Raises
    ------
    UnknownNameError
        For a name that is neither shipped nor a file.
    DataError
        Names the file, the field, what was found and what was expected.

    Examples
    --------
    >>> read_task("realism").ratings[0].score
    3.0
    """
    if spec in SHIPPED:
        text = (files("perimetry.protocols.review") / "tasks" / f"{spec}.toml").read_text(encoding="utf-8")
        return task_from(tomllib.loads(text), spec)
    path = Path(spec)
    if path.suffix.lower() not in (".toml", ".json"):
        raise UnknownNameError("review task (or .toml or .json file)", spec, SHIPPED)
    if not path.is_file():
        raise DataError(f"There is no task file {path}. Shipped tasks are {', '.join(SHIPPED)}.")
    if path.suffix.lower() == ".json":
        return task_from(read_json(path), str(path))
    try:
        return task_from(tomllib.loads(path.read_text(encoding="utf-8-sig")), str(path))
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}). Save the file as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} cannot be read as TOML: {error}.") from error


def task_from(values: Any, place: str) -> Task:
    """Check what a task file holds.

    Parameters
    ----------
    values : object
        The parsed file.
    place : str
        Name of the file, for messages.

    Raises
    ------
    DataError
    """
    _fields(values, FIELDS, place)
    name = _text(values, "name", place)
    if not NAME.fullmatch(name):
        raise DataError(
            f"{place}, name: found {echo(name)!r}, expected lower-case letters, digits and '_', a letter first."
        )
    shows = values.get("shows", "pair")
    if shows not in SHOWS:
        raise DataError(f"{place}, shows: found {echo(shows)!r}, expected one of {', '.join(SHOWS)}.")
    ordered = values.get("ordered", False)
    if not isinstance(ordered, bool):
        raise DataError(f"{place}, ordered: found {echo(ordered)!r}, expected true or false.")
    guide = values.get("guide", [])
    if not isinstance(guide, list) or not all(isinstance(line, str) for line in guide):
        raise DataError(f"{place}, guide: found {echo(json.dumps(guide, default=str))}, expected a list of texts.")
    return Task(
        name=name,
        title=_text(values, "title", place),
        question=_text(values, "question", place),
        shows=cast("Shows", shows),
        ratings=_ratings(values.get("ratings"), place),
        ordered=ordered,
        guide=tuple(guide),
    )


def _ratings(values: Any, place: str) -> tuple[Choice, ...]:
    if not isinstance(values, list) or len(values) < 2:
        found = len(values) if isinstance(values, list) else type(values).__name__
        raise DataError(f"{place}, ratings: found {found}, expected a list of two or more, best first.")
    found_choices: list[Choice] = []
    spelled: dict[str, str] = {}
    for number, each in enumerate(values, start=1):
        where = f"{place}, rating {number}"
        _fields(each, CHOICE_FIELDS, where)
        value = _text(each, "value", where)
        label = _text(each, "label", where) if "label" in each else value
        for one in {value.casefold(), label.casefold()}:
            if one in spelled:
                raise DataError(f"{where}: {echo(one)!r} names {spelled[one]!r} already. Give each rating its own.")
            spelled[one] = value
        found_choices.append(Choice(value, label, str(each.get("meaning", "")), _score(each, value, where)))
    scores = [choice.score for choice in found_choices]
    if scores != sorted(scores, reverse=True) or len(set(scores)) < len(scores):
        raise DataError(f"{place}, ratings: scores {scores} do not fall. Put the best rating first.")
    return tuple(found_choices)


def _score(values: Mapping[str, Any], value: str, where: str) -> float:
    given = values.get("score", value)
    try:
        if isinstance(given, bool):
            raise ValueError
        score = float(given)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{where}, score: found {echo(given)!r}, expected a number (higher is better); it may be left out where "
            "the value itself is one."
        ) from error
    if score - score != 0:
        raise DataError(f"{where}, score: found {given!r}, expected a finite number.")
    return score


def _fields(values: Any, known: tuple[str, ...], place: str) -> None:
    if not isinstance(values, Mapping):
        raise DataError(f"{place}: found {type(values).__name__}, expected fields {', '.join(known)}.")
    unknown = [name for name in values if name not in known]
    if unknown:
        raise DataError(f"{place}: unknown fields {echo_list(unknown)}; expected {', '.join(known)}.")


def _text(values: Mapping[str, Any], field: str, place: str) -> str:
    value = values.get(field)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{place}, {field}: found {echo(value)!r}, expected a text.")
    return value.strip()
