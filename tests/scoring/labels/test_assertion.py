"""What is said of a mention. Each case is read off the sentence by a person."""

from __future__ import annotations

import pytest

from perimetry.scoring.labels import RuleLabeller

SIGNS = {1: "+", 2: "-", 3: "?"}


def _read(text):
    return " ".join(
        f"{SIGNS[one.code]}{text[one.start : one.end].lower()}" for one in RuleLabeller().read(text).evidence
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # a denial goes through a list and ends where a new finding begins
        ("No edema, effusion or pneumothorax.", "-edema -effusion -pneumothorax"),
        ("No pneumothorax, stable cardiomegaly.", "-pneumothorax +cardiomegaly"),
        ("No edema but effusion.", "-edema +effusion"),
        ("No edema. Effusion.", "-edema +effusion"),
        ("No pneumothorax after removal of the chest tube.", "-pneumothorax -tube"),
        ("No pneumothorax, and the chest tube is unchanged.", "-pneumothorax +tube"),
        ("Neither edema nor effusion is seen.", "-edema -effusion"),
        # from behind
        ("Edema and effusion are not seen.", "-edema -effusion"),
        ("Effusion with a nodule that is no longer seen.", "+effusion -nodule"),
        ("Pleural effusion: none.", "-pleural effusion"),
        # gone, and not quite gone
        ("The effusion has resolved.", "-effusion"),
        ("Effusion resolved.", "-effusion"),
        ("Resolved effusion.", "-effusion"),
        ("Interval clearing of the opacities.", "-opacities"),
        ("The effusion has not resolved.", "+effusion"),
        ("The effusion has nearly resolved.", "+effusion"),
        ("Resolving pneumonia.", "+pneumonia"),
        # no denial
        ("No change in the effusion.", "+effusion"),
        ("No significant interval change in effusion or edema.", "+effusion +edema"),
        ("Effusion without change.", "+effusion"),
        # doubt
        ("Possible effusion.", "?effusion"),
        ("Opacity that may be pneumonia.", "+opacity ?pneumonia"),
        ("Atelectasis or pneumonia.", "?atelectasis ?pneumonia"),
        ("Atelectasis vs. pneumonia.", "?atelectasis ?pneumonia"),
        ("Atelectasis/infiltrate.", "+atelectasis +infiltrate"),
        ("No atelectasis or pneumonia.", "-atelectasis -pneumonia"),
        ("Pneumonia cannot be excluded.", "?pneumonia"),
        ("Opacity is smaller, but not entirely excluded.", "?opacity"),
        ("No opacity to suggest pneumonia.", "-opacity -pneumonia"),
        ("No edema, possible effusion.", "-edema ?effusion"),
        ("Probably atelectasis, with an effusion.", "?atelectasis +effusion"),
        # history and questions
        ("History of pneumonia.", ""),
        ("Compared to the film with the pneumothorax, the effusion is larger.", "+effusion"),
        ("Rule out fracture.", ""),
        ("If pneumonia is suspected, a lateral film may help.", ""),
        ("Small nodules may be missed.", ""),
        # structures
        ("The heart is enlarged.", "+heart is enlarged"),
        ("Enlarged heart.", "+enlarged heart"),
        ("Enlargement of the cardiac silhouette.", "+enlargement of the cardiac silhouette"),
        ("The heart is not significantly enlarged.", "-heart is not significantly enlarged"),
        ("Borderline cardiomegaly.", "+cardiomegaly"),
        ("The heart is borderline enlarged.", "+heart is borderline enlarged"),
        ("Heart size at the upper limits of normal.", "-heart size at the upper limits of normal"),
        ("No borderline cardiomegaly.", "-cardiomegaly"),
        ("Possible borderline cardiomegaly.", "?cardiomegaly"),
        ("Opacities most suggestive of artifacts healed rib fracture noted.", "?opacities +fracture"),
        ("Opacity suggestive of pneumonia.", "+opacity ?pneumonia"),
        ("No effusion and the heart is enlarged.", "-effusion +heart is enlarged"),
        ("The mediastinum is wide and the heart is normal.", "+mediastinum is wide -heart is normal"),
        ("The pulmonary vasculature is engorged.", "+pulmonary vasculature is engorged"),
        ("Fluid in the left pleural space.", "+fluid in the left pleural space"),
        # words that are none of the classes
        ("Pericardial effusion.", "+pericardial effusion"),
        ("Calcified granuloma.", "+calcified +granuloma"),
        ("No mass effect.", "-mass effect"),
        ("Midline trachea.", ""),
    ],
)
def test_what_is_said(text, said):
    assert _read(text) == said


def test_headings_tell_what_is_about_this_image():
    text = (
        "INDICATION: Pneumonia? History of effusion.\nCOMPARISON: Film with edema.\n\n"
        "FINDINGS: Cardiomegaly.\n\nIMPRESSION: No pneumothorax.\nRECOMMENDATION: CT for nodule. Effusion."
    )
    assert _read(text) == "+cardiomegaly -pneumothorax +effusion"


def test_a_structure_list_shares_its_word_before_or_behind():
    reading = RuleLabeller().read("Normal heart size and mediastinal contours.")
    assert {one.label for one in reading.evidence} == {"Cardiomegaly", "Enlarged Cardiomediastinum"}
    reading = RuleLabeller().read("Heart size and mediastinal contours are within normal limits.")
    assert [(one.label, one.code) for one in reading.evidence] == [
        ("Cardiomegaly", 2),
        ("Enlarged Cardiomediastinum", 2),
    ]
