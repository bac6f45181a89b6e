"""Which section says what."""

from __future__ import annotations

import re

from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.rules.spoken import needs_heading, spoken
from perimetry.editing.references.sentences import stopped

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
_AROUND = re.compile(
    r"comparison|technique|indication|(?:clinical )?history|exam|views?|procedure|reason", re.IGNORECASE
)
_NORMAL = re.compile(
    r"\b(?:no|none|not|without|normal\w*|unremarkable|clear|intact|negative|free|midline|within normal limits)\b",
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
    findings, impression = Layout.of(report.findings), Layout.of(report.impression)
    said, titles = findings.said, findings.titles
    groups = findings.groups
    moving = [group for group in groups if any(_TELLING.search(said[place]) for place in group)]
    if not moving:
        moving = [group for group in groups if _names_a_finding(said[group[0]]) and not _AROUND.match(titles[group[0]])]
    moving = moving if len(moving) < len(groups) else moving[1:]
    if moving:
        return ReportText(*_moved(findings, moving, impression))
    said = impression.said
    groups = impression.groups
    back = [group for group in groups if any(_TELLING.search(said[place]) for place in group)] or groups[1:]
    back = back if len(back) < len(groups) else back[1:]
    if not back:
        return Declined("infeasible", "nothing but normal statements and one conclusion")
    left, grown = _moved(impression, back, findings)
    return ReportText(grown, left)


def _names_a_finding(sentence: str) -> bool:
    return bool(
        not _NORMAL.search(sentence)
        and re.search("[a-z]{4}", sentence, re.IGNORECASE)
        and not _TECHNICAL.search(sentence)
    )


def _moved(source: Layout, moving: list[list[int]], target: Layout) -> tuple[str, str]:
    """Text of both sections, once groups have gone from one to the other."""
    # Said there already, in the same words: it need not be said twice.
    there = {each.lower() for each in target.said}
    style = Style.of(target.text)
    said, titles = source.said, source.titles
    added = []
    for group in moving:
        if there >= {said[place].lower() for place in group}:
            continue
        opening = source.statements[group[0]]
        first = spoken(titles[group[0]] if needs_heading(opening) else "", opening.body)
        added.append(style.cased(" ".join([first, *(stopped(source.statements[place].body) for place in group[1:])])))
    gone = [place for group in moving for place in group]
    return source.without(gone).text, target.with_added(added).text
