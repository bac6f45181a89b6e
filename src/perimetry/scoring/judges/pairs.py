"""Pairs of reports as a judge metric meets them: some are settled before anybody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from perimetry.scoring.judges.judgement import Missing
from perimetry.scoring.judges.pair_prompt import clean_report
from perimetry.scoring.report_metric import Report
from perimetry.scoring.silence import check_reports

__all__ = ["OneSided", "Pair", "Settled", "sort_pairs"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reports to be judged, as the judge is shown them."""

    candidate: str
    reference: str


@dataclass(frozen=True, slots=True)
class OneSided:
    """One report is empty and the other is not: the worst value, without a judge."""


Settled: TypeAlias = Pair | OneSided | Missing


def sort_pairs(hypotheses: Sequence[Report], references: Sequence[Report], words: int = 0) -> list[Settled]:
    """What each pair is; a report without a letter or digit counts as empty, and so does None.

    Parameters
    ----------
    hypotheses, references : sequence of str or None, (n,)
    words : int, default 0
        Words kept of each report; 0 keeps all.

    Raises
    ------
    UsageError
        As `check_reports`, before any work.

    Examples
    --------
    >>> sort_pairs(["clear", "..."], ["clear lungs", None])[1].reason
    'empty: the report is empty and the reference is None'
    """
    check_reports(hypotheses, references)
    return [_settle(*pair, words) for pair in zip(hypotheses, references, strict=True)]


def _settle(candidate: Report, reference: Report, words: int) -> Settled:
    shown = [clean_report(report, words) if report is not None else "" for report in (candidate, reference)]
    said = [any(map(str.isalnum, text)) for text in shown]
    if all(said):
        return Pair(*shown)
    if any(said):
        return OneSided()
    names = ["None" if report is None else "empty" for report in (candidate, reference)]
    return Missing("empty", f"the report is {names[0]} and the reference is {names[1]}")
