"""Planted errors: one thing is changed, it is what the kind says, and everything else stays as it was."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from tests.editing.reports import composed

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.planting import KINDS, plant_errors
from perimetry.editing.references.sentences import split_sentences


@pytest.fixture(scope="module")
def planted():
    texts = [findings for findings, _ in composed(300)]
    return [(text, kind, made) for text in texts for kind, made in plant_errors(text).items()]


def check(text, kind, made):
    before, after = split_sentences(text), split_sentences(made)
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if kind == "dropped_finding":
        assert gone and not come
    elif kind == "new_finding":
        assert come and not gone and made.startswith(text.rstrip(" .\n"))
    else:
        assert len(before) == len(after)
        assert gone.total() == come.total() == 1
        (old,), (new,) = gone, come
        if kind == "flipped_side":
            assert re.sub("left|right", "side", old, flags=re.I) == re.sub("left|right", "side", new, flags=re.I)
            assert ("left" in old.lower()) != ("left" in new.lower())
        if kind == "changed_number":
            was, now = (list(map(float, re.findall(r"\d+(?:\.\d+)?", each))) for each in (old, new))
            assert [one != other for one, other in zip(was, now, strict=True)].count(True) == 1
        if kind == "flipped_negation":
            denying = re.compile(r"\b(?:no|not|negative|without)\b", re.I)
            assert bool(denying.search(old)) != bool(denying.search(new))
        if kind == "changed_severity":
            changed = [pair for pair in zip(old.split(), new.split(), strict=True) if pair[0] != pair[1]]
            assert 1 <= len(changed) <= 2  # the word, and its article
            assert not re.search(r"\ban (?![aeiou])|\ba [aeiou]", new)


def test_each_kind_does_what_it_says(planted):
    counts = Counter(kind for _, kind, _ in planted)
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 50
    for text, kind, made in planted:
        check(text, kind, made)


def test_real_references_too(shared_data):
    lines = (shared_data / "iu_generated" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["reference"] for line in lines]
    made = [(text, kind, new) for text in texts for kind, new in plant_errors(text).items()]
    assert len(made) > 2 * len(texts)
    for text, _, new in made:
        assert new == new.lower()  # as the references are
        assert not re.search(r"\w\.(?: |$)", new)
        assert text != new


def test_none_passes_for_another_wording(planted):
    accepted = [
        (text, kind, made)
        for text, kind, made in planted
        if judge(ReportText(text), ReportText(made), "terminology:alternative").outcome == "accepted"
    ]
    assert not accepted


@pytest.mark.parametrize(
    ("text", "kind", "made"),
    [
        ("LUNGS: No nodule.\r\nHEART: Large.", "flipped_negation", "LUNGS: Nodule.\r\nHEART: Large."),
        ("1. MILD CARDIOMEGALY\n2. CLEAR", "changed_severity", "1. SEVERE CARDIOMEGALY\n2. CLEAR"),
        ("A small nodule.", "changed_severity", "A large nodule."),
        ("a moderate effusion .", "changed_severity", "a minimal effusion ."),
        ("A minimal effusion.", "changed_severity", "An extensive effusion."),
        ("- Left-sided PICC\n- Clear", "flipped_side", "- Right-sided PICC\n- Clear"),
        ("Right catheter in the right atrium.", "flipped_side", "Left catheter in the right atrium."),
        ("1. Rib fracture.\n2. Clear lungs.", "dropped_finding", "1. Clear lungs."),
    ],
)
def test_layout_and_case_stay(text, kind, made):
    assert plant_errors(text)[kind] == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        # Only the word that denies goes, and a list is turned as a whole.
        ("no acute cardiopulmonary findings .", "acute cardiopulmonary findings ."),
        (
            "no acute or active cardiac pulmonary or pleural disease .",
            "acute or active cardiac pulmonary or pleural disease .",
        ),
        ("No focal consolidation, effusion, or pneumothorax.", "Focal consolidation, effusion, or pneumothorax."),
        ("There is no evidence of pneumothorax.", "There is evidence of pneumothorax."),
        ("There is no pneumothorax.", "There is a pneumothorax."),
        ("There is no acute infiltrate.", "There is an acute infiltrate."),
        ("There are no acute bony findings.", "There are acute bony findings."),
        ("No pleural effusion is seen.", "A pleural effusion is seen."),
        ("Negative for pneumothorax or effusion.", "Positive for pneumothorax or effusion."),
        ("There are multiple nodules.", "There are no nodules."),
        ("There is a small nodule.", "There is no small nodule."),
        ("Cardiomegaly is present.", "Cardiomegaly is not present."),
    ],
)
def test_a_turned_denial_can_be_read(text, made):
    assert plant_errors(text)["flipped_negation"] == made


@pytest.mark.parametrize(
    "text",
    [
        "No effusion, no pneumothorax.",
        "The nodule is no longer seen.",
        "No longer seen is the left effusion.",
        "No other nodule.",
        "There is also a nodule.",
        "There is an the left effusion.",
        "There is no acute osseous abnormalities.",
        "There are no pleural effusion.",
        "No effusion but a small nodule.",
        "No effusionheart size is within normal limits.",
        "There is a nodule and there are small effusions.",
    ],
)
def test_what_would_be_turned_by_half_is_left(text):
    assert "flipped_negation" not in plant_errors(text)


@pytest.mark.parametrize("text", ["", " ", "XXXX", "___", "Clear.", "No large effusion.", "Both lungs.", "左肺。"])
def test_where_there_is_no_place_nothing_is_planted(text):
    made = plant_errors(text)
    assert "changed_severity" not in made
    assert "flipped_side" not in made
    assert "dropped_finding" not in made


def test_the_seed_decides_and_nothing_else():
    text = " ".join(findings for findings, _ in composed(5))
    assert plant_errors(text) == plant_errors(text)
    assert any(plant_errors(text, seed) != plant_errors(text) for seed in range(5))
