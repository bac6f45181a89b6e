"""From sentences to a template, and back."""

from __future__ import annotations

import re

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.sentences import bare, is_listed, is_structured, split_sentences, together

__all__ = ["free_text", "structured"]

# In the order of the template; a sentence goes where its first telling word belongs.
_HEADINGS: tuple[tuple[str, str], ...] = (
    (
        "DEVICES",
        r"tubes?|catheters?|lines?|picc|port|pacemaker|pacer|leads?|wires?|clips?|stents?|sternotomy|hardware|valves?"
        r"|screws?",
    ),
    (
        "LUNGS AND PLEURA",
        r"lungs?|pulmonary|pleural?|effusions?|pneumothora\w+|consolidations?|opacit\w+|airspace|air space|infiltrates?"
        r"|atelectasis|edema|pneumonia|nodul\w+|mass(?:es)?|granulomas?|emphysem\w+|interstitial|costophrenic"
        r"|hyperexpan\w+|hyperinfl\w+|scarring|lobes?|bas(?:e|es|ilar)|bibasilar|apex|apical",
    ),
    ("HEART AND MEDIASTINUM", r"heart|cardi\w+|mediastin\w+|hil(?:ar|um|a)|aort\w+|vascul\w+|trachea"),
    (
        "BONES AND SOFT TISSUES",
        r"bon(?:e|es|y)|osseous|osseus|skelet\w+|ribs?|spine|t-spine|vertebra\w*|fractures?|degenerative|scolio\w+"
        r"|soft tissues?|spondylosis|osteophytes?|shoulders?|clavicles?",
    ),
    ("ABDOMEN", r"abdom\w+|diaphragm\w*|bowel|stomach|hernia|free air|intraperitoneal|cholecystectomy"),
)
_OTHER = "OTHER"
_WORDS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _HEADINGS}
_NAMED = re.compile(r"^\s*(?:\(?\d{1,2}[.)]\s+|[-*•]\s+)?([A-Z][A-Za-z/ &-]{2,40}):\s+")


def structured(report: ReportText, _draw: Draw) -> Rewritten:
    r"""Findings under headings, an impression of several statements as a numbered list; every sentence as it was.

    Examples
    --------
    >>> print(structured(ReportText("Heart is normal. Clear lungs."), lambda _, n: 0).findings)
    LUNGS AND PLEURA: Clear lungs.
    HEART AND MEDIASTINUM: Heart is normal.
    """
    new = report
    if report.findings and not is_structured(report.findings):
        new = new.with_section("findings", _under_headings(report.findings))
    if report.impression and not is_structured(report.impression):
        new = new.with_section("impression", _numbered(report.impression))
    return new if new != report else Declined("already_in_form", "every section is laid out")


def free_text(report: ReportText, _draw: Draw) -> Rewritten:
    """Sentences without headings and list marks; a heading that its statement needs becomes part of it.

    Examples
    --------
    >>> free_text(ReportText("LUNGS: Clear. HEART: The heart is large.", "1. Clear."), lambda _, n: 0)
    ReportText(findings='Lungs clear. The heart is large.', impression='Clear.')
    """
    new = ReportText(_prose(report.findings), _prose(report.impression))
    listed = any(is_listed(each) for name in report.sections for each in split_sentences(report.get(name)))
    return new if listed else Declined("already_in_form", "it is running text")


def _under_headings(text: str) -> str:
    held: dict[str, list[str]] = {name: [] for name in (*_WORDS, _OTHER)}
    for group in together(split_sentences(text)):
        first = bare(group[0])
        places = {name: found.start() for name, words in _WORDS.items() if (found := words.search(first))}
        heading = min(places, key=lambda name: places[name]) if places else _OTHER
        held[heading] += [_closed(bare(sentence)) for sentence in group]
    return "\n".join(f"{name}: {' '.join(sentences)}" for name, sentences in held.items() if sentences)


def _numbered(text: str) -> str:
    sentences = [_closed(bare(sentence)) for sentence in split_sentences(text)]
    if len(sentences) < 2:
        return text
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1))


def _prose(text: str) -> str:
    sentences = split_sentences(text)
    if not any(map(is_listed, sentences)):
        return text
    return " ".join(map(_spoken, sentences))


def _spoken(sentence: str) -> str:
    heading = _NAMED.match(sentence)
    body = _closed(bare(sentence))
    if heading is None:
        return body[:1].upper() + body[1:]
    words = [word for word in re.findall(r"[a-z]{4,}", heading.group(1).lower()) if word not in ("other", "findings")]
    if not words or any(word.rstrip("s") in body.lower() for word in words):
        return body[:1].upper() + body[1:]
    subject = heading.group(1).strip().capitalize()
    if re.match(r"(?:no|negative|there)\b", body, re.IGNORECASE):
        return f"{body[:1].upper()}{body[1:].rstrip('.')} of the {subject.lower()}."
    return f"{subject} {body[:1].lower()}{body[1:]}"


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
