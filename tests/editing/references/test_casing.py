"""Abbreviations in capitals make no report one in capitals."""

from __future__ import annotations

import pytest

from perimetry.editing.references.casing import Style, in_style_of
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import rewrite_by_rules

SHORT = ("CHF.", "COPD.", "XXXX.", "1. COPD.\n2. CHF.", "XXXX XXXX XXXX.", "COPD, CABG, XXXX.", "PICC, ARDS.", "NAD")


@pytest.mark.parametrize("impression", SHORT)
def test_what_moves_to_abbreviations_keeps_its_case(impression):
    report = ReportText("Stable mild cardiomegaly. Lungs are clear.", impression)
    made = rewrite_by_rules(report, "section_assignment:alternative")
    assert isinstance(made, ReportText)
    assert made.findings == "Lungs are clear."
    assert "Stable mild cardiomegaly" in made.impression


def test_so_it_does_where_only_the_other_section_is_in_capitals():
    report = ReportText("Stable mild cardiomegaly. Lungs are clear.", "EMPHYSEMA. NOTHING ACUTE.")
    made = rewrite_by_rules(report, "section_assignment:alternative")
    assert isinstance(made, ReportText)
    assert made.impression == "EMPHYSEMA. NOTHING ACUTE. Stable mild cardiomegaly."


@pytest.mark.parametrize("impression", SHORT)
def test_short_sections_of_a_report_in_capitals_are_in_capitals(impression):
    report = ReportText("THE LUNGS ARE CLEAR. STABLE NODULE.", impression)
    made = in_style_of(ReportText("No nodule.", "Nothing acute."), report)
    assert made == ReportText("NO NODULE.", "NOTHING ACUTE.")


@pytest.mark.parametrize("text", ["CHF.", "XXXX", "COPD XXXX.", "PA AND LAT.", ""])
def test_such_words_alone_are_no_capitals(text):
    assert not Style.of(text).capital


def test_words_are():
    assert Style.of("LUNGS CLEAR.").capital
