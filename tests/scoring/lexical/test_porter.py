"""The stemmer against NLTK's, which rouge-score uses."""

from __future__ import annotations

import itertools
import random

import pytest

from perimetry.scoring.lexical import porter_stem

SUFFIXES = """
ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti
biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou
ism ate iti ous ive ize s es ies ied ed eed ing y e ll ally fully ology
"""
ENDINGS = ["", *SUFFIXES.split()]
IRREGULAR = """
skies sky dying lying tying news inning innings outing outings canning cannings howe proceed exceed succeed
"""


def test_known_stems():
    # Worked by the rules on paper.
    words = {
        "caresses": "caress",
        "ponies": "poni",
        "ties": "tie",
        "agreed": "agre",
        "feed": "feed",
        "hopping": "hop",
        "falling": "fall",
        "filing": "file",
        "happy": "happi",
        "enjoy": "enjoy",
        "relational": "relat",
        "effusions": "effus",
        "opacity": "opac",
        "opacities": "opac",
        "atelectatic": "atelectat",
        "cardiomegaly": "cardiomegali",
        "controlling": "control",
        "skies": "sky",
        "radiologically": "radiolog",
    }
    assert {word: porter_stem(word) for word in words} == words


def test_it_is_nltks_on_words_of_every_ending():
    peer = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    draw = random.Random(7)
    words = [
        "".join(draw.choices("aeiouybcdlstnrz1wx", k=draw.randint(0, 6))) + draw.choice(ENDINGS) + draw.choice(ENDINGS)
        for _ in range(40_000)
    ]
    words += ["".join(letters) for length in (1, 2, 3, 4) for letters in itertools.product("aysel1", repeat=length)]
    different = [word for word in (*words, *IRREGULAR.split()) if word and porter_stem(word) != peer.stem(word)]
    assert not different


def test_a_long_run_of_y_is_no_trouble():
    assert porter_stem("y" * 20_000).startswith("yyy")
