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
from perimetry.editing.references.rules.guards import Entry
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten

__all__ = ["examples", "other_hedges", "other_terms"]

SHORT = 4
"""Letters up to which capitals are an abbreviation's."""

_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
# Said with a vowel first: letters of abbreviations by their names.
_AN = re.compile(r"(?:[aeio]|u(?!ni[^nm])|(?:NG|ET|SVC)\b)", re.IGNORECASE)


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


def _swapped(text: str, lexicon: Mapping[str, Sequence[Entry]], draw: Draw) -> str:
    pattern = _pattern(tuple(lexicon))
    made: list[str] = []
    done = 0
    for found in pattern.finditer(text):
        said = found.group()
        choices: Sequence[str] = ()
        for entry in lexicon[said.lower()]:
            choices = entry.fitting(text, found)
            if choices:
                break
        if not choices:
            continue
        # The same words get the same choice everywhere, so that a report stays consistent with itself.
        new = choices[draw(said.lower(), len(choices))]
        made += [_agreeing(text[done : found.start()], new), _in_case(said, new)]
        done = found.end()
    return "".join([*made, text[done:]])


def _in_case(said: str, new: str) -> str:
    """The new words in the case of the old ones."""
    if len(said) > SHORT and said.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if said[0].isupper() else new


def _agreeing(before: str, new: str) -> str:
    """The text before new words, with "a" or "an" as they ask for."""
    article = _ARTICLE.search(before)
    if not article:
        return before
    said = article.group(1)
    wanted = "an" if _AN.match(new) else "a"
    if said.lower() == wanted:
        return before
    wanted = wanted.upper() if said.isupper() and len(said) > 1 else wanted
    return before[: article.start(1)] + (said[0] + wanted[1:]) + before[article.end(1) :]


@cache
def _terms() -> Mapping[str, Sequence[Entry]]:
    held: dict[str, list[Entry]] = {}
    for row in _data("terms")["terms"]:
        held.setdefault(row["from"].lower(), []).append(Entry(row["to"], row))
        if "agrees" in row:
            guards = {name: row[name] for name in ("opens", "not_after") if name in row}
            held.setdefault(row["agrees"].lower(), []).append(Entry([row["instead"]], guards))
    return held


@cache
def _hedges() -> Mapping[str, Sequence[Entry]]:
    held: dict[str, list[Entry]] = {}
    for row in _data("hedges")["slots"]:
        for form in row["forms"]:
            held.setdefault(form, []).append(Entry([other for other in row["forms"] if other != form], row))
    return held


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(map(re.escape, ordered))})(?![\w/-])", re.IGNORECASE)


@cache
def _data(name: str) -> dict[str, Any]:
    text = (files("perimetry.editing.references.rules") / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
