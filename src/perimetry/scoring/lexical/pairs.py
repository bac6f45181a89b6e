"""Pairs of reports as tokens, and which of them need no metric to be settled."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.scoring.lexical.tokens import Splitter
from perimetry.scoring.report_metric import Report
from perimetry.scoring.silence import silence

__all__ = ["TokenPair", "token_pair"]


@dataclass(frozen=True, slots=True)
class TokenPair:
    """Tokens of a hypothesis and of its reference; one of the two may have none.

    Parameters
    ----------
    hypothesis, reference : list of str
    """

    hypothesis: list[str]
    reference: list[str]


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
    said = [] if hypothesis is None or silence(hypothesis) else split(hypothesis)
    meant = [] if reference is None or silence(reference) else split(reference)
    if said or meant:
        return TokenPair(said, meant)
    return f"the hypothesis {_lack(hypothesis)} and the reference {_lack(reference)}"


def _lack(report: Report) -> str:
    """In which way a report has no token."""
    return silence(report) or "has no letter or digit that the tokeniser knows"
