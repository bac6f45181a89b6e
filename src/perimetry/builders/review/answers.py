"""What a radiologist filled in."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.builders.review.folder import ANSWER_COLUMNS, MAPPING_COLUMNS
from perimetry.builders.review.page import NONE_OF_THESE
from perimetry.cases.chexpert import CHEXPERT_ORDER
from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text

__all__ = ["Answer", "MappingAnswer", "read_answers"]

CHOICES = {name.casefold(): name for name in (*CHEXPERT_ORDER, NONE_OF_THESE)}
YES_NO = {"yes": True, "y": True, "no": False, "n": False}


@dataclass(frozen=True, slots=True)
class Answer:
    """Her label of one case.

    Parameters
    ----------
    case, label, comment : str
        The label is a CheXpert class or "None of these".
    """

    case: str
    label: str
    comment: str


@dataclass(frozen=True, slots=True)
class MappingAnswer:
    """Her word on one line of the mapping table.

    Parameters
    ----------
    finding : str
    agrees : bool
    proposed, comment : str
        The class that she would give instead, and why.
    """

    finding: str
    agrees: bool
    proposed: str
    comment: str


def read_answers(
    path: Path, cases: Collection[str], findings: Collection[str]
) -> tuple[tuple[Answer, ...], tuple[MappingAnswer, ...]]:
    """Read a sheet of cases or of the mapping table; which of the two is told by its columns.

    Parameters
    ----------
    path : Path
    cases, findings : collections of str
        Those that were handed over.

    Returns
    -------
    tuple of Answer, tuple of MappingAnswer
        One of them is empty. Lines that were left open are in neither.

    Raises
    ------
    DataError
        Names the line: an unknown case, label or finding, or one that stands twice; or nothing filled in.
    """
    present = columns(path)
    if set(ANSWER_COLUMNS[:2]) <= set(present):
        answers = _cases(path, cases)
        if not answers:
            raise DataError(f"{path}: no label is filled in. Choose one in the column label, then read it again.")
        return answers, ()
    if {"finding", "agree"} <= set(present):
        mapping = _mapping(path, findings)
        if not mapping:
            raise DataError(f"{path}: nothing is filled in. Write yes or no in the column agree, then read it again.")
        return (), mapping
    raise DataError(
        f"{path} has the columns {', '.join(present)}; {', '.join(ANSWER_COLUMNS)} (cases.csv) or "
        f"{', '.join(MAPPING_COLUMNS)} (mapping.csv) were expected."
    )


def _cases(path: Path, cases: Collection[str]) -> tuple[Answer, ...]:
    found: dict[str, Answer] = {}
    for line, row in enumerate(read_rows(path), start=2):
        case, label = text(row["case"]), text(row["label"])
        _known(path, line, "case", case, cases)
        if case in found:
            raise DataError(f"{path}, line {line}: {case} is labelled twice. Keep one line.")
        if label:
            found[case] = Answer(case, _class(path, line, "label", label), _comment(row))
    return tuple(found.values())


def _mapping(path: Path, findings: Collection[str]) -> tuple[MappingAnswer, ...]:
    found: dict[str, MappingAnswer] = {}
    for line, row in enumerate(read_rows(path), start=2):
        finding, agree = text(row["finding"]), text(row["agree"])
        _known(path, line, "finding", finding, findings)
        if finding in found:
            raise DataError(f"{path}, line {line}: {finding} is answered twice. Keep one line.")
        if not agree:
            continue
        if agree.lower() not in YES_NO:
            raise DataError(f"{path}, line {line}: agree is {agree!r}; yes or no was expected.")
        proposed = text(row.get("proposed"))
        wanted = [_class(path, line, "proposed", part.strip()) for part in proposed.split("|") if part.strip()]
        found[finding] = MappingAnswer(finding, YES_NO[agree.lower()], "|".join(wanted), _comment(row))
    return tuple(found.values())


def _known(path: Path, line: int, kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise DataError(f"{path}, line {line}: there is no {kind} {name!r} in this review.{_near(name, known)}")


def _class(path: Path, line: int, column: str, value: str) -> str:
    if value.casefold() not in CHOICES:
        raise DataError(
            f"{path}, line {line}: {column} is {value!r}, which is neither a CheXpert class nor {NONE_OF_THESE!r}."
            f"{_near(value, CHOICES.values())}"
        )
    return CHOICES[value.casefold()]


def _near(name: str, known: Collection[str]) -> str:
    lower = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold(), lower, n=2, cutoff=0.5)
    return f" Did you mean {' or '.join(lower[each] for each in near)}?" if near else ""


def _comment(row: Mapping[str, Any]) -> str:
    return text(row.get("comment"))
