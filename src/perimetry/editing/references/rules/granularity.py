"""How finely places and sizes are told."""

from __future__ import annotations

import re
from collections.abc import Callable

from perimetry.editing.references.accounting.clash import clash
from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten

__all__ = ["coarse_places", "fine_places", "measured", "unmeasured"]

_LOBE = (
    r"(?:upper|lower|middle)[ -]lobes?|(?:upper|lower|mid)[ -]?lungs?(?: zones?)?|mid-?lungs?(?: zones?)?|lung bases?"
    r"|lung ap(?:ex|ices)"
)
_COUNT = r"\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
_AND = r"(?:,? (?:and|or|and/or) |/|, )"
_THIRD = r"(?:upper|mid|middle|lower)"
_DIRECTION = r"(?:(?:lateral|medial|posterior|anterior) )"
_ANY = rf"{_DIRECTION}{{0,3}}"
_PART = r"(?:segment|portion|aspect)s?"
# What may follow a place that nothing is named by: "in the left lung." but not "left lung opacity".
_ENDS = (
    r"(?=\s*(?:[.,;)]|$|(?:with|which|that|is|are|was|were|may|and|or|on|in|has|have|likely|consistent|suggest\w*)\b))"
)
_COUNTS = rf"(?:{_COUNT})(?:(?:,? (?:and|through|to) |-|, )(?:{_COUNT}))*"
_VERTEBRA = r"T(?:[1-9]|1[0-2])"
_PLACES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (rf"\b(right|left) {_THIRD}{_AND}{_THIRD}(?: lobes?\b| lungs?\b(?: zones?\b)?| zones?\b)", r"\1 lung"),
        (rf"\b(right|left) {_ANY}(?:{_LOBE}|base|apex|perihilar region)\b", r"\1 lung"),
        (rf"\bbilateral (?:{_LOBE})\b", "bilateral lung"),
        (rf"\b(both|the) (?:{_LOBE}|bases)\b", r"\1 lungs"),
        (r"\b(?:bi-?|bilateral )(?:basilar|basal|apical)\b", "bilateral"),
        (r"(?<!the )(?<!both )(?<!right )(?<!left )\blung (?:bases|apices)\b", "lungs"),
        (r"\b(right|left) (?:basilar|basal|apical|perihilar|midlung|retrocardiac)\b", r"\1 lung"),
        (r"\b(?:apical|basilar|basal) (?!(?:and|or|lordotic|views?|projection|regions?|segments?|aspects?|portions?)\b)"
         r"(?=[a-z])", ""),
        # There is one, and it is left.
        (r"\b(?:the )?(?:left )?lingula\b", "the left lung"),
        (r"\b(?:left )?lingular(?: segments?)?\b", "left lung"),
        # What is left of a list or of a place within a place: "left lung upper lobe", "segment of the right lung".
        (rf"\b(right|left) lung(?:{_AND}| )(?:{_THIRD} (?:lobe|zone)|base|apex)\b(?! of)", r"\1 lung"),
        (rf"\b(right|left) lung {_DIRECTION}{{1,3}}{_PART}\b", r"\1 lung"),
        (rf"\b(?:the )?(?:{_ANY}{_PART}|region) of (the )?(right|left) lung\b", r"\1\2 lung"),
        (rf"\b{_DIRECTION}{{1,3}}(right|left) lung\b", r"\1 lung"),
        (rf"\b(right|left) lung{_AND}(?:in )?(?:the )?\1 lung\b", r"\1 lung"),
        (rf"\b(right|left) lung{_AND}(?:in )?(?:the )?(right|left) lung\b{_ENDS}", r"\1 and \2 lungs"),
        (rf"\b(right|left) lung{_AND}(?:in )?(?:the )?(right|left) lung\b", r"\1 and \2 lung"),
        (r"\bretrocardiac lung\b", "lung"),
        # One that was numbered is one of many: "the left 7th rib" is "a left rib".
        (rf"\bthe {_ANY}((?:right |left )?){_ANY}(?:{_COUNT}) {_ANY}rib\b{_ENDS}", r"a \1rib"),
        # Nor are several numbered ones all of them: "between the left 5th and 6th ribs" is "between left ribs".
        (rf"\b(?:the )?{_ANY}(right|left) {_ANY}(?:{_COUNTS}) {_ANY}ribs\b", r"\1 ribs"),
        (rf"\b(?:the )?{_ANY}(?:{_COUNTS}) {_ANY}((?:right |left )?)ribs\b", r"\1ribs"),
        (rf"\b{_ANY}(right|left) {_ANY}(?:{_COUNTS}) {_ANY}rib\b", r"\1 rib"),
        (rf"\b{_ANY}(?:{_COUNTS}) {_ANY}rib\b", "rib"),
        (rf"\bthe {_VERTEBRA} vertebral body\b{_ENDS}", "a thoracic vertebral body"),
        (rf"\b{_VERTEBRA} vertebral body\b", "thoracic vertebral body"),
        (r"\b(?:mid|upper|lower|mid/lower)[ -]thoracic spine\b", "thoracic spine"),
        (r"\baortic (?:arch|knob)\b", "aorta"),
    )
)  # fmt: skip
_SIZE = r"\d+(?:\.\d+)?(?:\s?(?:x|by)\s?\d+(?:\.\d+)?){0,3}\s?-?(?:mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?)"
_IN = r"(?: in (?:size|diameter|height|width|length|greatest dimension))?"
_ABOUT = r"(?:(?:approximately|about|roughly|up to|around)\s+)?"
_MAIMED = re.compile(
    r"\b(?:is|are|near|of|to|than|at|by|measures?|the (?:largest|smallest))"
    r"\s*(?:in (?:diameter|size|height|width)|[.,]|$)",
    re.IGNORECASE,
)
# What a measurement completes: without it "smaller than 6 mm needs no" is no statement.
_LEANS = re.compile(
    rf"\b(?:than|than or equal to|below|above|under|over|exceed\w*|beyond|within|least|most|between|equals?)"
    rf"\s+{_ABOUT}{_SIZE}|[<>\u2264\u2265=]\s*{_SIZE}"
    rf"|\b(?:of|to|from|and|or)\s+{_ABOUT}{_SIZE}(?!(?:\s+[a-z-]+){{0,4}}\s+(?:nodules?|mass(?:es)?|"
    r"opacit(?:y|ies)|lesions?|granulomas?|densit(?:y|ies)|effusions?|pneumothora(?:x|ces)|calcifications?))",
    re.IGNORECASE,
)
_NO_EXTENT = r"(?<!diameter)(?<!size)(?<!length)(?<!width)(?<!height)(?<!distance)"
_BEFORE = r"(?:,\s*|(?<!\s)\s+)?"
_SIZES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        (rf"{_BEFORE}\(?(?:which |that )?(?:measuring|measures|measured)(?: at)? {_ABOUT}{_SIZE}{_IN}\)?", ""),
        (rf"(?:(?<!\s)\s+)?\({_ABOUT}{_SIZE}\)", ""),
        (rf"\b(a|an) {_ABOUT}{_SIZE} (?=([a-z]))", r"a "),
        (rf"\b{_ABOUT}{_SIZE} (?=above|below|from|proximal|distal)", ""),
        (rf"\b{_ABOUT}{_SIZE}\s+", ""),
        (rf"{_NO_EXTENT}(?:,\s*|(?<!\s)\s+){_ABOUT}{_SIZE}(?=\s*[.,;]|$)", ""),
    )
)  # fmt: skip


def coarse_places(report: ReportText, _draw: Draw) -> Rewritten:
    """Lobes, zones, numbered ribs and vertebrae give way to organ and side.

    Examples
    --------
    >>> coarse_places(ReportText("Nodule in the right upper lobe."), lambda _, n: 0).findings
    'Nodule in the right lung.'
    """
    new = ReportText(*(_by_sentence(text, _coarse) for text in (report.findings, report.impression)))
    if new == report:
        return Declined("already_in_form", "no place is named that a coarser one could stand for")
    contradiction = clash(report)
    return Declined("infeasible", contradiction) if contradiction else new


def fine_places(_report: ReportText, _draw: Draw) -> Rewritten:
    """Never possible by rules: a place that is not named is not known."""
    return Declined("infeasible", "rules cannot name a place that the report does not name")


def unmeasured(report: ReportText, _draw: Draw) -> Rewritten:
    """Sizes and distances go; words for them stay.

    Examples
    --------
    >>> unmeasured(ReportText("A 7 mm nodule. Tip 4 cm above the carina."), lambda _, n: 0).findings
    'A nodule. Tip above the carina.'
    """
    if not any(pattern.search(report.text) for pattern, _ in _SIZES):
        return Declined("already_in_form", "it holds no measurement")
    new = ReportText(*(_by_sentence(text, _unsized) for text in (report.findings, report.impression)))
    if re.search(_SIZE, new.text, re.IGNORECASE):
        return Declined("infeasible", "a statement is about the measurement itself")
    return new


def measured(_report: ReportText, _draw: Draw) -> Rewritten:
    """Never possible by rules: a measurement cannot be made up."""
    return Declined("infeasible", "a measurement cannot be made up")


def _by_sentence(text: str, change: Callable[[str], str]) -> str:
    """A section with its sentences changed where they stand."""
    layout, style = Layout.of(text), Style.of(text)
    bodies = {}
    for place, each in enumerate(layout.statements):
        new = change(each.body)
        if new != each.body and any(sign.isalpha() for sign in new):
            bodies[place] = [style.instead(new, each.body)]
    return layout.changed(bodies).text


def _coarse(sentence: str) -> str:
    return _replaced(sentence, _PLACES)


def _unsized(sentence: str) -> str:
    """A sentence without its measurements; one that would be left without its predicate stays as it is."""
    new = _replaced(sentence, _SIZES)
    return sentence if _LEANS.search(sentence) or _MAIMED.search(new) else new


def _replaced(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, new in rules:
        text = pattern.sub(new, text)
    return text.strip()
