"""Absent findings named, or their region called normal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout, Statement
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.headings import region
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.sentences import bare, split_sentences

__all__ = ["explicit", "implicit"]

_DENIAL = re.compile(
    r"^(?:there (?:is|are) )?(?:no|negative for)\s+(?:radiographic )?(?:evidence of )?(?P<items>[a-z ,/-]+?)"
    r"(?: (?:is|are))?(?: (?:seen|identified|noted|present|visualized|demonstrated))?\.?$",
    re.IGNORECASE,
)
_ITEM = {
    re.compile(r"^(?:any )?(?:visible |visualized )?(?:pleural )?effusions?$|^pleural fluid$"): "effusion",
    re.compile(r"^(?:visible |visualized )?pneumothora(?:x|ces)$"): "pneumothorax",
    re.compile(
        r"^(?:focal )?(?:areas? of )?(?:focal )?(?:pulmonary |lung |airspace |air space |alveolar )?"
        r"(?:consolidations?|infiltrates?|airspace disease|air space disease|airspace opacit(?:y|ies)|opacit(?:y|ies))$"
    ): "lung",
}
# An absent finding that stands in a list of such; what else stands there may be affirmed: "no effusion, mild edema".
_PLAIN = re.compile(
    r"(?:(?:any|acute|active|chronic|focal|large|definite|significant|suspicious|convincing|obvious|overt|visible|discrete"
    r"|visualized|gross|frank|other|new|typical|radiographic|noncalcified|non-calcified|consolidative|confluent|lobar"
    r"|residual|pulmonary|pleural|lung|airspace|air space|alveolar|mediastinal|hilar|cardiopulmonary|intrathoracic"
    r"|thoracic|bony|bone|osseous|osseus|skeletal|soft tissue|rib|displaced|interstitial|parenchymal|free|air|and)\s+"
    r"|(?:areas?|evidence|signs|findings) of\s+)*"
    r"(?:effusions?|fluid(?: collections?)?|pneumothora(?:x|ces)|consolidations?|infiltrates?|opacit(?:y|ies)|edema"
    r"|diseases?|process(?:es)?|abnormalit(?:y|ies)|findings?|mass(?:es)?|nodules?|lesions?|pneumonia|adenopathy"
    r"|lymphadenopathy|fractures?|atelectasis|cardiomegaly|pneumomediastinum|pneumoperitoneum|widening|free air)"
    r"(?: to suggest (?:a )?pneumonia)?",
    re.IGNORECASE,
)
_AND = re.compile(r",\s*(?:or|and|nor)\s+|,\s*|\s+(?:or|and|nor)\s+", re.IGNORECASE)
_SEEN = re.compile(
    r"(?:\s+(?:is|are))?(?:\s+(?:seen|identified|noted|present|visualized|demonstrated|evident|appreciated))?\s*\.?$",
    re.IGNORECASE,
)
_SIDED = re.compile(r"\b(?:right|left|rt|lt|r|l|upper|lower|mid|middle|lobes?|apex|base)\b", re.IGNORECASE)
# What comes after it in a sentence is denied no longer, or said of something else.
_TURNING = re.compile(
    r"[,;:]|\b(?:but|although|though|however|except|yet|while|whereas|aside|apart|there (?:is|are|was|were))\b",
    re.IGNORECASE,
)
_CLEAR_LUNGS = re.compile(
    r"^(?:(?:the |both )?lungs (?:are |appear |remain )?clear(?: bilaterally)?|clear lungs)\.?$", re.IGNORECASE
)
_CLEAR_AIRSPACES = re.compile(r"^(?:the )?air ?spaces (?:are|appear) clear\.?$", re.IGNORECASE)
_CLEAR_PLEURA = re.compile(r"^(?:the )?pleural spaces? (?:is|are) (?:clear|normal)\.?$", re.IGNORECASE)
_NORMAL_HEART = re.compile(
    r"^(?:(?:the )?heart size (?:is |appears )?(?:normal|within normal limits)"
    r"|(?:the )?heart is (?:normal in size|of normal size)|normal heart size)\.?$",
    re.IGNORECASE,
)
_SUBJECTS = {"lungs": "lungs are", "lung": "lungs are", "heart": "heart is", "pleura": "pleural spaces are"}
_WITHOUT_SUBJECT = re.compile(r"(?:clear(?: bilaterally)?|normal(?: in size)?|of normal size)\.?$", re.IGNORECASE)
# A lung with something in it is not clear, whatever else is absent: only words of other regions may be affirmed.
_LUNG_WORDS = re.compile(
    r"nodul|opacit|densit|granulom|scar|atelecta|emphysem|hyper|hypo|low lung|infiltrat|consolid|edema|interstit|mass\b"
    r"|lesion|markings|pneumon|copd|cavit|bronch|fibro|airspace|air space|congest|lucen|calcif|blunt|thicken|elevat"
    r"|flatten|volume|lobe|basilar|base|apex|apical|lingul|perihilar|hilar|tubercul|sarcoid|disease|xxxx|clear",
    re.IGNORECASE,
)
# "Clear" itself, and what de-identification hid, say nothing against clear lungs.
_LUNG_FINDINGS = re.compile(_LUNG_WORDS.pattern.replace("|xxxx|clear", ""), re.IGNORECASE)
# What other regions have, too: calcification of the aorta says nothing against clear lungs.
_ANYWHERE = re.compile(
    r"(?:calcif|lucen|densit|lesion|mass|disease|elevat|thicken|volume|base|lobe|hypertroph)\w*", re.IGNORECASE
)
_ELSEWHERE = ("HEART AND MEDIASTINUM", "BONES AND SOFT TISSUES", "ABDOMEN")
_DENYING_LUNG = re.compile(r"\b(?:no|without|negative for|free of)\b", re.IGNORECASE)
_DENIED_LUNG = re.compile(r"\b(?:consolidat\w+|infiltrates?|air ?space|opacit\w+)", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:specifically|in particular)\b", re.IGNORECASE)
# Clear lungs have no consolidation and nothing else. Where the report names something in them, nothing that could be
# denied says as much: they stay called clear.
_CLEAR = "No focal consolidation, airspace opacity or other lung abnormality."
_CLEAR_OF_AIR = "No focal consolidation or airspace opacity."
_IN_PLEURA = re.compile(r"effusion|pneumothora|blunt|thicken|pleural fluid|hydropneumo", re.IGNORECASE)
_LARGE_HEART = re.compile(
    r"cardiomegaly|\b(?:heart|cardiac)\b.*\b(?:enlarge|large\b|borderline)"
    r"|\b(?:enlarged|large) (?:\w+ ){0,2}(?:heart|cardiac)",
    re.IGNORECASE,
)
_PLEURA_WORDS = re.compile(r"effusion|pneumothora|blunt|thicken|pleura|costophrenic|fluid", re.IGNORECASE)
_DENYING = re.compile(r"\b(?:no|not|without|negative|free of)\b", re.IGNORECASE)


def implicit(report: ReportText, _draw: Draw) -> Rewritten:
    """"No effusion or pneumothorax" becomes "the pleural spaces are clear", where both are denied and nothing is there.

    Examples
    --------
    >>> implicit(ReportText("No effusion or pneumothorax. Heart is large."), lambda _, n: 0).findings
    'The pleural spaces are clear. Heart is large.'
    """  # fmt: skip
    new = report
    for name in report.sections:
        new = new.with_section(name, _implied(report.get(name), report))
    return new if new != report else Declined("infeasible", "no denial that a region's normality covers")


def explicit(report: ReportText, _draw: Draw) -> Rewritten:
    """"The lungs are clear" becomes "no focal consolidation" and so on; so with pleura and heart size.

    Examples
    --------
    >>> explicit(ReportText("Lungs are clear. Heart size is normal."), lambda _, n: 0).findings
    'No focal consolidation, airspace opacity or other lung abnormality. No cardiomegaly.'
    """  # fmt: skip
    new = report
    for name in report.sections:
        layout, style = Layout.of(report.get(name)), Style.within(report.get(name), report.text)
        spelled = _all_spelled([_read(each) for each in layout.statements], report)
        bodies = {place: [style.instead(text, layout.statements[place].body)] for place, text in spelled.items()}
        new = new.with_section(name, layout.changed(bodies).text)
    if new == report and _affirms_in_lung(report) and any(map(_calls_lungs_clear, split_sentences(report.text))):
        return Declined("infeasible", "the lungs are called clear beside something in them")
    return new if new != report else Declined("already_in_form", "no region is only called normal")


def _calls_lungs_clear(sentence: str) -> bool:
    return _CLEAR_LUNGS.match(bare(sentence)) is not None


def _read(statement: Statement) -> str:
    """A sentence with its subject, where that is its heading: "LUNGS: Clear."."""
    subject = _SUBJECTS.get(statement.title.lower())
    return f"{subject} {statement.said}" if subject and _WITHOUT_SUBJECT.match(statement.said) else statement.said


def _all_spelled(said: Sequence[str], report: ReportText) -> dict[int, str]:
    """Normal regions spelled out, by place; a region of which something is denied by name is explicit."""
    named = {kind for sentence in said for kind in _denied(sentence).values()}
    named |= {"lung" for sentence in said if _denies_lung(sentence)}
    # By what is denied of lungs that are called clear, of airspaces that are.
    lungs = "" if "lung" in named or _affirms_in_lung(report) else _CLEAR
    airspaces = "" if "lung" in named else _CLEAR_OF_AIR
    pleura = not named & {"effusion", "pneumothorax"} and not _affirmed(report, _IN_PLEURA)
    heart = not _affirmed(report, _LARGE_HEART)
    spelled = {}
    for place, sentence in enumerate(said):
        # What goes on with "specifically" needs the general statement before it.
        goes_on = place + 1 < len(said) and _GOES_ON.match(said[place + 1])
        if not goes_on and (new := _spelled(sentence, lungs, airspaces, pleura=pleura, heart=heart)):
            spelled[place] = new
    return spelled


def _denies_lung(sentence: str) -> bool:
    found = _DENYING_LUNG.search(sentence)
    return found is not None and _DENIED_LUNG.search(sentence, found.end()) is not None


def _spelled(body: str, lungs: str, airspaces: str, *, pleura: bool, heart: bool) -> str:
    """A normal region spelled out; empty where it is none."""
    if lungs and _CLEAR_LUNGS.match(body):
        return lungs
    if airspaces and _CLEAR_AIRSPACES.match(body):
        return airspaces
    if pleura and _CLEAR_PLEURA.match(body):
        return "No pleural effusion or pneumothorax."
    return "No cardiomegaly." if heart and _NORMAL_HEART.match(body) else ""


def _implied(text: str, report: ReportText) -> str:
    layout, style = Layout.of(text), Style.within(text, report.text)
    # What is denied under "RIGHT LUNG" is denied of one side.
    denied = {
        place: items
        for place, (title, sentence) in enumerate(zip(layout.titles, layout.said, strict=True))
        if not _SIDED.search(title) and (items := _listing(sentence))
    }
    kinds = {kind for items in denied.values() for kind in items.values()}
    regions = set()
    if {"effusion", "pneumothorax"} <= kinds and not _affirmed(report, _PLEURA_WORDS):
        regions |= {"effusion", "pneumothorax"}
    if _covers_airspaces(item for items in denied.values() for item in items) and not _affirmed(report, _LUNG_WORDS):
        regions.add("lung")
    bodies: dict[int, list[str]] = {}
    told: set[str] = set()
    for place, items in denied.items():
        covered = [item for item, kind in items.items() if kind in regions]
        if not covered:
            continue
        new: list[str] = []
        for item in covered:
            told |= _told(items[item], told, new)
        left = [item for item in items if item not in covered]
        if left:
            new.append(f"No {_listed(left)}.")
        bodies[place] = [style.instead(" ".join(new), layout.statements[place].body)] if new else []
    return layout.changed(bodies).text


def _covers_airspaces(items: Iterable[str]) -> bool:
    """Whether as much is denied as clear airspaces say: no consolidation alone leaves room for other opacities."""
    named = " ".join(item.lower() for item in items)
    if re.search(r"infiltrate|air ?space (?:disease|opacit)", named):
        return True
    return "consolidation" in named and "opacit" in named


def _told(kind: str, told: set[str], out: list[str]) -> set[str]:
    region = "lung" if kind == "lung" else "pleura"
    if region in told:
        return set()
    out.append("The airspaces are clear." if region == "lung" else "The pleural spaces are clear.")
    return {region}


def _denied(sentence: str) -> Mapping[str, str]:
    """Items of a sentence that does nothing but deny, each with what it is; empty where it does anything else."""
    found = _DENIAL.match(bare(sentence))
    if found is None:
        return {}
    items = [item.strip() for item in _AND.split(found.group("items"))]
    return {
        item: next((kind for pattern, kind in _ITEM.items() if pattern.match(item.lower())), "other")
        for item in items
        if item
    }


def _listing(sentence: str) -> Mapping[str, str]:
    """As `_denied`, where nothing but absent findings is listed and the list ends where the sentence does.

    "No effusion or pneumothorax, mild edema is present" and "no effusion, no edema" are no such lists, nor is one of
    which the verb may be said of its last item alone: "no effusion, and pneumothorax is present".
    """
    items = _denied(sentence)
    if not items or not all(_PLAIN.fullmatch(item) for item in items):
        return {}
    between = [found.strip(" ,").lower() for found in _AND.findall(_DENIAL.sub(r"\g<items>", bare(sentence)))]
    if any(between[:-1]) and not all(between):
        return {}
    said = re.search(r"\s(?:is|are)\b[^,]*$", bare(sentence), re.IGNORECASE) is not None
    if between and ((said and between[-1] not in ("or", "nor")) or (not between[-1] and "other" in items.values())):
        return {}
    return items


def _affirming(sentence: str) -> str:
    """What a sentence says is there: what stands before a denial, and what turns away from one."""
    head, *denied = _DENYING.split(sentence)
    said = [head]
    for part in denied:
        _, *further = _TURNING.split(part)
        for clause in further:
            items = _AND.split(re.sub(r"^(?:or|and|nor)\s+", "", _SEEN.sub("", clause.strip()), flags=re.IGNORECASE))
            if not all(_PLAIN.fullmatch(item.strip()) for item in items):
                said.append(clause)
    return " ".join(said)


def _affirmed(report: ReportText, words: re.Pattern[str]) -> bool:
    """Whether a sentence has such a word in what it says is there."""
    return any(
        words.search(_affirming(sentence)) for name in report.sections for sentence in split_sentences(report.get(name))
    )


def _affirms_in_lung(report: ReportText) -> bool:
    """Whether a sentence names something in the lungs, and does not say it of another region."""
    for sentence in split_sentences(report.text):
        said = _affirming(sentence)
        if region(sentence) in _ELSEWHERE:
            said = _ANYWHERE.sub("", said)
        if _LUNG_FINDINGS.search(said):
            return True
    return False


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"
