"""Where nothing abnormal is named, lungs, pleura and heart stay, in whatever words they are normal."""

from __future__ import annotations

import pytest

from perimetry.editing.references.accounting import judge
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import rewrite_by_rules

TARGET = "findings_scope:minimal"
MAIN = ("Heart size is normal.", "The lungs are clear.", "No pleural effusion or pneumothorax.")


def minimal(text):
    made = rewrite_by_rules(ReportText(text), TARGET)
    return made.findings if isinstance(made, ReportText) else text


@pytest.mark.parametrize(
    "besides",
    [
        "Good inspiration.",
        "Adequate inspiratory effort.",
        "The visualized bony structures reveal no acute abnormalities.",
        "The bones show no acute abnormality.",
        "The lungs are well-aerated.",
        "The lungs are well expanded.",
        "The patient is rotated.",
        "Portable upright technique.",
        "2 images.",
        "PA and lateral views were obtained.",
        "Comparison is made with an older study.",
        "Stable cardiomediastinal silhouette.",
        "No acute osseous lesions are identified.",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_lungs_pleura_and_heart_stay(besides, first):
    said = (besides, *MAIN) if first else (*MAIN, besides)
    left = minimal(" ".join((*said, "The trachea is midline.")))
    assert all(each in left for each in MAIN)
    assert "trachea" not in left


def test_a_real_one_keeps_them():
    report = ReportText(
        "The cardiomediastinal silhouette is normal size and configuration. Normal pulmonary vasculature. "
        "The lungs are well-aerated. There is no pneumothorax, pleural effusion, or focal consolidation."
    )
    made = rewrite_by_rules(report, TARGET)
    assert isinstance(made, ReportText)
    assert made.findings == (
        "The cardiomediastinal silhouette is normal size and configuration. The lungs are well-aerated. "
        "There is no pneumothorax, pleural effusion, or focal consolidation."
    )
    assert judge(report, made, TARGET).outcome == "accepted"


@pytest.mark.parametrize(
    "normal",
    [
        "The visualized bony structures reveal no acute abnormalities.",
        "Lungs are well aerated.",
        "The lungs are well-expanded and clear.",
        "Lungs demonstrate no acute findings.",
        "No typical findings of pulmonary edema.",
    ],
)
def test_normal_statements_in_other_words_go(normal):
    assert minimal(f"{normal} Left rib fracture.") == "Left rib fracture."


@pytest.mark.parametrize(
    "abnormal",
    [
        "A nodule is seen and no effusion.",
        "Heart size is normal, effusion is present.",
        "The lungs show consolidation and no effusion.",
        "Effusion, heart size normal.",
    ],
)
def test_a_finding_beside_what_is_normal_stays(abnormal):
    assert abnormal in minimal(f"{abnormal} Left rib fracture. The trachea is midline.")
