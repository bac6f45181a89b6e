"""Where sentences end: not at an abbreviation, and not at a number within prose."""

from __future__ import annotations

import pytest

from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.sentences import split_sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Rt. basilar opacity.",
        "Lt. effusion.",
        "R. IJ line in place.",
        "L. lung clear.",
        "Opacity in the R. lung.",
        "Fluid in the Rt. Minor fissure.",
        "Tip approx. 3 cm above the carina.",
        "Seen at 10:30 a.m. by phone.",
        "Seen at 4 p.m. with the team.",
        "Scar vs. nodule.",
        "Discussed with Dr. Smith.",
        "Fracture of rib No. 5 on the left.",
        "Size is max. 3 cm and min. 2 cm.",
        "Increased to 3 and 4 cm resp. on both sides.",
        "Both lungs incl. the apices are clear.",
        "S/P CABG.",
        "Pt. w/ Rt. effusion c/w CHF.",
        "KVp 120.",
        "Old fx. of the left rib.",
        "Wedging of T. 12 is mild.",
    ],
)
def test_an_abbreviation_ends_no_sentence(sentence):
    assert split_sentences(f"{sentence} No fracture.") == [sentence, "No fracture."]
    assert split_sentences(f"Heart is large. {sentence}") == ["Heart is large.", sentence]


def test_a_side_at_the_end_of_a_sentence_ends_it():
    assert split_sentences("Greater on the R. The heart is large.") == ["Greater on the R.", "The heart is large."]


PROSE = [
    "The following are seen: 1. a 6 mm nodule in the right lung, 2. mild cardiomegaly, and 3. small left effusion.",
    "There is (1) a nodule and (2) a small effusion.",
    "There are a) a nodule, b) mild edema and c) a small effusion.",
    "1. A nodule, 2. mild edema, and 3. a small effusion.",
    "(1) nodule and (2) effusion.",
    "Findings include i) a nodule; ii) mild edema; and iii) effusion.",
]


@pytest.mark.parametrize("prose", PROSE)
def test_numbers_within_prose_cut_nothing(prose):
    text = f"Bones are intact. {prose} No pneumothorax."
    assert split_sentences(text) == ["Bones are intact.", prose, "No pneumothorax."]
    assert Layout.of(text).text == text


@pytest.mark.parametrize("prose", PROSE)
@pytest.mark.parametrize("target", ["structure:structured", "structure:free_text", "section_assignment:alternative"])
def test_numbered_prose_is_left_whole(prose, target):
    made = rewrite_by_rules(ReportText(f"{prose} No pneumothorax.", "Stable nodule. Large heart."), target)
    assert not isinstance(made, ReportText) or prose in made.text


@pytest.mark.parametrize(
    "text",
    [
        "1. Clear lungs. (2) No effusion. 3) Large heart.",
        "(1) Clear lungs. (2) No effusion. (3) Large heart.",
        "a. Clear lungs. b. No effusion. c. Large heart.",
        "A. Clear lungs. B. No effusion. C. Large heart.",
        "a) Clear lungs\nb) No effusion\nc) Large heart",
        "(a) Clear lungs. (b) No effusion. (c) Large heart.",
        "i. Clear lungs\nii. No effusion\niii. Large heart",
        "i) Clear lungs. ii) No effusion. iii) Large heart.",
        "(i) Clear lungs. (ii) No effusion. (iii) Large heart.",
        "I. Clear lungs. II. No effusion. III. Large heart.",
        "1 ) Clear lungs. 2 ) No effusion. 3 ) Large heart.",
        "FINDINGS: a. Clear lungs. b. No effusion. c. Large heart.",
    ],
)
def test_every_mark_of_a_list_goes(text):
    made = rewrite_by_rules(ReportText(text), "structure:free_text")
    assert made == ReportText("Clear lungs. No effusion. Large heart.")


def test_marks_under_a_heading_go_too():
    made = rewrite_by_rules(
        ReportText("1. Lungs: a. Clear lungs. b. No nodule. 2. Heart: Large."), "structure:free_text"
    )
    assert made == ReportText("Clear lungs. No nodule. The heart is large.")
