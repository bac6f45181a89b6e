"""Pairs in which a report says nothing, and the check that there are pairs at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perimetry.cases.errors import UsageError
from perimetry.scoring.report_metric import Report

__all__ = ["check_reports", "checked_pairs", "silence", "silent_pair"]

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


def check_reports(hypotheses: Sequence[Report], references: Sequence[Report]) -> None:
    """Refuse what cannot be scored row by row, before any work.

    Raises
    ------
    UsageError
        For a single text, unequal lengths, or a row that is neither a text nor None.
    """
    for name, reports in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(reports, (str, bytes)):
            raise UsageError(f"The {name} are one text; expected a sequence of texts. Put it in a list.")
    if len(hypotheses) != len(references):
        raise UsageError(
            f"There are {len(hypotheses)} hypotheses and {len(references)} references; expected one reference for each "
            "hypothesis."
        )
    for name, reports in (("hypotheses", hypotheses), ("references", references)):
        for row, report in enumerate(reports):
            if report is not None and not isinstance(report, str):
                raise UsageError(
                    f"{name}[{row}] is of type {type(report).__name__} ({report!r:.40}); expected a text, or None "
                    "where there is no report."
                )


def checked_pairs(
    hypotheses: Sequence[Report], references: Sequence[Report]
) -> tuple[tuple[Report, ...], tuple[Report, ...]]:
    """Both sides as tuples, once `check_reports` has passed them."""
    check_reports(hypotheses, references)
    return tuple(hypotheses), tuple(references)
