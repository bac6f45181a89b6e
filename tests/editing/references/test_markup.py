"""Tables, bold words and headings of a mark-up language are never torn."""

from __future__ import annotations

import pytest

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import RULES, rewrite_by_rules
from perimetry.editing.references.rules.markup import LAID_OUT
from perimetry.editing.references.rules.outcome import Declined

MARKED = {
    "table": "| Part | Finding |\n|---|---|\n| Lungs | No effusion or pneumothorax. Stable nodule |\n| Heart | Large |",
    "bold": "**Lungs:** Clear. No effusion or pneumothorax.\n**Heart:** Stable mild cardiomegaly.",
    "headings": "## Lungs\nClear. No effusion or pneumothorax.\n## Heart\nStable mild cardiomegaly.\n",
    "rule": "Clear lungs. Stable mild cardiomegaly.\n---\nNo effusion or pneumothorax.",
    "tags": "<b>Lungs</b> are clear.<br>Stable mild cardiomegaly. No effusion or pneumothorax.",
}


@pytest.mark.parametrize("target", sorted(LAID_OUT))
@pytest.mark.parametrize("text", MARKED.values(), ids=MARKED)
@pytest.mark.parametrize("section", ["findings", "impression"])
def test_what_moves_sentences_leaves_markup_alone(text, target, section):
    other = "The lungs are clear. Heart is stable."
    report = ReportText(text, other) if section == "findings" else ReportText(other, text)
    made = rewrite_by_rules(report, target)
    assert isinstance(made, Declined)
    assert made.status == "infeasible"


@pytest.mark.parametrize("target", sorted(set(RULES) - LAID_OUT))
@pytest.mark.parametrize("text", MARKED.values(), ids=MARKED)
def test_other_axes_keep_it_as_it_is(text, target):
    made = rewrite_by_rules(ReportText(text), target)
    kept = [sign for sign in text if sign in "|*#-<>\n"]
    assert isinstance(made, Declined) or [sign for sign in made.findings if sign in "|*#-<>\n"] == kept


@pytest.mark.parametrize(
    "text",
    [
        "1. Discussed with Dr. ___.\n2. ___ is clear.",
        "LUNGS: Clear.\nHEART: Large.",
        "* Clear lungs.\n* Large heart.",
        "- Clear.\n- Large heart.",
    ],
)
def test_lists_and_plain_headings_are_no_markup(text):
    assert isinstance(rewrite_by_rules(ReportText(text), "structure:free_text"), ReportText)
