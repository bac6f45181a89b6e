"""Which section says what."""

from __future__ import annotations

import re

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.sentences import bare, is_listed, split_sentences

__all__ = ["other_sections"]

# What radiologists place differently: comparison, doubt about a cause, advice.
_COMPARES = (
    r"unchanged|stable|interval|prior|previous\w*|compar\w+|again|since|increased|decreased|resolved|persist\w+|new"
)
_DOUBTS = r"may|might|could|possibl[ey]|probabl[ey]|likely|suggest\w*|consistent|compatible|concerning|versus"
_ADVISES = r"recommend\w*|follow-?\s?up|advise\w*|consider|correlat\w+|repeat|further|ct"
_TELLING = re.compile(rf"\b(?:{_COMPARES}|{_DOUBTS}|{_ADVISES})\b", re.IGNORECASE)
_NORMAL = re.compile(
    r"\b(?:no|not|without|normal\w*|unremarkable|clear|intact|negative|free|midline|within normal limits)\b",
    re.IGNORECASE,
)


def other_sections(report: ReportText, _draw: Draw) -> Rewritten:
    """Move comparisons, interpretations and advice from one section to the other, or else an abnormal finding.

    A section that would be left empty keeps its first statement.

    Examples
    --------
    >>> other_sections(ReportText("Clear lungs. Cardiomegaly is unchanged.", "No acute disease."), lambda _, n: 0)
    ReportText(findings='Clear lungs.', impression='No acute disease. Cardiomegaly is unchanged.')
    """
    if len(report.sections) < 2:
        return Declined("infeasible", "it has one section")
    findings, impression = (split_sentences(text) for text in (report.findings, report.impression))
    moving = [sentence for sentence in findings if _TELLING.search(sentence)]
    if not moving:
        moving = [sentence for sentence in findings if not _NORMAL.search(sentence) and re.search("[a-z]{4}", sentence)]
    moving = moving if len(moving) < len(findings) else moving[1:]
    if moving:
        kept = [sentence for sentence in findings if sentence not in moving]
        # Said there already, in the same words: it need not be said twice.
        said = {bare(sentence).lower() for sentence in impression}
        added = [bare(sentence) for sentence in moving if bare(sentence).lower() not in said]
        return ReportText(_joined(kept), _joined(_listed_on(impression, added)))
    back = [sentence for sentence in impression if _TELLING.search(sentence)] or impression[1:]
    back = back if len(back) < len(impression) else back[1:]
    if not back:
        return Declined("infeasible", "nothing but normal statements and one conclusion")
    kept = [sentence for sentence in impression if sentence not in back]
    return ReportText(_joined([*findings, *map(bare, back)]), _joined(kept))


def _listed_on(sentences: list[str], added: list[str]) -> list[str]:
    """Go on with the numbers of a numbered list."""
    numbered = bool(sentences) and all(re.match(r"\d+\.", sentence) for sentence in sentences)
    if not numbered:
        return [*sentences, *added]
    return [*sentences, *(f"{len(sentences) + place}. {text}" for place, text in enumerate(added, start=1))]


def _joined(sentences: list[str]) -> str:
    closed = [sentence if sentence.endswith((".", "!", "?")) else f"{sentence}." for sentence in sentences]
    apart = "\n" if len(closed) > 1 and all(is_listed(sentence) for sentence in closed) else " "
    return apart.join(closed)
