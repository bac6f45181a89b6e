"""How finely places and sizes are told."""

from __future__ import annotations

import re
from collections.abc import Callable

from perimetry.editing.references.accounting.clash import clash
from perimetry.editing.references.accounting.moved import moved
from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten

__all__ = ["coarse_places", "fine_places", "measured", "unmeasured"]

_LOBE = (
    r"(?:upper|lower|middle)[ -]lobes?|(?:upper|lower|mid)[ -]?lungs?(?: zones?)?|mid-?lungs?(?: zones?)?|lung bases?"
    r"|lung ap(?:ex|ices)"
)
_LOBES = (
    r"(?:upper|lower|middle)[ -]lobes|(?:upper|lower|mid)[ -]?lungs|(?:upper|lower|mid)[ -]?lungs? zones|mid-?lungs"
    r"|lung bases|lung apices"
)
_COUNT = r"\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
_AND = r"(?:,? (?:and|or|and/or) |/|, )"
_THIRD = r"(?:upper|mid|middle|lower)"
_DIRECTION = r"(?:(?:(?:antero|postero|infero|supero)?(?:lateral|medial|posterior|anterior|superior|inferior)) )"
_PLEURAL = r"(?:(?:hydro)?pneumothora(?:x|ces)|effusions?|pleural|pleuro\S*|fluid)"
_ANY = rf"{_DIRECTION}{{0,3}}"
_PART = r"(?:segment|portion|aspect)s?"
# What may follow a place that nothing is named by: "in the left lung." but not "left lung opacity".
_ENDS = (
    r"(?=\s*(?:[.,;()]|$|(?:with|which|that|is|are|was|were|may|and|or|on|in|has|have|likely|consistent|suggest\w*)\b))"
)
_COUNTS = rf"(?:{_COUNT})(?:(?:,? (?:and|through|to) |-|, )(?:{_COUNT}))*"
_VERTEBRA = r"T(?:[1-9]|1[0-2])"
_PLACES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), new)
    for pattern, new in (
        # What is in the pleura is in no lung: "right basilar effusion" is "right effusion".
        (rf"\b(right|left) (?:basilar|basal|apical|base|apex)(?= (?:(?!and|or|with)\w+ ){{0,2}}{_PLEURAL}\b)", r"\1"),
        (rf"\b({_PLEURAL}(?: \w+)?) (?:in|at|within|of) the (right|left) (?:lung )?(?:base|apex)\b{_ENDS}",
         r"\1 on the \2"),
        (rf"\b(right|left) and (right|left) {_THIRD}[ -]?lungs?(?: zones)?\b{_ENDS}", r"\1 and \2 lungs"),
        (rf"\b(right|left) {_THIRD}{_AND}{_THIRD}(?: lobes?\b| lungs?\b(?: zones?\b)?| zones?\b)", r"\1 lung"),
        (rf"\b(right|left) {_ANY}(?:{_LOBE}|base|apex|perihilar region)\b", r"\1 lung"),
        (rf"\b(?:the )?bilateral (?:{_LOBE}|bases)\b{_ENDS}", "both lungs"),
        (rf"\bbilateral (?:{_LOBE})\b", "bilateral lung"),
        (rf"\b(both|the) (?:{_LOBES}|bases)\b", r"\1 lungs"),
        (r"\b(?:bi-?|bilateral )(?:basilar|basal|apical)\b", "bilateral"),
        (r"\b(at|of|over|on|near) lung (?:bases|apices)\b", r"\1 the lungs"),
        (r"(?<!the )(?<!both )(?<!right )(?<!left )\blung (?:bases|apices)\b", "lungs"),
        (rf"\b(right|left) {_ANY}(?:basilar|basal|apical|perihilar|midlung|retrocardiac)\b(?! thicken)", r"\1 lung"),
        # Nothing is left of one that is listed with others, and an apical cap is called so.
        (r"(?<!and )(?<!or )(?<!/)(?<!, )\b(?:apical|basilar|basal) (?!cap(?:s|ping)?\b|thicken)"
         r"(?!(?:and|or|lordotic|views?|projection|regions?|segments?|aspects?|portions?)\b)"
         r"(?=[a-z])", ""),
        # There is one, and it is left.
        (rf"\b(?:the )?{_ANY}(?:left )?{_ANY}lingula\b", "the left lung"),
        (r"\b(?:left )?lingular(?: (?:segments?|region))?\b", "left lung"),
        # What is left of a list or of a place within a place: "left lung upper lobe", "segment of the right lung".
        (rf"\b(right|left) lung(?:{_AND}| )(?:{_THIRD} (?:lobe|zone)|base|apex)\b(?! of)", r"\1 lung"),
        (rf"\b(right|left) lung {_DIRECTION}{{1,3}}{_PART}\b", r"\1 lung"),
        # A part that is not told which stays one: "a portion of the right lung".
        (rf"\b(?:the )?(?:{_DIRECTION}{{1,3}}{_PART}|segments?|region) of (the )?(right|left) lung\b", r"\1\2 lung"),
        (rf"\b{_DIRECTION}{{1,3}}(right|left) lung\b", r"\1 lung"),
        (rf"\b(right|left) lung{_AND}(?:in )?(?:the )?\1 lung\b", r"\1 lung"),
        (rf"\b(right|left) lung{_AND}(?:in )?(?:the )?(right|left) lung\b{_ENDS}", r"\1 and \2 lungs"),
        (rf"(?<!in )(?<!the )(?<!of )(?<!within )(?<!at )\b(right|left) lung{_AND}(right|left) lung\b",
         r"\1 and \2 lung"),
        (r"\b(right|left) lung (?:lung|pulmonary)\b", r"\1 lung"),
        (r"\bat (the )?(right|left) lung\b(?! (?:base|apex))", r"in \1\2 lung"),
        (r"\bretrocardiac lung\b", "lung"),
        # One that was numbered is one of many: "the left 7th rib" is "a left rib".
        (rf"\bthe {_ANY}((?:right |left )?){_ANY}(?:{_COUNT}) {_ANY}rib\b{_ENDS}", r"a \1rib"),
        (rf"\b(on|over|upon|in|of|at|along|through|within|overlying|overlies|involving) {_ANY}((?:right |left )?){_ANY}"
         rf"(?:{_COUNT}) {_ANY}rib\b{_ENDS}", r"\1 a \2rib"),
        # Nor are several numbered ones all of them: "between the left 5th and 6th ribs" is "between left ribs".
        (rf"\b(?:the )?{_ANY}(right|left) {_ANY}(?:{_COUNTS}) {_ANY}ribs\b", r"\1 ribs"),
        (rf"\b(?:the )?{_ANY}(?:{_COUNTS}) {_ANY}((?:right |left )?){_ANY}ribs\b", r"\1ribs"),
        (rf"\b{_ANY}(right|left) {_ANY}(?:{_COUNTS}) {_ANY}rib\b", r"\1 rib"),
        (rf"\b{_ANY}(?:{_COUNTS}) {_ANY}rib\b", "rib"),
        (rf"\bthe {_VERTEBRA} vertebral body\b{_ENDS}", "a thoracic vertebral body"),
        (rf"\b{_VERTEBRA} vertebral body\b", "thoracic vertebral body"),
        (r"\b(?:mid|upper|lower|mid/lower)[ -]thoracic spine\b", "thoracic spine"),
        (r"\baortic (?:arch|knob)(?= (?:calcif|athero|contour|aneurysm|tortuos|prominen|enlarge|dilat))", "aortic"),
        (r"\baortic (?:arch|knob)\b", "aorta"),
    )
)  # fmt: skip
# What reads badly, or names one place for two, once places are told less finely.
_BROKEN = re.compile(
    r"\b(?P<twice>[a-z]+) (?P=twice)\b"
    r"|\b(?:bilateral|both)(?: lungs?)?(?: and|,| or|/) (?:the )?(?:right|left)\b(?! (?:great|more|worse|larg|side))"
    r"|\b(?:right|left)(?: lungs?)?(?: and|,| or|/) (?:the )?bilateral\b|\b(?:and|or) (?:and|or)\b"
    r"|\bthe (?:right |left )?rib\b|\bthe thoracic vertebral body\b"
    r"|\ba (?P<side>right |left )?rib\b.*\ba (?P=side)?rib\b|\bthe (?P<place>right|left) the\b",
    re.IGNORECASE,
)
_FINE = re.compile(
    rf"\b(?:(?:right|left|bilateral|both|the) (?:{_LOBE})"
    r"|(?:and|or) (?:apical|basilar|basal)(?= [a-z]+ies\b| atelec| scar)"
    r"|(?:bi)?apical (?:cap(?:s|ping)?|thickening)|lingular?"
    rf"|(?:superior|inferior|apical|apicoposterior|posterior|anterior|medial|lateral|basal|basilar) segments?"
    rf"|[rl][uml]l|(?:{_COUNT})(?= (?:[a-z]+ ){{0,4}}ribs?\b)|T(?:[1-9]|1[0-2]))\b",
    re.IGNORECASE,
)
_IN_PLEURA = re.compile(
    rf"\b{_PLEURAL}(?: and| or| with|/) ?(?:\w+ ){{0,2}}(?:in|at|within) the (?:left|right) lung\b", re.IGNORECASE
)
_NUMBERED = re.compile(rf"\b{_COUNTS}(?= (?:[a-z]+ ){{0,3}}rib\b)", re.IGNORECASE)
_SIDED = re.compile(
    rf"\b(right|left) ((?:{_ANY}(?:{_THIRD}{_AND})?"
    rf"(?:{_LOBE}|base|apex|basilar|basal|apical|perihilar|retrocardiac|lung))(?: {_ANY}{_PART})?)\b",
    re.IGNORECASE,
)
_LUNG = re.compile(r"\b(right|left) lung\b", re.IGNORECASE)
_LYMPH = re.compile(r"\b(?:lymph\w*|adenopath\w*|nod(?:al|es?)\b|vasc\w+|vessels?|arter\w+|bronch\w+)", re.IGNORECASE)
_SIZE = (
    r"(?:\d+(?:\.\d+)?\s?(?:-|\u2013|to)\s?)?\d+(?:\.\d+)?(?:\s?(?:x|by)\s?\d+(?:\.\d+)?){0,3}"
    r"\s?-?(?:mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?)"
)
_EXTENT = r"(?:size|diameter|height|width|length|thickness|dimensions?|depth)"
_IN = rf"(?:(?: in)? (?:(?:maximal|maximum|greatest|largest|transverse|ap|overall) )?{_EXTENT}\b)?"
_ABOUT = r"(?:(?:approximately|approx\.?|about|roughly|up to|around|at most|nearly|almost|an estimated)\s+)?"
_MAIMED = re.compile(
    r"\b(?:is|are|near|of|to|than|at|by|measures?|the (?:largest|smallest))"
    r"\s*(?:in (?:diameter|size|height|width)|[.,]|$)",
    re.IGNORECASE,
)
# What a measurement completes: without it "smaller than 6 mm needs no" is no statement.
_LEANS = re.compile(
    rf"\b(?:than|than or equal to|below|above|under|over|exceed\w*|beyond|within|least|most|between|equals?)"
    rf"\s+{_ABOUT}{_SIZE}|[<>\u2264\u2265=]\s*{_SIZE}"
    # "The nodule measures 7 mm": the measurement is what is stated.
    rf"|(?<!which )(?<!that )(?<!\()\bmeasures?(?: at)?\s+{_ABOUT}{_SIZE}"
    rf"|\b(?:is|are|was|were)\s+{_ABOUT}{_SIZE}"
    # What has that size is not named: "rounded 14 cm projecting retrosternally".
    rf"|(?:^|[.;,]\s*|\b(?:rounded?|oval|ovoid|irregular|small|large|calcified)\s+){_ABOUT}{_SIZE}{_IN}"
    r"\s+(?:project\w*|seen|noted|located|identified|overl\w+|lying|which|that|is|are)\b"
    # "A 5 mm thick wall" is no thick wall.
    rf"|{_SIZE}[ -](?:thick|long|wide|deep|tall|of)\b"
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
        (rf"\b{_ABOUT}{_SIZE} (?=above|below|from|proximal|distal)", ""),
        (rf"\b{_ABOUT}{_SIZE}(?:[ -]sized)?{_IN}\s+", ""),
        (rf"{_NO_EXTENT}(?:,\s*|(?<!\s)\s+){_ABOUT}{_SIZE}(?=\s*[.,;]|$)", ""),
    )
)  # fmt: skip


_SIZED_ARTICLE = re.compile(rf"\b(an?) {_ABOUT}{_SIZE}(?:[ -]sized)?{_IN},? (?=([a-z]))", re.IGNORECASE)


def coarse_places(report: ReportText, _draw: Draw) -> Rewritten:
    """Lobes, zones, numbered ribs and vertebrae give way to organ and side.

    Examples
    --------
    >>> coarse_places(ReportText("Nodule in the right upper lobe."), lambda _, n: 0).findings
    'Nodule in the right lung.'
    """
    new = ReportText(*(_by_sentence(text, _coarse) for text in (report.findings, report.impression)))
    if new == report:
        left = _left(report)
        if left:
            return Declined("infeasible", left)
        return Declined("already_in_form", "no place is named that a coarser one could stand for")
    contradiction = (
        clash(report) or _unreadable(report, new) or moved(report, new, "anatomical_granularity:low") or _left(new)
    )
    return Declined("infeasible", contradiction) if contradiction else new


def _unreadable(report: ReportText, new: ReportText) -> str:
    """What a reader would stumble over, or could not keep apart any more, in coarser places."""
    for name in report.sections:
        before, after = Layout.of(report.get(name)).statements, Layout.of(new.get(name)).statements
        for was, now in zip(before, after, strict=False):
            if was.body == now.body:
                continue
            broken = _BROKEN.search(now.body)
            if broken and not _BROKEN.search(was.body):
                return f"a coarser place would not read: {broken.group().lower()}"
            if _IN_PLEURA.search(now.body):
                return "what is in the pleura would be told to be in the lung"
            if len({each.lower() for each in _NUMBERED.findall(was.body)}) > 1:
                return "two ribs would be told as one"
            if "perihilar" in was.body.lower() and _LYMPH.search(was.body):
                return "what is beside the hilum need not be in the lung"
            for side in {each.lower() for each in _LUNG.findall(now.body)}:
                twice = sum(each.lower() == side for each in _LUNG.findall(now.body)) > 1
                if twice and len({place.lower() for at, place in _SIDED.findall(was.body) if at.lower() == side}) > 1:
                    return f"two places would be told as one: {side} lung"
    return ""


def _left(report: ReportText) -> str:
    """A fine place for which there is no coarser name that would read well."""
    found = _FINE.search(report.text)
    return f"a fine place is left: {found.group().lower()}" if found else ""


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
    new = _replaced(_SIZED_ARTICLE.sub(_article, sentence), _SIZES)
    return sentence if _LEANS.search(sentence) or _MAIMED.search(new) else new


def _article(found: re.Match[str]) -> str:
    """The article that stood before a measurement, as the word after it asks for."""
    article = "an" if found.group(2).lower() in "aeiou" else "a"
    return f"{found.group(1)[0]}{article[1:]} "


def _replaced(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, new in rules:
        text = pattern.sub(new, text)
    return text.strip()
