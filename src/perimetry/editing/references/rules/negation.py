"""Absent findings named, or their region called normal."""

from __future__ import annotations

import re
from collections.abc import Mapping

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.sentences import bare, heading_of, split_sentences

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
_CLEAR_LUNGS = re.compile(
    r"^(?:(?:the |both )?lungs (?:are |appear |remain )?clear(?: bilaterally)?|clear lungs)\.?$", re.IGNORECASE
)
_CLEAR_AIRSPACES = re.compile(r"^(?:the )?air ?spaces (?:are|appear) clear\.?$", re.IGNORECASE)
_CLEAR_PLEURA = re.compile(r"^(?:the )?pleural spaces? (?:is|are) (?:clear|normal)\.?$", re.IGNORECASE)
_NORMAL_HEART = re.compile(
    r"^(?:(?:the )?heart size (?:is |appears )?(?:normal|within normal limits)"
    r"|(?:the )?heart is (?:normal in size|of normal size|not enlarged)|normal heart size)\.?$",
    re.IGNORECASE,
)
# A lung with something in it is not clear, whatever else is absent: only words of other regions may be affirmed.
_LUNG_WORDS = re.compile(
    r"nodul|opacit|densit|granulom|scar|atelecta|emphysem|hyper|hypo|low lung|infiltrat|consolid|edema|interstit|mass\b"
    r"|lesion|markings|pneumon|copd|cavit|bronch|fibro|airspace|air space|congest|lucen|calcif|blunt|thicken|elevat"
    r"|flatten|volume|lobe|basilar|base|apex|apical|lingul|perihilar|hilar|tubercul|sarcoid|disease|xxxx|clear",
    re.IGNORECASE,
)
# "Clear" itself, and what de-identification hid, say nothing against clear lungs.
_LUNG_FINDINGS = re.compile(_LUNG_WORDS.pattern.replace("|xxxx|clear", ""), re.IGNORECASE)
_DENIED_LUNG = re.compile(
    r"\b(?:no|without|negative for|free of)\b[^.]*\b(?:consolidat\w+|infiltrates?|air ?space|opacit\w+)", re.IGNORECASE
)
_GOES_ON = re.compile(r"(?:specifically|in particular)\b", re.IGNORECASE)
# Clear lungs have no consolidation and nothing else. Where the report names something in them, they were called clear
# of consolidation only.
_CLEAR = "No focal consolidation, airspace opacity or other lung abnormality."
_CLEAR_AFFIRMED = "No focal consolidation or airspace opacity."
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
        sentences = split_sentences(report.get(name))
        spelled = _all_spelled(sentences, report)
        if spelled != sentences:
            new = new.with_section(name, " ".join(spelled))
    return new if new != report else Declined("already_in_form", "no region is only called normal")


def _all_spelled(sentences: list[str], report: ReportText) -> list[str]:
    """Sentences with their normal regions spelled out; a region of which something is denied by name is explicit."""
    named = {kind for sentence in sentences for kind in _denied(sentence).values()}
    named |= {"lung" for sentence in sentences if _DENIED_LUNG.search(bare(sentence))}
    lungs = "" if "lung" in named else _CLEAR_AFFIRMED if _affirmed(report, _LUNG_FINDINGS) else _CLEAR
    pleura = not named & {"effusion", "pneumothorax"}
    out = []
    for place, sentence in enumerate(sentences):
        follows = bare(sentences[place + 1]) if place + 1 < len(sentences) else ""
        # What goes on with "specifically" needs the general statement before it.
        out.append(sentence if _GOES_ON.match(follows) else _spelled(sentence, lungs, pleura))
    return out


def _spelled(sentence: str, lungs: str, pleura: bool) -> str:
    body = bare(sentence)
    mark = sentence[: len(sentence) - len(body)] if sentence.endswith(body) else ""
    if lungs and _CLEAR_LUNGS.match(body):
        return f"{mark}{lungs}"
    if lungs and _CLEAR_AIRSPACES.match(body):
        return f"{mark}{_CLEAR_AFFIRMED}"
    if pleura and _CLEAR_PLEURA.match(body):
        return f"{mark}No pleural effusion or pneumothorax."
    if _NORMAL_HEART.match(body):
        return f"{mark}No cardiomegaly."
    return sentence


def _implied(text: str, report: ReportText) -> str:
    sentences = split_sentences(text)
    denied = {place: items for place, sentence in enumerate(sentences) if (items := _denied(sentence))}
    kinds = {kind for items in denied.values() for kind in items.values()}
    regions = set()
    if {"effusion", "pneumothorax"} <= kinds and not _affirmed(report, _PLEURA_WORDS):
        regions |= {"effusion", "pneumothorax"}
    if "lung" in kinds and not _affirmed(report, _LUNG_WORDS):
        regions.add("lung")
    if not regions:
        return text
    out: list[str] = []
    told: set[str] = set()
    for place, sentence in enumerate(sentences):
        items = denied.get(place, {})
        covered = [item for item, kind in items.items() if kind in regions]
        if not covered:
            out.append(sentence)
            continue
        new: list[str] = []
        for item in covered:
            told |= _told(items[item], told, new)
        left = [item for item in items if item not in covered]
        if left:
            new.append(f"No {_listed(left)}.")
        if new and (heading := heading_of(sentence)):
            new[0] = f"{heading}: {new[0]}"
        out += new
    return " ".join(out)


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
    items = [
        item.strip() for item in re.split(r",\s*(?:or|and|nor)\s+|,\s*|\s+(?:or|and|nor)\s+", found.group("items"))
    ]
    return {
        item: next((kind for pattern, kind in _ITEM.items() if pattern.match(item.lower())), "other")
        for item in items
        if item
    }


def _affirmed(report: ReportText, words: re.Pattern[str]) -> bool:
    """Whether a sentence has such a word before anything that it denies."""
    return any(
        words.search(_DENYING.split(sentence, maxsplit=1)[0])
        for name in report.sections
        for sentence in split_sentences(report.get(name))
    )


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"
