"""Reports without their measurements: what belongs to one goes with it, and what needs one stays."""

from __future__ import annotations

import pytest

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.rules.outcome import Declined

LOW = "quantitative_granularity:low"


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("There is a 26 cm diameter masslike density.", "There is a masslike density."),
        ("A 2 cm in diameter nodule.", "A nodule."),
        ("An approximately 3 cm opacity.", "An opacity."),
        ("A 3 cm opacity.", "An opacity."),
        ("An 8 mm nodule.", "A nodule."),
        ("Effusion which measures 2.0 cm.", "Effusion."),
    ],
)
def test_words_that_belong_to_a_measurement_go_with_it(text, without):
    assert rewrite_by_rules(ReportText(text), LOW) == ReportText(without)
    assert judge(ReportText(text), ReportText(without), LOW).outcome == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "Rounded 14 cm projecting retrosternally on lateral view only.",
        "This measures approximately 8 mm in diameter.",
        "There is a nodule. The nodule measures 8 mm and is calcified.",
        "A 5 mm thick wall.",
        "The nodule is 8 mm and calcified.",
        "Nodule. Approximately 8 mm seen on the lateral view.",
    ],
)
def test_a_sentence_about_a_measurement_is_left(text):
    made = rewrite_by_rules(ReportText(text), LOW)
    assert isinstance(made, Declined)
    assert made.status == "infeasible"
