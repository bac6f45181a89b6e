"""Which section says what."""

from __future__ import annotations

import re

from perimetry.editing.references.accounting.facts import Fact, facts_of
from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.headings import opens_with_views
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
# Behind it nothing further can be found: "Emphysema, otherwise normal chest."
_ALL_ELSE = re.compile(
    r"\botherwise\b|\b(?:normal|negative|unremarkable)\s+(?:chest|exam\w*|study|film|radiographs?|cxr|x-)"
    r"|\b(?:chest|exam\w*|study|film|radiographs?|cxr|x-\w+)\s+(?:is|are)\s+(?:normal|negative|unremarkable)",
    re.IGNORECASE,
)
_ADVISING = re.compile(rf"\b(?:{_ADVISES})\b", re.IGNORECASE)
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

    What the other section tells in full is told there only; what it tells in part would be told twice, and stays. So
    does what begins with how the images were made, and what would be found behind "otherwise normal". A section that
    would be left empty keeps its first statement.

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
    telling = [group for group in groups if any(_TELLING.search(said[place]) for place in group)]
    abnormal = [group for group in groups if _names_a_finding(said[group[0]]) and not _AROUND.match(titles[group[0]])]
    there = _told(impression)
    closed = _ALL_ELSE.search(impression.text) is not None
    for wanted in (telling, abnormal):
        moving = [
            group
            for group in wanted
            if not opens_with_views(said[group[0]])
            and not _partly(findings, group, there)
            and not (closed and _adds(findings, group, there))
        ]
        moving = moving if len(moving) < len(groups) else moving[1:]
        if moving:
            return ReportText(*_moved(findings, moving, impression, there))
    said = impression.said
    groups = impression.groups
    there = _told(findings)
    back = [group for group in groups if any(_TELLING.search(said[place]) for place in group)] or groups[1:]
    fresh = [group for group in back if not _named(impression, group) & _names_of(there)]
    fresh = fresh if len(fresh) < len(groups) else fresh[1:]
    if fresh:
        left, grown = _moved(impression, fresh, findings, there)
        return ReportText(grown, left)
    if telling or abnormal or back:
        return Declined("infeasible", "the other section tells of it already, or calls all else normal")
    return Declined("infeasible", "nothing but normal statements and one conclusion")


def _adds(source: Layout, group: list[int], there: frozenset[Fact]) -> bool:
    """Whether a group says that something is there of which the other section does not tell."""
    return any(not fact.denied and not fact.benign for fact in _facts(source, group)) and not _wholly(
        source, group, there
    )


def _told(layout: Layout) -> frozenset[Fact]:
    return frozenset(facts_of(layout.text))


def _facts(source: Layout, group: list[int]) -> frozenset[Fact]:
    """What a group of statements states, under its heading."""
    title = source.titles[group[0]]
    text = " ".join(stopped(source.statements[place].said) for place in group)
    return frozenset(facts_of(f"{title}: {text}" if title else text))


def _partly(source: Layout, group: list[int], there: frozenset[Fact]) -> bool:
    """Whether the other section tells of something that a group names, but not all that it says of it."""
    return bool(_named(source, group) & _names_of(there)) and not _wholly(source, group, there)


def _wholly(source: Layout, group: list[int], there: frozenset[Fact]) -> bool:
    """Whether the other section tells all that a group says; of words that tell nothing that is known it does not."""
    facts = _facts(source, group)
    return any(map(_is_named, facts)) and facts <= there


def _named(source: Layout, group: list[int]) -> frozenset[tuple[str, str]]:
    """What a group says is there, or, where that is nothing, what it says is not; advice names nothing anew."""
    if all(_ADVISING.search(source.said[place]) for place in group):
        return frozenset()
    facts = _facts(source, group)
    affirmed = frozenset(_name(fact) for fact in facts if _is_named(fact) and not fact.denied)
    return affirmed or frozenset(_name(fact) for fact in facts if _is_named(fact))


def _names_of(facts: frozenset[Fact]) -> frozenset[tuple[str, str]]:
    return frozenset(_name(fact) for fact in facts if _is_named(fact))


def _is_named(fact: Fact) -> bool:
    return fact.kind in ("finding", "device", "word", "state") and (fact.denied or not fact.benign)


def _name(fact: Fact) -> tuple[str, str]:
    return f"{'no ' if fact.denied else ''}{fact.name}", fact.of if fact.kind == "state" else ""


def _names_a_finding(sentence: str) -> bool:
    return bool(
        not _NORMAL.search(sentence)
        and re.search("[a-z]{4}", sentence, re.IGNORECASE)
        and not _TECHNICAL.search(sentence)
    )


def _moved(source: Layout, moving: list[list[int]], target: Layout, there: frozenset[Fact]) -> tuple[str, str]:
    """Text of both sections, once groups have gone from one to the other."""
    style = Style.moved(target.text, f"{source.text} {target.text}")
    titles = source.titles
    added = []
    for group in moving:
        if _wholly(source, group, there):
            continue  # Said there already: it need not be said twice.
        opening = source.statements[group[0]]
        first = spoken(titles[group[0]] if needs_heading(opening) else "", opening.body)
        added.append(style.cased(" ".join([first, *(stopped(source.statements[place].body) for place in group[1:])])))
    gone = [place for group in moving for place in group]
    return source.without(gone).text, target.with_added(added).text
