"""Whether an axis moved at all, and whether it could."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from perimetry.editing.references.accounting.differences import FINE_QUALITIES, coarse_names
from perimetry.editing.references.accounting.facts import Fact, facts_of, report_facts, sentences_of
from perimetry.editing.references.accounting.lexicon import words_of
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.sentences import is_listed, is_structured

__all__ = ["Standing", "measurements", "moved", "standing"]

Standing = tuple[Literal["", "infeasible", "already_in_form"], str]

# "Smaller than needs no follow-up": what was compared with is gone.
_CUT_OFF = re.compile(
    r"\b(?:than|below|above|of|at least|at most|exceeding|measures|measuring)\s*(?=[.,;)]|$|"
    r"(?:needs?|requires?|is|are|was|were|has|have|may|should|can|do|does|in (?:size|diameter|length))\b)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[a-z0-9]+")
# Denied by name, though it is a heart of normal size to all other axes.
_HEART_NOT_ENLARGED = re.compile(r"\bheart (?:\w+ ){1,3}not (?:\w+ )?enlarged\b", re.IGNORECASE)


def standing(original: ReportText, target: str) -> Standing:
    """Why an original cannot, or need not, be brought into a form; empty where nothing is known against it.

    Examples
    --------
    >>> standing(ReportText("Lungs are clear."), "quantitative_granularity:low")
    ('already_in_form', 'it holds no measurement')
    >>> standing(ReportText("Lungs are clear."), "hedging:alternative")
    ('infeasible', 'it expresses no doubt')
    """
    axis, _, form = target.partition(":")
    if axis == "structure":
        laid_out = [is_structured(original.get(name)) for name in original.sections]
        if form == "structured" and all(laid_out):
            return "already_in_form", "every section is laid out"
        if form == "free_text" and not _listed(original):
            return "already_in_form", "it is running text"
    if axis == "section_assignment" and len(original.sections) < 2:
        return "infeasible", "it has one section"
    if axis == "hedging" and not _doubts(original):
        return "infeasible", "it expresses no doubt"
    if axis == "quantitative_granularity" and not measurements(original):
        if form == "low":
            return "already_in_form", "it holds no measurement"
        return "infeasible", "it holds no measurement"
    if target == "anatomical_granularity:low" and not _fine(original):
        return "already_in_form", "no place is named that a coarser one could stand for"
    if axis == "negation" and form == "implicit" and not _absences(original):
        return "already_in_form", "nothing is denied by name"
    if axis == "findings_scope" and form == "minimal" and not any(fact.benign for fact in report_facts(original)):
        return "already_in_form", "nothing normal is told"
    return "", ""


def moved(original: ReportText, alternative: ReportText, target: str) -> str:
    """Why an alternative does not show the wanted variation; empty where it does.

    Examples
    --------
    >>> moved(ReportText("Clear lungs."), ReportText("Clear lungs."), "terminology:alternative")
    'nothing changed'
    >>> moved(ReportText("1. Clear lungs."), ReportText("Clear lungs."), "structure:free_text")
    ''
    """
    if _plain(original) == _plain(alternative) and not target.startswith(("structure:", "section_assignment:")):
        return "nothing changed"
    return _CHECKS[target](original, alternative) if target in _CHECKS else ""


def measurements(report: ReportText) -> list[str]:
    """Every number with a unit.

    Examples
    --------
    >>> measurements(ReportText("Nodule of 7 mm. T8 wedging."))
    ['7 mm']
    """
    words = (word for sentence in sentences_of(report.text) for word in words_of(sentence))
    return [word.said for word in words if word.kind == "number" and " " in word.meaning]


def _structured(original: ReportText, alternative: ReportText) -> str:
    more = _list_marks(alternative) > _list_marks(original)
    if not more or not any(is_structured(alternative.get(name)) for name in alternative.sections):
        return "no section is laid out"
    return ""


def _free(original: ReportText, alternative: ReportText) -> str:
    if _listed(alternative):
        return "a section is still laid out"
    return "" if _listed(original) else "no heading or list mark went"


def _reworded(original: ReportText, alternative: ReportText) -> str:
    before, after = (
        sorted(_PLAIN.findall(each.lower()) for name in _BOTH for each in sentences_of(report.get(name)))
        for report in (original, alternative)
    )
    return "no term changed" if before == after else ""


def _reassigned(original: ReportText, alternative: ReportText) -> str:
    """Something has to stand in the other section that does not stand in its own any longer."""
    before, after = ([frozenset(facts_of(report.get(name))) for name in _BOTH] for report in (original, alternative))
    for own, other in ((0, 1), (1, 0)):
        if (before[own] - after[own]) & after[other]:
            return ""
    return "every statement stands in the section it stood in"


def _minimal(original: ReportText, alternative: ReportText) -> str:
    # "No bony abnormality" goes where the impression has "no abnormality": each mention counts.
    before, after = (
        sum(_is_normal(fact) for name in report.sections for fact in facts_of(report.get(name)))
        for report in (original, alternative)
    )
    return "" if after < before else "no fewer normal statements"


def _exhaustive(original: ReportText, alternative: ReportText) -> str:
    before, after = (
        {(fact.kind, fact.name, fact.of) for fact in report_facts(report) if _is_normal(fact)}
        for report in (original, alternative)
    )
    return "" if len(after) > len(before) else "no more normal statements"


def _is_normal(fact: Fact) -> bool:
    return fact.benign and fact.kind in _TELLING


def _unmeasured(original: ReportText, alternative: ReportText) -> str:
    left = measurements(alternative)
    if left:
        return f"a measurement is left: {left[0]}"
    if not measurements(original):
        return "no measurement went"
    held = {found.group().lower() for found in _CUT_OFF.finditer(original.text)}
    cut = next(
        (found.group() for found in _CUT_OFF.finditer(alternative.text) if found.group().lower() not in held), ""
    )
    return f"a measurement was taken from words that need one: {cut}" if cut else ""


def _measured(original: ReportText, alternative: ReportText) -> str:
    return "" if len(measurements(alternative)) > len(measurements(original)) else "no more measurements"


def _rehedged(original: ReportText, alternative: ReportText) -> str:
    return "" if _doubts(original) != _doubts(alternative) else "no expression of doubt changed"


def _implicit(original: ReportText, alternative: ReportText) -> str:
    return "" if _absences(alternative) < _absences(original) else "no fewer findings are denied by name"


def _explicit(original: ReportText, alternative: ReportText) -> str:
    return "" if _absences(alternative) > _absences(original) else "no more findings are denied by name"


def _coarser(original: ReportText, alternative: ReportText) -> str:
    def fine(report: ReportText) -> int:
        return sum(fact.kind in ("place", "number", "word") for fact in report_facts(report))

    if fine(alternative) > fine(original):
        return "places became more"
    if not _fine(alternative) < _fine(original):
        return "no place became coarser"
    left = sorted(fact.name for fact in report_facts(alternative) if fact.kind == "place" and fact.name in _OF_A_LUNG)
    return f"a fine place is left: {left[0].replace('_', ' ')}" if left else ""


def _finer(original: ReportText, alternative: ReportText) -> str:
    return "" if _fine(alternative) > _fine(original) else "no place became finer"


def _fine(report: ReportText) -> int:
    """How many places are told that a coarser one could stand for, or that are told by their number or aspect."""
    facts = report_facts(report)
    ribs = {fact.of for fact in facts if fact.kind == "place" and fact.name == "rib"}
    return sum(
        (fact.kind == "place" and bool(coarse_names(fact.name)))
        or (fact.kind == "state" and bool(coarse_names(fact.of)))
        or (fact.kind == "quality" and fact.name in FINE_QUALITIES)
        or (fact.kind == "number" and fact.of in ribs and " " not in fact.name)
        for fact in facts
    )


_OF_A_LUNG = frozenset(
    {
        "upper_lobe",
        "lower_lobe",
        "middle_lobe",
        "upper_lung",
        "lower_lung",
        "mid_lung",
        "base",
        "apex",
        "perihilar",
        "lingula",
    }
)
_TELLING = frozenset({"finding", "device", "word", "state"})
_BOTH = ("findings", "impression")
_CHECKS = {
    "structure:structured": _structured,
    "structure:free_text": _free,
    "section_assignment:alternative": _reassigned,
    "findings_scope:minimal": _minimal,
    "findings_scope:exhaustive": _exhaustive,
    "terminology:alternative": _reworded,
    "anatomical_granularity:low": _coarser,
    "anatomical_granularity:high": _finer,
    "quantitative_granularity:low": _unmeasured,
    "quantitative_granularity:high": _measured,
    "hedging:alternative": _rehedged,
    "negation:implicit": _implicit,
    "negation:explicit": _explicit,
}


def _plain(report: ReportText) -> list[list[str]]:
    return [_PLAIN.findall(report.get(name).lower()) for name in _BOTH]


def _listed(report: ReportText) -> bool:
    return any(is_listed(sentence) for name in report.sections for sentence in sentences_of(report.get(name)))


def _list_marks(report: ReportText) -> int:
    return sum(is_listed(sentence) for name in report.sections for sentence in sentences_of(report.get(name)))


def _doubts(report: ReportText) -> Counter[str]:
    words = (word for sentence in sentences_of(report.text) for word in words_of(sentence))
    return Counter(word.said for word in words if word.kind == "doubt")


def _absences(report: ReportText) -> int:
    return sum(
        fact.denied and fact.kind in ("finding", "state", "word")
        for name in report.sections
        for fact in facts_of(report.get(name))
    ) + len(_HEART_NOT_ENLARGED.findall(report.text))
