"""From sentences to a template, and back."""

from __future__ import annotations

import re

from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.headings import filed
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.rules.spoken import needs_heading, spoken
from perimetry.editing.references.sentences import (
    bare,
    heading_of,
    is_structured,
    split_sentences,
    stopped,
    together,
    unnumbered,
)

__all__ = ["free_text", "structured"]

_IDLE = re.compile(r"(?:impression|conclusions?|findings?|opinion|summary)?$", re.IGNORECASE)


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
        new = new.with_section("findings", filed(report.findings))
    if report.impression and not is_structured(report.impression):
        new = new.with_section("impression", _numbered(report.impression))
    if new != report and not any(is_structured(new.get(name)) for name in new.sections):
        return Declined("infeasible", "no statement belongs under a heading")
    return new if new != report else Declined("already_in_form", "every section is laid out")


def free_text(report: ReportText, _draw: Draw) -> Rewritten:
    """Sentences without headings and list marks; a heading that its statement needs becomes part of it.

    Examples
    --------
    >>> free_text(ReportText("LUNGS: Clear. HEART: The heart is large.", "1. Clear."), lambda _, n: 0)
    ReportText(findings='The lungs are clear. The heart is large.', impression='Clear.')
    """
    new = ReportText(_prose(report.findings, report.text), _prose(report.impression, report.text))
    return new if new != report else Declined("already_in_form", "it is running text")


def _numbered(text: str) -> str:
    groups = together(split_sentences(text))
    if len(groups) < 2:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    items = (" ".join(stopped(_untitled(sentence)) for sentence in group) for group in groups)
    return newline.join(f"{number}. {item}" for number, item in enumerate(items, start=1))


def _untitled(sentence: str) -> str:
    """A sentence without its mark, and without a heading that says nothing."""
    return bare(sentence) if _IDLE.match(heading_of(sentence)) else unnumbered(sentence)


def _prose(text: str, whole: str) -> str:
    layout, style = Layout.of(text), Style.within(text, whole)
    if not any(each.mark or each.heading for each in layout.statements):
        return text
    said = []
    for title, each in zip(layout.titles, layout.statements, strict=True):
        if each.body:
            said.append(spoken(title if needs_heading(each) else "", each.said))
    return style.cased(" ".join(said))
