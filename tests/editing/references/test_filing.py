"""Statements of a template under the heading that they belong to."""

from __future__ import annotations

import pytest

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.rules.headings import region

LUNGS, HEART, BONES, DEVICES = "LUNGS AND PLEURA", "HEART AND MEDIASTINUM", "BONES AND SOFT TISSUES", "DEVICES"


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("No PTX.", LUNGS),
        ("Small right PTX.", LUNGS),
        ("RUL nodule.", LUNGS),
        ("COPD.", LUNGS),
        ("Ground-glass changes.", LUNGS),
        ("Good inspiration.", LUNGS),
        ("ETT tip 3-4 cm above the carina.", DEVICES),
        ("NGT below the diaphragm.", DEVICES),
        ("CVC ends in the SVC.", DEVICES),
        ("IABP in place.", DEVICES),
        ("Tracheostomy in place.", DEVICES),
        ("Swan-Ganz in the right pulmonary artery.", DEVICES),
        ("Sternal staples.", DEVICES),
        ("The tip could be advanced 2 cm.", DEVICES),
        ("Advancement by 2 cm is suggested.", DEVICES),
        ("Recommend repositioning.", DEVICES),
        ("Kyphosis of 40 degrees.", BONES),
        ("Dextrocurvature.", BONES),
        ("T9 compression deformity.", BONES),
        ("Anterior wedging.", BONES),
        ("DJD.", BONES),
        ("Advanced degenerative changes.", BONES),
        ("Tortuous aorta.", HEART),
    ],
)
def test_a_statement_has_its_heading(sentence, heading):
    assert region(sentence) == heading


@pytest.mark.parametrize(
    "told",
    [
        "The tip could be advanced 2 cm.",
        "This could be advanced 2 cm.",
        "It should be withdrawn 3 cm.",
        "Recommend advancing 2 cm.",
        "Consider repositioning.",
    ],
)
@pytest.mark.parametrize("between", ["", "Lungs are clear. "])
def test_what_is_advised_of_a_device_stays_with_it(told, between):
    text = f"Heart is large. ETT 7 cm above the carina. {between}{told} No fracture."
    made = rewrite_by_rules(ReportText(text), "structure:structured")
    assert isinstance(made, ReportText)
    assert f"DEVICES: ETT 7 cm above the carina. {told}" in made.findings.splitlines()
