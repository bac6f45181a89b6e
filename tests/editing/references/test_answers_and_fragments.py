"""What says nothing by itself stays with what it is about: answers, opinions on a finding, corrections, list items."""

from __future__ import annotations

import pytest

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.sentences import split_sentences, together


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("Pneumothorax? None. Effusion? Small, left. Heart size is normal.", [2, 2, 1]),
        ("Is there an effusion? No. Is there a pneumothorax? Yes, large, on the left.", [2, 2]),
        ("2 cm left lung mass. Likely malignant. Bones are intact.", [2, 1]),
        ("Left nodule. Suspicious for metastasis. No pneumothorax.", [2, 1]),
        ("History of effusion. None of these are seen today. Lungs are clear.", [2, 1]),
        ("Left granuloma. Remaining lungs are clear. Heart is normal.", [2, 1]),
        ("Lungs are clear. Disregard the above; wrong patient. Right lung shows pneumonia.", [2, 1]),
    ],
)
def test_what_leans_stays_with_what_stands_before_it(text, groups):
    assert [len(group) for group in together(split_sentences(text))] == groups
    for target in ("structure:structured", "findings_scope:minimal", "section_assignment:alternative"):
        made = rewrite_by_rules(ReportText(text, "Effusion."), target)
        if isinstance(made, ReportText):
            held = [group for group in together(split_sentences(text)) if len(group) > 1]
            said = " ".join(split_sentences(made.text))
            assert all(" ".join(group) in said or all(each not in said for each in group) for group in held), made


@pytest.mark.parametrize(
    "text",
    [
        "The left apex is not imaged.",
        "The right lung base is excluded from the film.",
        "The right lower lobe is cut off.",
        "Left upper lobe obscured by the pacemaker. Lungs clear.",
    ],
)
def test_a_part_that_is_not_seen_is_not_the_whole(text):
    made = rewrite_by_rules(ReportText(text), "anatomical_granularity:low")
    assert not isinstance(made, ReportText)
    coarse = text.replace("apex", "lung").replace("lung base", "lung").replace("lower lobe", "lung")
    coarse = coarse.replace("upper lobe", "lung")
    assert judge(ReportText(text), ReportText(coarse), "anatomical_granularity:low").outcome != "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "The pleural spaces are clear. Small right apical pneumothorax is new.",
        "Heart size is normal. No, on review, the heart is enlarged.",
    ],
)
def test_a_region_with_something_in_it_is_not_spelled_out(text):
    assert not isinstance(rewrite_by_rules(ReportText(text), "negation:explicit"), ReportText)


def test_items_in_a_row_need_no_full_stop():
    layout = Layout.of("1. Right basilar opacity 2. No effusion 3. Rib fracture")
    assert [(each.mark, each.body) for each in layout.statements] == [
        ("1. ", "Right basilar opacity"),
        ("2. ", "No effusion"),
        ("3. ", "Rib fracture"),
    ]
    made = rewrite_by_rules(ReportText("1. Emphysema without failure 2. Ectatic aorta."), "structure:free_text")
    assert made == ReportText("Emphysema without failure. Ectatic aorta.")
