"""Headed reports of several hands."""

from __future__ import annotations

import pytest

from perimetry.cases.report_sections import headed_sections


@pytest.mark.parametrize(
    ("report", "sections"),
    [
        (
            "FINAL REPORT\n REASON FOR EXAMINATION:  Cough.\n\n PA AND LATERAL VIEWS\n\n"
            " FINDINGS AND IMPRESSION:\n Clear\n  lungs: no effusion.\n",
            {"findings": "Clear lungs: no effusion.", "indication": "Cough."},
        ),
        ("FINDINGS: One.\n\nIMPRESSION: Two.\n\nFINDINGS: Three.", {"findings": "One. Three.", "impression": "Two."}),
        # A heading that means nothing here closes the section before it.
        ("IMPRESSION: Clear.\n\nNOTIFICATION: Called at 3.", {"impression": "Clear."}),
        # No heading of a finding: the last paragraph.
        (
            "FINAL REPORT\n\nHISTORY: Fever.\n\nThe lungs are clear.\nNo effusion.",
            {"findings": "The lungs are clear. No effusion.", "indication": "Fever."},
        ),
        # An empty line after the heading; two paragraphs of findings.
        (
            "INDICATION:\n\n Cough\n\nFINDINGS:\n\n Clear.\n\n No effusion.\n\nIMPRESSION:  None",
            {"findings": "Clear. No effusion.", "impression": "None", "indication": "Cough"},
        ),
        ("No acute disease.", {"findings": "No acute disease."}),
        ("", {}),
        ("FINDINGS:\n\nIMPRESSION:\n", {}),
    ],
)
def test_headed_reports(report, sections):
    assert headed_sections(report) == sections
