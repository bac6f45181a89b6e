"""Pairs in which a report says nothing, and the check that there are pairs at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perimetry.cases.errors import UsageError
from perimetry.scoring.report_metric import Report

__all__ = ["checked_pairs", "silence", "silent_pair"]

_WORD = re.compile(r"[^\W_]")


def silence(report: Report) -> str:
    """In which way a report says nothing; empty if it has a letter or a digit of any script.

    Examples
    --------
    >>> [silence(report) for report in (None, " ", "...", "2 cm")]
    ['is None', 'is empty', 'holds no word', '']
    """
    if report is None:
        return "is None"
    if not report.strip():
        return "is empty"
    return "" if _WORD.search(report) else "holds no word"


def silent_pair(hypothesis: Report, reference: Report) -> str:
    """Why a pair has no value, where both sides say nothing; else empty.

    Examples
    --------
    >>> silent_pair("", None)
    'the hypothesis is empty and the reference is None'
    """
    ours, theirs = silence(hypothesis), silence(reference)
    return f"the hypothesis {ours} and the reference {theirs}" if ours and theirs else ""


def checked_pairs(
    hypotheses: Sequence[Report], references: Sequence[Report]
) -> tuple[tuple[Report, ...], tuple[Report, ...]]:
    """Both sides as tuples.

    Raises
    ------
    UsageError
        When they differ in length, or are a text instead of many, or hold anything but texts and None.
    """
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise UsageError("Hypotheses and references are sequences of reports; found a single text. Put it in a list.")
    if len(hypotheses) != len(references):
        raise UsageError(f"There are {len(hypotheses)} hypotheses and {len(references)} references.")
    for name, side in (("hypothesis", hypotheses), ("reference", references)):
        for row, report in enumerate(side):
            if report is not None and not isinstance(report, str):
                raise UsageError(f"{name} {row} is of type {type(report).__name__}; expected a text or None.")
    return tuple(hypotheses), tuple(references)
