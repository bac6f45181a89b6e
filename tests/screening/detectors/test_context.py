"""Natural clinical context: hits by category, and false friends."""

import pytest
from tests.screening.builders import found, item, sure

from perimetry.screening.context_words import CATEGORIES
from perimetry.screening.detectors.context import context_of
from perimetry.screening.registry import screens

HITS = [
    ("A Chinese man falls.", [("race-ethnicity-origin", "Chinese")]),
    ("An African-American woman falls.", [("race-ethnicity-origin", "African-American")]),
    ("Two black men fall.", [("race-ethnicity-origin", "black men")]),
    ("He speaks only Farsi through an interpreter.", [("language", "speaks only"), ("language", "interpreter")]),
    ("A trip to China.", [("geography-migration-travel", "trip"), ("geography-migration-travel", "China")]),
    ("Immigrants from rural areas.", [("geography-migration-travel", w) for w in ("Immigrants", "rural")]),
    ("Farmers and coal miners.", [("occupation", "Farmers"), ("occupation", "coal miners")]),
    ("A war veteran.", [("military", "war veteran")]),
    ("A 20 pack-year smoker.", [("substance-use", "pack-year"), ("substance-use", "smoker")]),
    ("He lives in a nursing home.", [("housing-care-environment", "nursing home")]),
    ("She has no health insurance.", [("insurance-access", "health insurance")]),
    ("Obese and wheelchair-bound.", [("disability-function-body-size", w) for w in ("Obese", "wheelchair-bound")]),
    ("Her husband died.", [("family-social-support", "husband")]),
    ("She is pregnant.", [("sex-gender-reproductive", "pregnant")]),
    ("A transgender man.", [("sex-gender-reproductive", "transgender")]),
    ("He was in prison.", [("other", "prison")]),
    ("A Jehovah's Witness.", [("other", "Jehovah's Witness")]),
]

FRIENDS = [
    "Black stool and black tarry stools.",
    "White matter lesions with a high white blood cell count.",
    "Dishes of fine china and a turkey dinner.",
    "Chinese hamster ovary cells of a guinea pig.",
    "A herniated disc; discharged after hospital discharge.",
    "The stent was deployed, muscle recruitment was poor.",
    "Japanese encephalitis, German measles and familial Mediterranean fever.",
    "A 12 French catheter by Canadian C-spine rules.",
    "Baker's cyst, tennis elbow and farmer's lung.",
    "Sister Mary Joseph nodule and daughter cysts near the parent artery.",
    "A double-blind study of the blind loop with a tall T wave.",
    "Congo red, India ink stain, and the para-aortic nodes.",
    "Fetal alcohol syndrome; holiday heart.",
    "He saw his PCP after a car traveling at speed hit him, near an urgent care facility.",
    "An ASIA grade of the spinal cord injury.",
    "Pain that migrated after a meal at a Mexican restaurant; a law firm partner has nobody to cook.",
    "Executive function of a pilot study.",
    "Polish the enamel; a greek letter.",
]


@pytest.mark.parametrize(("stem", "expected"), HITS)
def test_context_is_found_with_its_category_and_span(stem, expected):
    assert [(hit.label, stem[hit.start : hit.end]) for hit in context_of(item(stem))] == expected


@pytest.mark.parametrize("stem", FRIENDS)
def test_false_friends_are_passed_over(stem):
    assert [stem[hit.start : hit.end] for hit in context_of(item(stem))] == []


def test_the_categories_are_those_of_the_paper_and_each_is_a_screen():
    assert [category.name for category in CATEGORIES] == [
        *("race-ethnicity-origin", "language", "geography-migration-travel", "occupation", "military", "substance-use"),
        *("housing-care-environment", "insurance-access", "disability-function-body-size", "family-social-support"),
        *("sex-gender-reproductive", "other"),
    ]
    assert {f"context-{category.name}" for category in CATEGORIES} <= set(screens().names())


def test_no_phrase_stands_in_two_categories():
    seen: dict[str, str] = {}
    for category in CATEGORIES:
        for phrase in category.phrases:
            assert seen.setdefault(phrase, category.name) == category.name, phrase


def test_a_screen_tells_its_own_category_only():
    stem = "A Chinese farmer limps."
    assert [stem[span.start : span.end] for span in sure(found("context-occupation", stem)).spans] == ["farmer"]
    assert found("context-military", stem) is None
