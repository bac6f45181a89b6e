"""Hits and near misses of the screens of the stem."""

import pytest
from tests.screening.builders import found, item, marked, sure

from perimetry.screening.dataset_statistics import DatasetStatistics

CASES = [
    # name, stem, marked passages in lower case
    ("negative-lead-in", "A man falls. Which of the following is NOT seen?", ["is not", "not"]),
    ("negative-lead-in", "All of the following are seen except:", ["except"]),
    ("negative-lead-in", "Which is least likely?", ["least likely"]),
    ("negative-lead-in", "The man does not smoke. What is seen?", []),
    ("negative-lead-in", "He is not ill.", []),
    ("opinion-lead-in", "In your opinion, what is seen?", ["in your opinion"]),
    ("opinion-lead-in", "Describe the lesion.", ["describe"]),
    ("opinion-lead-in", "Which terms describe the lesion?", []),
    ("prior-diagnosis-or-treatment", "A man with a history of gout limps.", ["history of"]),
    ("prior-diagnosis-or-treatment", "A man underwent resection.", ["underwent "]),
    ("prior-diagnosis-or-treatment", "A man with no history of gout limps.", []),
    ("prior-diagnosis-or-treatment", "A history of smoking is noted.", []),
    ("timeline", "Two weeks ago he fell.", ["two weeks ago"]),
    ("timeline", "He has a 3-day history of pain.", ["3-day history"]),
    ("timeline", "He is 3 days old.", []),
    ("device-named", "A chest tube is seen.", ["chest tube"]),
    ("device-named", "Pacemakers are seen.", ["pacemakers"]),
    ("device-named", "The fallopian tube and the growth plate are seen.", []),
    ("mark-named", "What does the arrow show?", ["arrow"]),
    ("mark-named", "Marked tenderness and a narrow canal; stars and stripes of a start.", ["stars"]),
    ("mark-named", "Marked tenderness is noted.", []),
    ("protocol-named", "A T2-weighted image is shown.", ["t2-weighted"]),
    ("protocol-named", "A Gram stain is done.", ["gram stain"]),
    ("protocol-named", "Pain at T2 and a gram of drug.", []),
    ("rationale-in-stem", "What is it? Answer: gout.", ["answer:"]),
    ("rationale-in-stem", "What is the answer?", []),
    ("source-language", "Image courtesy of a colleague. What is it?", ["courtesy of"]),
    ("source-language", "The chapter of his life. What is it?", []),
    ("patient-age", "A 45-year-old falls.", ["45-year-old"]),
    ("patient-age", "Infants cry.", ["infants"]),
    ("patient-age", "After childbirth, for 45 years.", []),
    ("patient-sex", "A man and two women.", ["man", "women"]),
    ("patient-sex", "Management of humans, a male connector.", []),
]


@pytest.mark.parametrize(("name", "stem", "expected"), CASES)
def test_hits_and_near_misses(name, stem, expected):
    passages = [passage.lower() for passage in marked(name, stem)]
    if name == "negative-lead-in" and expected:
        assert passages and passages[0] in expected
    else:
        assert passages == expected


def test_a_negative_question_with_a_negative_option_is_doubly_negative():
    stem = "Which of the following is not true?"
    assert found("double-negative", stem, "It is never seen", "It is seen", "It heals") is not None
    assert found("double-negative", stem, "It is often seen", "It is seen", "It heals") is None
    assert found("double-negative", "Which is true?", "It is never seen", "It is seen", "It heals") is None


@pytest.mark.parametrize(
    ("stem", "note"),
    [("", "no stem"), ("Lesion of the left lower lung.", "nothing is asked"), ("Which one?", "2 words")],
)
def test_a_stem_that_asks_nothing_is_vague(stem, note):
    assert sure(found("vague-stem", stem)).note == note


def test_a_short_question_is_not_vague():
    assert found("vague-stem", "What is shown here?") is None
    assert found("vague-stem", "Identify the marked structure.") is None


def test_a_long_stem_is_long_for_its_data_set():
    known = DatasetStatistics.of([item("one two three", identity=str(n)) for n in range(9)])
    assert found("long-stem", "word " * 130, known=known) is not None
    assert found("long-stem", "word " * 100, known=known) is None
    wordy = DatasetStatistics.of([item("word " * 100, identity=str(n)) for n in range(9)])
    assert found("long-stem", "word " * 130, known=wordy) is None
