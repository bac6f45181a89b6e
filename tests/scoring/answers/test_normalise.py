"""Normal forms, written by hand."""

from __future__ import annotations

import pytest

from perimetry.scoring.answers.normalise import NO_WORDS, YES_WORDS, normalise, yes_or_no


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The Left  Lung.", "left lung"),
        ("  left\tlung\n", "left lung"),
        ("a mass", "mass"),
        ("An enlarged heart", "enlarged heart"),
        ("Hepatitis A", "hepatitis a"),
        ("A", "a"),
        ("the", "the"),
        ("X-Ray", "xray"),
        ("x ray", "xray"),
        ("Xray", "xray"),
        ("max rays", "max rays"),
        ("MR-FLAIR", "mr flair"),
        ("MRI/FLAIR", "mri flair"),
        ("One", "1"),
        ("twenty", "20"),
        ("someone", "someone"),
        ("5cm", "5 cm"),
        ("5 cm", "5 cm"),
        ("5.6cm focal", "5.6 cm focal"),
        ("T2", "t2"),
        ("3D", "3d"),
        (".5", "0.5"),
        ("-3", "-3"),
        ("L2-3", "l2 3"),
        ("−3", "-3"),
        ("50 %", "50%"),
        ("1,000", "1000"),
        ("80,80,100", "80 80 100"),
        ("2,0", "2 0"),
        ("g/cm³", "g cm3"),
        ("g/cm^3", "g cm3"),
        ("H₂O", "h2o"),
        ("Becker’s", "beckers"),
        ("Becker's", "beckers"),
        ("ﬁbrosis", "fibrosis"),
        ("ÉTAT", "état"),
        ("右肺, 左侧", "右肺 左侧"),
        ("右肺，左侧", "右肺 左侧"),
        ("...", ""),
        ("", ""),
    ],
)
def test_normal_form(text: str, wanted: str) -> None:
    assert normalise(text) == wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [("-80,80", "80,80"), ("left", "right"), ("1.162", "1.172"), ("2.0", "20"), ("1 to 4", "4 to 1"), ("T1", "T2")],
)
def test_different_answers_stay_different(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_yes_and_no_do_not_overlap_and_are_normal_forms() -> None:
    assert not YES_WORDS & NO_WORDS
    assert all(normalise(word) == word for word in YES_WORDS | NO_WORDS)
    assert [yes_or_no(word) for word in ("yes", "false", "nothing")] == ["yes", "no", None]
