"""Which section says what."""

from __future__ import annotations

import re

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.sentences import is_listed, split_sentences, together, unnumbered

__all__ = ["other_sections"]

# What radiologists place differently: comparison, doubt about a cause, advice.
_COMPARES = (
    r"unchanged|stable|interval|prior|previous\w*|compar\w+|again|since|increased|decreased|resolved|persist\w+|new"
)
_DOUBTS = r"may|might|could|possibl[ey]|probabl[ey]|likely|suggest\w*|consistent|compatible|concerning|versus"
_ADVISES = r"recommend\w*|follow-?\s?up|advise\w*|consider|correlat\w+|repeat|further|ct"
_TELLING = re.compile(
    # A denial is in doubt about nothing: "no opacity to suggest pneumonia".
    rf"\b(?:{_COMPARES}|{_ADVISES})\b|^(?!.*\b(?:no|not|without)\b).*\b(?:{_DOUBTS})\b",
    re.IGNORECASE | re.DOTALL,
)
_TECHNICAL = re.compile(r"\b(?:images?|views?|radiographs?|exam\w*|film|rotat\w+|limited)\b", re.IGNORECASE)
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
    findings, impression = (together(split_sentences(text)) for text in (report.findings, report.impression))
    moving = [group for group in findings if any(map(_TELLING.search, group))]
    if not moving:
        moving = [group for group in findings if not _NORMAL.search(group[0]) and re.search("[a-z]{4}", group[0])]
        moving = [group for group in moving if not _TECHNICAL.search(group[0])]
    moving = moving if len(moving) < len(findings) else moving[1:]
    if moving:
        kept = [sentence for group in findings if group not in moving for sentence in group]
        # Said there already, in the same words: it need not be said twice.
        said = {unnumbered(sentence).lower() for group in impression for sentence in group}
        added = [
            unnumbered(sentence)
            for group in moving
            if not said >= {unnumbered(sentence).lower() for sentence in group}
            for sentence in group
        ]
        return ReportText(_joined(kept), _joined(_listed_on([each for group in impression for each in group], added)))
    back = [group for group in impression if any(map(_TELLING.search, group))] or impression[1:]
    back = back if len(back) < len(impression) else back[1:]
    if not back:
        return Declined("infeasible", "nothing but normal statements and one conclusion")
    kept = [sentence for group in impression if group not in back for sentence in group]
    moved = [unnumbered(sentence) for group in back for sentence in group]
    return ReportText(_joined([*(each for group in findings for each in group), *moved]), _joined(kept))


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
