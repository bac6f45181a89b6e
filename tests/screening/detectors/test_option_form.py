"""Hits and near misses of the screens of option form."""

import pytest
from tests.screening.builders import carriers, found, sure

CASES = [
    # name, stem, options, carriers
    ("parenthetical", "What?", ("Tear (SLAP lesion)", "Sprain", "Fracture"), "A"),
    ("parenthetical", "What?", ("Infection, e.g. syphilis", "Sprain", "Fracture"), "A"),
    ("parenthetical", "What?", ("(A) Tear", "Sprain", "Fracture"), ""),
    ("parenthetical", "What?", ("Tear (SLAP)", "Sprain (MCL)", "Fracture (ulna)"), ""),
    ("typography", "What?", ('"Bamboo" spine', "Sprain", "Fracture"), "A"),
    ("typography", "What?", ("Tear.", "Sprain", "Fracture"), "A"),
    ("typography", "What?", ("Tear", "Sprain.", "Fracture."), "A"),
    ("typography", "What?", ("Use of S. aureus etc.", "Sprain", "Fracture"), ""),
    ("typography", "What?", ("Tear", "sprain", "Fracture"), "B"),
    ("typography", "What?", ("Tear", "Sprain"), ""),
    ("format-residue", "What?", ("B. Tear", "Sprain", "Fracture"), "A"),
    ("format-residue", "What?", ("Tear  of ligament", "Sprain", "Fracture"), "A"),
    ("format-residue", "What?", ("E. coli", "Sprain", "Fracture"), "A"),
    ("format-residue", "What?", ("Beta blocker", "Sprain", "Fracture"), ""),
    ("mixed-script", "What?", ("肺炎", "Sprain", "Fracture"), "A"),
    ("mixed-script", "What?", ("β blocker", "Sprain", "Fracture"), ""),
    ("absolute-word", "When?", ("It always hurts", "It hurts at rest", "It hurts at night"), "A"),
    ("absolute-word", "When?", ("Complete heart block", "Total hip arthroplasty", "Allergy"), ""),
    ("absolute-word", "When?", ("Always", "Never", "Only at night"), ""),
    ("exclusionary-word", "What next?", ("No further treatment", "Surgery", "Splint"), "A"),
    ("exclusionary-word", "What next?", ("Exception handling", "Surgery", "Splint"), ""),
    ("hedged-word", "When?", ("It may recur", "It recurs", "It heals"), "A"),
    ("hedged-word", "When?", ("Admitted in May", "It recurs", "It heals"), ""),
    ("causal-statement", "Why?", ("Swelling due to stasis", "Tumor", "Infection"), "A"),
    ("causal-statement", "Why?", ("Residue", "Tumor", "Infection"), ""),
    ("asymmetric-specificity", "What?", ("Acute distal tear", "Tear", "Sprain"), "A"),
    ("asymmetric-specificity", "What?", ("Acute tear", "Tear", "Sprain"), ""),
    ("eponym", "What?", ("Crohn's disease", "Colitis", "Ulcer"), "A"),
    ("eponym", "What?", ("Crohn disease", "Graves disease", "Goiter"), "C"),
    ("eponym", "What?", ("Renal disease", "Colitis", "Ulcer"), ""),
    ("eponym", "What?", ("Stress fracture", "Colitis", "Ulcer"), ""),
    ("all-of-the-above", "Which?", ("Pain", "Fever", "All of the above"), "C"),
    ("all-of-the-above", "Which?", ("Pain", "Fever", "All are correct"), "C"),
    ("all-of-the-above", "Which?", ("Pain", "Fever", "All grafts"), ""),
    ("none-of-the-above", "Which?", ("Pain", "Fever", "None of the above."), "C"),
    ("none-of-the-above", "Which?", ("Pain", "Fever", "None"), "C"),
    ("none-of-the-above", "Which?", ("Pain", "Fever", "Nonesuch sign"), ""),
    ("both-options", "Which?", ("Pain", "Fever", "Both A and B"), "C"),
    ("both-options", "Which?", ("Pain", "Fever", "A, B and C are correct"), "C"),
    ("both-options", "Which?", ("I and II only", "Fever", "Pain"), "A"),
    ("both-options", "Which?", ("Both bones of the forearm", "Fever", "Pain"), ""),
    ("grammatical-agreement", "The finding is an", ("effusion", "fracture", "lesion"), "A"),
    ("grammatical-agreement", "The finding is an", ("MRI artefact", "fracture", "CT artefact"), "A"),
    ("grammatical-agreement", "The finding is a", ("effusion", "fracture", "unicorn"), "BC"),
    ("grammatical-agreement", "The structures seen are", ("Kerley lines", "fracture", "diabetes"), "A"),
    ("grammatical-agreement", "What is the finding?", ("effusion", "fracture", "lesion"), ""),
    ("verb-form-outlier", "What next?", ("Casting the arm", "Splint", "Sling"), "A"),
    ("verb-form-outlier", "What?", ("Cushing syndrome", "Goiter", "Gout"), ""),
    ("complement-pair", "What?", ("Increased flow", "Decreased flow", "Stasis"), "AB"),
    ("complement-pair", "What?", ("Hypernatremia", "Hyponatremia", "Gout"), "AB"),
    ("complement-pair", "What?", ("Heals with surgery", "Heals without surgery", "Gout"), "AB"),
    ("complement-pair", "What?", ("Left lung", "Right kidney", "Gout"), ""),
    ("complement-pair", "What?", ("Left lung", "Right lung"), ""),
    ("near-duplicate-options", "What?", ("Tear of the meniscus", "Tear of the labrum", "Gout"), "AB"),
    ("near-duplicate-options", "What?", ("Labral tear", "Meniscal tear", "Gout"), ""),
    ("near-duplicate-options", "What?", ("Tear of the labrum", "Tear of the meniscus", "Tear of the hip"), ""),
    ("nested-options", "What?", ("Pneumonia", "Right lower lobe pneumonia", "Gout"), "AB"),
    ("nested-options", "What?", ("Pneumonitis", "Right lower lobe pneumonia", "Gout"), ""),
    ("duplicate-options", "What?", ("Gout", "gout ", "Tear"), "AB"),
    ("duplicate-options", "What?", ("Gout", "Gouty", "Tear"), ""),
    ("numeric-outlier", "How many?", ("10", "12", "14", "90"), "D"),
    ("numeric-outlier", "How many?", ("10", "12", "14", "20"), ""),
    ("numeric-outlier", "Which?", ("Region 1", "Region 2", "Region 3", "Region 99"), ""),
    ("numeric-middle", "How many?", ("10", "30", "20"), "C"),
    ("numeric-middle", "How many?", ("10", "30", "20 or 40"), ""),
    ("numeric-end", "How many?", ("10", "30", "20"), "AB"),
    ("unit-mismatch", "How much?", ("10 mg", "30 mg", "20 mL"), "C"),
    ("unit-mismatch", "How much?", ("10 mg", "30 mg", "20 mg"), ""),
    ("unit-mismatch", "How much?", ("10", "30", "20%"), "C"),
    ("laterality", "Where?", ("Left lung", "Hilum", "Trachea"), "A"),
    ("laterality", "Where?", ("Bright spot", "Hilum", "Trachea"), ""),
    ("laterality", "Where?", ("Left lung", "Right lung"), ""),
    ("spatial-phrase", "Where?", ("Distal radius", "Hilum", "Trachea"), "A"),
    ("spatial-phrase", "Where?", ("Subdural hematoma", "Hilum", "Trachea"), "A"),
    ("spatial-phrase", "Where?", ("Interferon", "Subject", "Trachea"), ""),
    ("prepositional-phrase", "Where?", ("Seeding from the gut", "Hilum", "Trachea"), "A"),
    ("prepositional-phrase", "Where?", ("Tomorrow", "Hilum", "Trachea"), ""),
    ("range-or-threshold", "How?", ("At least 3 cm", "Small", "Large"), "A"),
    ("range-or-threshold", "How?", ("Type 2", "Small", "Large"), ""),
    ("spatial-outlier", "Where?", ("Distal radius", "Hilum", "Trachea"), "A"),
    ("spatial-outlier", "Where?", ("Distal radius", "Left hilum", "Trachea"), ""),
    ("option-type-outlier", "What?", ("Appendectomy", "Pneumonia disease", "Gastritis"), "A"),
    ("option-type-outlier", "What?", ("Appendectomy", "Gastritis", "Aorta"), ""),
    ("answer-type-mismatch", "What is the diagnosis?", ("Appendectomy", "Gastritis", "Hepatitis"), "A"),
    ("answer-type-mismatch", "What is the diagnosis?", ("Appendicitis", "Gastritis", "Hepatitis"), ""),
    ("answer-type-mismatch", "What is shown?", ("Appendectomy", "Gastritis", "Hepatitis"), ""),
    ("abbreviation", "What?", ("Human virus (HIV) infection", "Gout", "Tear"), "A"),
    ("abbreviation", "An ECG is done. What next?", ("Repeat ECG", "Observe", "Discharge"), "A"),
    ("abbreviation", "What next?", ("Repeat ECG", "Observe", "Discharge"), ""),
    ("answer-in-stem", "A man with gastric ulcers bleeds. Why?", ("Gastric ulcer", "Varices", "Cancer"), "A"),
    ("answer-in-stem", "A man with an ulcer of the stomach bleeds. Why?", ("Gastric ulcer", "Varices", "Cancer"), ""),
    ("answer-in-stem", "Which figure, A or B?", ("Figure A", "Figure B", "Figure C"), ""),
    ("rationale-in-option", "What?", ("Gout", "Tear\n\nThe added option (B) is plausible", "Sprain"), "B"),
    ("rationale-in-option", "What?", ("Gout", "Optional splint", "Sprain"), ""),
    ("modality-in-option", "A CT scan is shown. What next?", ("CT-guided biopsy", "MRI", "Surgery"), "A"),
    ("modality-in-option", "An image is shown. What next?", ("CT-guided biopsy", "MRI", "Surgery"), ""),
]


@pytest.mark.parametrize(("name", "stem", "options", "expected"), CASES)
def test_hits_and_near_misses(name, stem, options, expected):
    assert carriers(name, stem, *options) == expected


def test_every_screen_of_option_form_has_a_hit_and_a_near_miss_here_or_beside():
    from perimetry.screening.registry import chosen_screens

    elsewhere = {
        *("longest-option", "unique-longest-option", "longest-option-by-words", "unique-longest-option-by-words"),
        *("large-gap", "unique-shortest-option", "clang", "mixed-option-types", "ordered-options", "image-file-name"),
    }
    asked = {screen.name for screen in chosen_screens() if screen.unit == "option" or screen.layer == "option form"}
    tested = {name for name, _, _, expected in CASES if expected} & {
        name for name, _, _, expected in CASES if not expected
    }
    assert asked - elsewhere == tested - {"numeric-end"} | {"numeric-end"}


def test_options_of_several_kinds_are_counted():

    finding = found("mixed-option-types", "What?", "Appendectomy", "Gastritis", "Aorta", "Femur")
    assert sure(finding).note == "anatomy 2, diagnosis 1, management 1"
    assert found("mixed-option-types", "What?", "Appendicitis", "Gastritis", "Hepatitis") is None


def test_a_natural_order_is_told():

    assert sure(found("ordered-options", "How many?", "1 cm", "2 cm", "3 cm")).note == "ascending"
    assert sure(found("ordered-options", "Which?", "Third nerve", "Second nerve", "First nerve")).note == "descending"
    assert found("ordered-options", "How many?", "1 cm", "3 cm", "2 cm") is None
