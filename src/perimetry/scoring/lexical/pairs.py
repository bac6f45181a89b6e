"""Pairs of reports as tokens, and which of them need no metric to be settled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical.tokens import Splitter
from perimetry.scoring.report_metric import Report

__all__ = ["TokenPair", "check_reports", "token_pair"]

_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class TokenPair:
    """Tokens of a hypothesis and of its reference; one of the two may have none.

    Parameters
    ----------
    hypothesis, reference : list of str
    """

    hypothesis: list[str]
    reference: list[str]


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


def token_pair(hypothesis: Report, reference: Report, split: Splitter) -> TokenPair | str:
    """Cut both sides into tokens, or say why the pair has no value.

    A report without a word (None, empty, only punctuation) has no tokens, whatever the tokeniser makes of it, so that a
    lone full stop earns nothing. The pair has no value where neither side has a token.

    Returns
    -------
    TokenPair or str
        The reason, where there is no value.

    Examples
    --------
    >>> token_pair("Lungs clear", ".", str.split)
    TokenPair(hypothesis=['Lungs', 'clear'], reference=[])
    >>> token_pair(None, "", str.split)
    'the hypothesis is None and the reference is empty'
    """
    said = split(hypothesis) if hypothesis and _WORD.search(hypothesis) else []
    meant = split(reference) if reference and _WORD.search(reference) else []
    if said or meant:
        return TokenPair(said, meant)
    return f"the hypothesis {_lack(hypothesis)} and the reference {_lack(reference)}"


def _lack(report: Report) -> str:
    """In which way a report has no token."""
    if report is None:
        return "is None"
    if not report.strip():
        return "is empty"
    return "has no letter or digit that the tokeniser knows" if _WORD.search(report) else "holds no word"
