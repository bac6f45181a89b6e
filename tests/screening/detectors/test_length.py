import pytest
from tests.screening.builders import carriers, found, sure


def test_ties_are_counted_among_the_longest_but_no_option_is_then_uniquely_longest():
    options = ("effusion", "fracture", "node")
    assert carriers("longest-option", "What?", *options) == "AB"
    assert carriers("unique-longest-option", "What?", *options) == ""
    assert carriers("unique-shortest-option", "What?", *options) == "C"


@pytest.mark.parametrize(
    ("longest", "expected"),
    [
        ("x" * 26 + " two three four five", "A"),  # 30 more characters and 4 more words than "next one ..."
        ("x" * 25 + " two three four five", ""),  # 29 characters
        ("x" * 32 + " two three four", ""),  # 3 words
    ],
)
def test_the_large_gap_needs_thirty_characters_and_four_words(longest, expected):
    next_longest = "a" * 16
    assert len("x" * 26 + " two three four five") - len(next_longest) == 30
    assert carriers("large-gap", "What?", longest, next_longest, "short") == expected


def test_lengths_count_what_a_reader_sees():
    assert carriers("unique-longest-option", "What?", "<sub><sup>H2O</sup></sub>", "effusion", "node") == "B"
    assert carriers("unique-longest-option", "What?", r"$\mathrm{CO_2}$", "effusion", "node") == "B"


def test_words_and_characters_are_measured_apart():
    options = ("a b c d", "pseudopseudohypoparathyroidism", "node")
    assert carriers("unique-longest-option", "What?", *options) == "B"
    assert carriers("unique-longest-option-by-words", "What?", *options) == "A"
    assert carriers("longest-option-by-words", "What?", *options) == "A"


def test_the_gap_is_told():
    assert sure(found("unique-longest-option", "What?", "effusion", "node")).note == "gap of 4 characters"
