"""From the columns of somebody's table to the fields of the project, by a TOML file."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from perimetry.cases.errors import DataError
from perimetry.cases.values import text

__all__ = ["Mapping", "Rule"]

PLACE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")

LIKE = 0.8
"""From here on a text is spelt so much like a column that it is taken for it."""

Kind = Literal["auto", "column", "constant", "formula"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Where the value of one field comes from.

    Parameters
    ----------
    kind : {"auto", "column", "constant", "formula"}
        ``auto`` takes the column of that name where there is one, and is a constant otherwise.
    value : object
        Column name, constant, or formula with ``{column}`` in it.
    """

    kind: Kind
    value: Any


RuleTree: TypeAlias = "Rule | list[RuleTree] | dict[str, RuleTree]"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Rules that make fields from columns.

    A file has one line a field, ``field = rule``:

    - a text that holds ``{name}`` is a formula: every ``{name}`` is replaced by that column's value
      (``case_id = "{image}-{number}"``; ``{{`` and ``}}`` stand for braces themselves);
    - any other text that is the name of a column takes that column (``stem = "Question"``);
    - any other value is a constant (``condition = "full"``, ``repeat = 0``);
    - a list or a table applies these rules to each of its members
      (``options = ["Choice A", "Choice B"]``, ``options = {A = "opa", B = "opb"}``);
    - ``{column = "x"}``, ``{constant = "x"}`` and ``{formula = "x"}`` say which of the three is meant, for a constant
      that happens to be the name of a column.

    A formula with an empty column is empty. Nothing is evaluated.

    Examples
    --------
    >>> mapping = Mapping.of({"case_id": "{id}", "condition": "full", "answer": "gold"})
    >>> mapping.row({"id": 7, "gold": "yes"})
    {'case_id': '7', 'condition': 'full', 'answer': 'yes'}
    """

    rules: dict[str, RuleTree]
    source: str = "mapping"

    @classmethod
    def read(cls, path: str | Path) -> Mapping:
        """Read a TOML file.

        Raises
        ------
        DataError
            When it is not there, is not TOML, or holds no rules; names the line.
        """
        path = Path(path)
        try:
            given = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise DataError(f"The mapping file {path} cannot be read: {error.strerror or error}.") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(
                f'The mapping file {path} is not TOML: {error}. Write one `field = "column"` a line.'
            ) from error
        if not given:
            raise DataError(f'The mapping file {path} is empty; one `field = "column"` a line was expected.')
        return cls.of(given, str(path))

    @classmethod
    def of(cls, given: AbstractMapping[str, Any], source: str = "mapping") -> Mapping:
        """Rules from plain values, as they stand in the file."""
        return cls({field: _rule(value, f"{source}, field {field!r}") for field, value in given.items()}, source)

    def only(self, fields: Iterable[str]) -> Mapping:
        """The rules of these fields, without the others."""
        wanted = set(fields)
        return replace(self, rules={field: rule for field, rule in self.rules.items() if field in wanted})

    def refuse_unknown(self, fields: Iterable[str]) -> None:
        """Refuse a rule for a field that there is none of: most likely a misspelt one.

        Raises
        ------
        DataError
            Names the file and the field, with the nearest names.
        """
        known = sorted(set(fields))
        for field in self.rules:
            if field not in known:
                near = difflib.get_close_matches(field.strip().lower(), known, n=3, cutoff=0.6)
                hint = f"Did you mean {' or '.join(near)}?" if near else f"Fields: {', '.join(known)}."
                raise DataError(
                    f"{self.source}: there is no field {field!r}. {hint} For metadata of your own write it inside "
                    "hidden = { ... }; columns that no line names are kept as such anyway."
                )

    def bind(self, columns: Iterable[str], *, varying: Iterable[str] = (), members: Iterable[str] = ()) -> Mapping:
        """Decide, for a table with these columns, what is a column and what a constant.

        Without it `row` decides by the columns of each record, so that a JSONL record that lacks a column would get
        its name as the value.

        Parameters
        ----------
        columns : iterable of str
        varying : iterable of str
            Fields that cannot be the same for all rows: a constant there, or in a member of a list or table there, is
            taken for a misspelt column.
        members : iterable of str
            Fields that cannot be the same for all rows either, though their members can: a member that is spelt much
            like a column is taken for it.

        Raises
        ------
        DataError
            When a formula names no column, or a varying field is a constant; suggests the nearest columns.
        """
        known = tuple(columns)
        bound = {field: self._bound(rule, known, field) for field, rule in self.rules.items()}
        for field in varying:
            for place, name in _guessed(self.rules.get(field, []), field, known):
                raise self._no_column(place, name, known)
        for field in members:
            rule = self.rules.get(field, [])
            for place, name in _guessed(rule, field, known):
                if isinstance(rule, Rule) or _near(name, known, LIKE):
                    raise self._no_column(place, name, known)
        return replace(self, rules=bound)

    def row(self, record: AbstractMapping[str, Any]) -> dict[str, Any]:
        """The fields of one record."""
        return {field: _value(rule, record) for field, rule in self.rules.items()}

    @property
    def constants(self) -> dict[str, Any]:
        """Fields with the same value in every row; complete once `bind` has been called."""
        return {
            field: rule.value
            for field, rule in self.rules.items()
            if isinstance(rule, Rule) and rule.kind == "constant"
        }

    @property
    def used(self) -> frozenset[str]:
        """Columns that the rules name; complete once `bind` has been called."""
        return frozenset(name for rule in self.rules.values() for name in _columns(rule))

    def _bound(self, rule: RuleTree, known: tuple[str, ...], field: str) -> RuleTree:
        if isinstance(rule, list):
            return [self._bound(part, known, field) for part in rule]
        if isinstance(rule, dict):
            return {key: self._bound(part, known, f"{field}.{key}") for key, part in rule.items()}
        if rule.kind == "auto":
            return Rule("column" if rule.value in known else "constant", rule.value)
        for name in _columns(rule):
            if name not in known:
                raise self._no_column(field, name, known)
        return rule

    def _no_column(self, field: str, name: str, known: tuple[str, ...]) -> DataError:
        near = _near(name, known)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"Columns: {', '.join(known)}."
        return DataError(
            f"{self.source}, field {field!r}: {name!r} is no column of the table. {hint} "
            "For a constant write { constant = ... }."
        )


def _rule(value: Any, place: str) -> RuleTree:
    if isinstance(value, list):
        return [_rule(part, place) for part in value]
    if isinstance(value, dict):
        if len(value) == 1 and (kind := next(iter(value))) in ("column", "constant", "formula"):
            given = value[kind]
            if kind != "constant" and not isinstance(given, str):
                raise DataError(f"{place}: {kind} = {given!r}; a text was expected.")
            return Rule(kind, given)
        return {key: _rule(part, f"{place}.{key}") for key, part in value.items()}
    if not isinstance(value, str):
        return Rule("constant", value)
    return Rule("formula" if PLACE.search(value) else "auto", value)


def _near(name: str, known: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Columns that are spelt much like a name, in whatever case; the nearest first."""
    by_name = {each.lower(): each for each in reversed(list(known))}
    return [by_name[each] for each in difflib.get_close_matches(name.lower(), by_name, n=3, cutoff=cutoff)]


def _guessed(rule: RuleTree, place: str, known: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """Place and text of every rule that is a constant only because no column has its name."""
    if isinstance(rule, list):
        return [found for part in rule for found in _guessed(part, place, known)]
    if isinstance(rule, dict):
        return [found for key, part in rule.items() for found in _guessed(part, f"{place}.{key}", known)]
    return [(place, str(rule.value))] if rule.kind == "auto" and rule.value not in known else []


def _columns(rule: RuleTree) -> Iterable[str]:
    if isinstance(rule, list):
        return [name for part in rule for name in _columns(part)]
    if isinstance(rule, dict):
        return [name for part in rule.values() for name in _columns(part)]
    if rule.kind == "formula":
        return [match[1] for match in PLACE.finditer(rule.value) if match[1]]
    return [rule.value] if rule.kind == "column" else []


def _value(rule: RuleTree, record: AbstractMapping[str, Any]) -> Any:
    if isinstance(rule, list):
        return [_value(part, record) for part in rule]
    if isinstance(rule, dict):
        return {key: _value(part, record) for key, part in rule.items()}
    if rule.kind == "constant":
        return rule.value
    if rule.kind == "formula":
        return _filled(rule.value, record)
    return record.get(rule.value) if rule.kind == "column" else record.get(rule.value, rule.value)


def _filled(formula: str, record: AbstractMapping[str, Any]) -> str | None:
    empty = False

    def fill(match: re.Match[str]) -> str:
        nonlocal empty
        if match[1] is None:
            return match[0][0]
        value = text(record.get(match[1]))
        empty = empty or not value
        return value

    filled = PLACE.sub(fill, formula)
    return None if empty else filled
