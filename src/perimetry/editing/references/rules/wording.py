"""Other words for the same thing: terms, and expressions of doubt within their degree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten

__all__ = ["examples", "other_hedges", "other_terms"]

REACH = 60
"""Characters before and after an expression that are looked at."""


def other_terms(report: ReportText, draw: Draw) -> Rewritten:
    """Change every term that the lexicon has another one for.

    Examples
    --------
    >>> other_terms(ReportText("Mild cardiomegaly."), lambda _, n: 0)
    ReportText(findings='Mildly enlarged heart.', impression='')
    """
    changed = _both(report, lambda text: _swapped(text, _terms(), draw))
    return changed if changed != report else Declined("infeasible", "no term of the lexicon occurs")


def other_hedges(report: ReportText, draw: Draw) -> Rewritten:
    """Change every expression of doubt for another of its degree that fits in its place.

    Examples
    --------
    >>> other_hedges(ReportText("This may represent a scar."), lambda _, n: 0)
    ReportText(findings='This could represent a scar.', impression='')
    """
    changed = _both(report, lambda text: _swapped(text, _hedges(), draw))
    return changed if changed != report else Declined("infeasible", "no expression of doubt that has an equal one")


def examples(name: str) -> list[tuple[str, str, str]]:
    """What is changed, and the example of every entry of a lexicon (``terms`` or ``hedges``), for tests and pages."""
    held = _data(name)
    rows = held["terms"] if name == "terms" else held["slots"]
    return [(row.get("from") or row["forms"][0], row["example"][0], row["example"][1]) for row in rows]


def _both(report: ReportText, change: Callable[[str], str]) -> ReportText:
    """Both sections with their sentences changed; headings stay."""
    return ReportText(_in_bodies(report.findings, change), _in_bodies(report.impression, change))


def _in_bodies(text: str, change: Callable[[str], str]) -> str:
    layout = Layout.of(text)
    return replace(layout, statements=tuple(replace(each, body=change(each.body)) for each in layout.statements)).text


def _swapped(text: str, lexicon: Mapping[str, _Entry], draw: Draw) -> str:
    pattern = _pattern(tuple(lexicon))

    def change(found: re.Match[str]) -> str:
        said = found.group()
        entry = lexicon[said.lower()]
        choices = entry.fitting(text, found)
        if not choices:
            return said
        # The same words get the same choice everywhere, so that a report stays consistent with itself.
        new = choices[draw(said.lower(), len(choices))]
        return new[0].upper() + new[1:] if said[0].isupper() else new

    return pattern.sub(change, text)


class _Entry:
    """What may stand for one expression, and where."""

    def __init__(self, choices: Sequence[str], row: Mapping[str, Any]) -> None:
        self.choices = tuple(choices)
        self.after: tuple[str, ...] = tuple(row.get("after", ()))
        self.not_before: tuple[str, ...] = tuple(row.get("not_before", ()))
        self.last = bool(row.get("last"))

    def fitting(self, text: str, found: re.Match[str]) -> tuple[str, ...]:
        start = found.start()
        before = re.search(r"(\w+)\s*$", text[max(0, start - REACH) : start])
        after = text[found.end() : found.end() + REACH]
        following = re.match(r"\s*([\w.,;])\w*", after)
        word = re.match(r"\s*(\w+)", after)
        if self.after and (before is None or before.group(1).lower() not in self.after):
            return ()
        if self.not_before and word is not None and word.group(1).lower() in self.not_before:
            return ()
        if self.last and following is not None and following.group(1) not in ".,;":
            return ()
        return self.choices


@cache
def _terms() -> Mapping[str, _Entry]:
    held: dict[str, _Entry] = {}
    for row in _data("terms")["terms"]:
        held.setdefault(row["from"].lower(), _Entry(row["to"], row))
        if "agrees" in row:
            held[row["agrees"].lower()] = _Entry([row["instead"]], {})
    return held


@cache
def _hedges() -> Mapping[str, _Entry]:
    return {
        form: _Entry([other for other in row["forms"] if other != form], row)
        for row in _data("hedges")["slots"]
        for form in row["forms"]
    }


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])", re.IGNORECASE)


@cache
def _data(name: str) -> dict[str, Any]:
    text = (files("perimetry.editing.references.rules") / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
