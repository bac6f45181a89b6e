"""The rule verifier on pairs worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from perimetry.editing.references.accounting import differences, judge
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import RULES

FOLDER = Path(__file__).parents[1]

TARGET = "terminology:alternative"
SAME = [
    ("Mild cardiomegaly.", "Mildly enlarged heart."),
    ("Heart size is within normal limits.", "The cardiac silhouette is normal."),
    ("No pleural effusion or pneumothorax.", "There is no pneumothorax. No effusion is seen."),
    ("Right pleural effusion.", "There is a right-sided effusion."),
    ("Heart and mediastinum are normal.", "Normal cardiac and mediastinal contours."),
    ("A 2.5 cm mass.", "A 25 mm mass."),
    ("Fracture of the seventh rib.", "Fracture of the 7th rib."),
    ("Lungs are hyperexpanded but clear.", "Hyperinflated lungs; the lungs are clear."),
    ("Stable nodule.", "Unchanged nodule."),
]
OTHER = [
    ("Left effusion.", "Right effusion.", "a side changed: effusion"),
    ("Bilateral effusions.", "Left effusion.", "a side changed: effusion"),
    ("No effusion.", "Effusion is present.", "a negation changed: effusion"),
    ("The lungs are clear.", "The lungs are not clear.", "a negation changed: clear (lung)"),
    ("This may represent pneumonia.", "This represents pneumonia.", "the certainty changed: pneumonia"),
    ("This may represent pneumonia.", "This likely represents pneumonia.", "the certainty changed: pneumonia"),
    ("Concerning for pneumonia.", "Consistent with pneumonia.", "the certainty changed: pneumonia"),
    ("A 7 mm nodule.", "A 9 mm nodule.", "a number changed: 7 mm (nodule), 9 mm (nodule)"),
    ("Tip 4 cm above the carina. Endotracheal tube.", "Tip 4 cm below the carina. Endotracheal tube.", "a quality"),
    ("PICC ends in the SVC.", "PICC ends in the right atrium.", "a place"),
    ("Nodule and effusion.", "Nodule.", "a finding was lost: effusion"),
    ("Nodule.", "Nodule. Sarcoidosis.", "a content word was added: sarcoidosis"),
    ("Small effusion.", "Large effusion.", "a quality"),
    ("Small left effusion, large right mass.", "Large left effusion, small right mass.", "a quality"),
    ("Left mass, right effusion.", "Right mass, left effusion.", "a side changed"),
    ("Nodule.", "Nodule, unchanged from the prior study.", "a quality was added"),
    ("Upper lobe nodule.", "Lower lobe nodule.", "a place"),
    ("No large effusion.", "No effusion.", "a quality was lost: large (effusion)"),
    ("Right upper and left lower lobe opacity.", "Left upper and right lower lobe opacity.", "a side changed"),
    (
        "Effusions, larger on the left than on the right.",
        "Effusions, larger on the right than on the left.",
        "a quality",
    ),
    ("Effusion increased from 3 to 5 cm.", "Effusion increased from 5 to 3 cm.", "a number changed"),
    ("Right lung is clear. Left lung has a nodule.", "Left lung is clear. Right lung has a nodule.", "a side changed"),
    ("Pneumonia cannot be excluded.", "Pneumonia is excluded.", "a negation changed"),
    ("No non-calcified nodules.", "There are non-calcified nodules.", "a negation changed"),
    ("Lungs are clear of opacity.", "Lungs are not clear of opacity.", "a negation changed"),
    ("Deformity compatible with remote XXXX.", "Deformity, possibly remote XXXX.", "a quality"),
    ("It may be compatible with edema.", "It is compatible with edema.", "the certainty changed"),
    ("Nodule or mass.", "Nodule and mass.", "a quality was lost: or"),
    ("Atelectasis versus pneumonia.", "Atelectasis and pneumonia.", "a quality was lost: versus"),
    ("Interval removal of the chest tube.", "Chest tube.", "a content word was lost: removal"),
    ("Clear lungs.", "Left pleural mass: Clear lungs.", "a finding was added: mass"),
    ("Degenerative changes of the spine.", "Degenerative changes of the shoulder.", "a place"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_other_words_for_the_same(before, after):
    verdict = judge(ReportText(before), ReportText(after), TARGET)
    assert verdict.outcome == "accepted", verdict.reason


@pytest.mark.parametrize(("before", "after", "why"), OTHER)
def test_other_things_are_named(before, after, why):
    verdict = judge(ReportText(before), ReportText(after), "terminology:alternative")
    assert verdict.outcome == "rejected"
    assert verdict.reason.startswith(why), verdict.reason


def test_what_an_axis_forgives_another_does_not():
    before, after = ReportText("No effusion. Left nodule."), ReportText("Left nodule.")
    assert judge(before, after, "findings_scope:minimal").outcome == "accepted"
    assert judge(before, after, "terminology:alternative").outcome == "rejected"
    before, after = ReportText("Right upper lobe nodule."), ReportText("Right lung nodule.")
    assert judge(before, after, "anatomical_granularity:low").outcome == "accepted"
    assert judge(before, after, "hedging:alternative").outcome == "rejected"
    assert judge(after, before, "anatomical_granularity:low").outcome == "rejected"
    before, after = ReportText("No effusion or pneumothorax."), ReportText("The pleural spaces are clear.")
    assert judge(before, after, "negation:implicit").outcome == "accepted"
    assert judge(after, before, "negation:explicit").outcome == "accepted"
    assert judge(before, after, "negation:explicit").outcome == "rejected"


def test_an_implicit_statement_covers_what_was_denied_and_no_more():
    half = ReportText("No pneumothorax."), ReportText("The pleural spaces are clear.")
    assert judge(*half, "negation:implicit").outcome == "rejected"
    more = ReportText("No effusion or pneumothorax. No fracture."), ReportText("The pleural spaces are clear.")
    assert judge(*more, "negation:implicit").reason == "a finding was lost: fracture"


def test_content_may_move_between_sections_and_not_away():
    before = ReportText("Clear lungs. Stable nodule.", "No acute disease.")
    moved = ReportText("Clear lungs.", "No acute disease. Stable nodule.")
    assert judge(before, moved, "section_assignment:alternative").outcome == "accepted"
    assert judge(before, ReportText("Clear lungs.", "No acute disease."), "section_assignment:alternative").outcome == (
        "rejected"
    )


def test_an_axis_has_to_move():
    before = ReportText("This may represent a scar. Bony structures are intact.")
    other = ReportText("This may represent a scar. Osseous structures are intact.")
    assert judge(before, other, "hedging:alternative").reason == "no expression of doubt changed"
    assert judge(before, before, "hedging:alternative").reason == "nothing changed"


def test_a_heading_tells_where_and_nothing_more():
    prose, template = ReportText("The lungs are clear. Heart is normal."), ReportText("LUNGS: Clear.\nHEART: Normal.")
    assert judge(prose, template, "structure:structured").outcome == "accepted"
    assert judge(template, prose, "structure:free_text").outcome == "accepted"


def test_no_improvement_is_no_normal_statement():
    before = ReportText("There is no improvement of the edema. Nodule. No effusion.")
    assert judge(before, ReportText("Nodule."), "findings_scope:minimal").reason == "a finding was lost: edema"


def test_normal_vessels_cover_no_denial_about_the_lungs():
    before = ReportText(
        "Normal pulmonary vessels. The lungs are free of airspace disease. No effusion or pneumothorax."
    )
    whole = "Normal pulmonary vessels. The lungs are free of airspace disease. The pleural spaces are clear."
    half = ReportText("Normal pulmonary vessels. The pleural spaces are clear.")
    assert judge(before, ReportText(whole), "negation:implicit").outcome == "accepted"
    assert judge(before, half, "negation:implicit").outcome == "rejected"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Small left effusion and large right effusion.", "Large right effusion. Small left effusion."),
        ("Nodule in the right upper lobe has resolved. New left nodule.", "New left nodule. Resolved RUL nodule."),
        ("Atelectasis due to a mass.", "A mass causes atelectasis."),
        ("Edema has replaced consolidation.", "Consolidation has been replaced by edema."),
        ("The mass obscures the nodule.", "The nodule is obscured by the mass."),
        ("Because of a mass, there is atelectasis.", "Atelectasis secondary to a mass."),
        ("The catheter has been removed. A drain was placed.", "Interval removal of the catheter. A drain was placed."),
    ],
)
def test_what_is_bound_together_may_be_said_otherwise(before, after):
    for one, other in ((before, after), (after, before)):
        verdict = judge(ReportText(one), ReportText(other), TARGET)
        assert verdict.outcome == "accepted", verdict.reason
        assert judge(ReportText(one), ReportText(f"{other} {one}"), TARGET).outcome == "accepted"


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (
            "Nodule in the upper lobe. Nodule in the lower lobe has resolved.",
            "Nodule in the lower lobe. Nodule in the upper lobe has resolved.",
            "what is said of a finding changed",
        ),
        (
            "Calcified nodule. Spiculated mass.",
            "Spiculated nodule. Calcified mass.",
            "what goes with a finding changed",
        ),
        ("Scar rather than nodule.", "Nodule rather than scar.", "the order changed: nodule, scar (rather)"),
    ],
)
def test_a_swap_is_named(before, after, why):
    one, other = sorted((before, after))
    assert judge(ReportText(one), ReportText(other), TARGET).reason.startswith(why)


SIDED = [
    ("Rt. effusion.", "Right effusion.", "Left effusion.", "Effusion."),
    ("Small Lt. effusion. Lungs clear.", "Small left effusion. Lungs clear.", "Small rt. effusion. Lungs clear.", ""),
    ("R effusion.", "Right effusion.", "L effusion.", "Effusion."),
    ("Effusion (L).", "Left effusion.", "Effusion (R).", "Effusion."),
    ("Bilat. effusions.", "Bilateral effusions.", "Rt. effusions.", "Effusions."),
    ("B/L effusions.", "Bilateral effusions.", "L effusions.", "Effusions."),
    ("RUL nodule.", "Right upper lobe nodule.", "LUL nodule.", "Nodule."),
    ("RML nodule.", "Nodule in the right middle lobe.", "RLL nodule.", "Nodule."),
    ("Opacity in the LLL.", "Left lower lobe opacity.", "Opacity in the LUL.", "Lower lobe opacity."),
    ("Elevated R hemidiaphragm.", "Elevated right diaphragm.", "Elevated L hemidiaphragm.", "Elevated hemidiaphragm."),
]


@pytest.mark.parametrize(("before", "same", "turned", "less"), SIDED)
def test_sides_and_lobes_are_read_from_their_letters(before, same, turned, less):
    assert judge(ReportText(before), ReportText(same), TARGET).outcome == "accepted"
    for other in (turned, less):
        assert judge(ReportText(before), ReportText(other), TARGET).outcome == "rejected"
        assert judge(ReportText(same), ReportText(other), "anatomical_granularity:low").outcome == "rejected"


def test_letters_in_other_names_are_no_sides():
    assert (
        judge(ReportText("L1 and L-spine fracture."), ReportText("Left spine fracture."), TARGET).outcome == "rejected"
    )


SWAPS = [line.split("\t") for line in (FOLDER / "different.tsv").read_text(encoding="utf-8").splitlines()[99:]]


@pytest.mark.parametrize("target", sorted(RULES))
def test_no_form_forgives_a_swap(target):
    assert len(SWAPS) >= 88
    taken = [
        (one, other)
        for pair in SWAPS
        for one, other in (pair, pair[::-1])
        if judge(ReportText(one), ReportText(other), target).outcome == "accepted"
        or not differences(ReportText(one), ReportText(other), target).explained
    ]
    assert taken == []
