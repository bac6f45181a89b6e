from __future__ import annotations

import pytest

from perimetry.scoring.labels.lexicon import default_lexicon
from perimetry.scoring.labels.tokens import tokenise


def _words(text):
    return tokenise(text, default_lexicon().spelling).words[:-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A 1.5 cm nodule.", ["a", "1.5", "cm", "nodule", "."]),
        ("atelectasis vs. pneumonia", ["atelectasis", "vs", "pneumonia"]),
        ("non-displaced", ["non", "displaced"]),
        ("a line\nwrapped", ["a", "line", "wrapped"]),
        ("one\n\ntwo", ["one", ".", "two"]),
        ("one\r\n \r\ntwo", ["one", ".", "two"]),
        ("one\n- two\n2. three", ["one", ".", "two", ".", "three"]),
        ("Pnuemothorax; effussions!", ["pneumothorax", ".", "effusions", "."]),
        ("normalno effusionheart", ["normal", ".", "no", "effusion", ".", "heart"]),
        ("infiltrateatelectasis", ["infiltrate", "/", "atelectasis"]),
        ("features perfusion capacity", ["features", "perfusion", "capacity"]),
        ("", []),
        ("\x00\x01", []),
    ],
)
def test_words_and_marks(text, words):
    assert _words(text) == words


def test_each_token_points_at_its_place_in_the_text():
    text = "Small pnuemothorax,\n\nlimitsthe HEART."
    tokens = tokenise(text, default_lexicon().spelling)
    pieces = [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert pieces[:2] == ["Small", "pnuemothorax"]
    assert pieces[4:7] == ["limits", "", "the"]
    assert pieces[7] == "HEART"
    assert tokens.starts == sorted(tokens.starts)


def test_letters_whose_lower_case_is_longer_do_not_shift_places():
    text = "İİİ Edema"
    tokens = tokenise(text, default_lexicon().spelling)
    place = tokens.words.index("edema")
    assert text[tokens.starts[place] : tokens.ends[place]] == "Edema"
