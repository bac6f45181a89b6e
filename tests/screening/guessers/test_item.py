"""Which items can be guessed, and what of them is seen."""

import pytest

from perimetry.cases import Option, Question
from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.screening.guessers import GUESSERS, guess_item, guess_items
from perimetry.screening.guessers.encoding import encode
from perimetry.screening.guessers.form import form_tokens

PAIR = (Option("A", "Cyst"), Option("B", "Abscess"))


def asked(options=PAIR, answer="A", kind="choice", stem="What?", **more):
    return Question("1", "mine", "g", stem, answer, kind, tuple(options), **more)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (asked(()), "no options"),
        (asked(PAIR[:1]), "a single option"),
        (asked((Option("A", " "), PAIR[1])), "an option without text"),
        (asked((Option("A", "x"), Option("A", "y"))), "two options of one label"),
        (asked(answer="E"), "the key is none of the options"),
        (asked(also_accepted=("B",)), "every option is a key"),
    ],
)
def test_items_that_cannot_be_guessed_say_why(question, reason):
    with pytest.raises(CaseError, match=reason):
        guess_item(question)
    funnel = Funnel("mine")
    assert guess_items([question], funnel) == ()
    assert [(step.reason, step.removed) for step in funnel.steps] == [(reason, 1)]


def test_a_closed_question_with_options_has_its_key_by_text():
    item = guess_item(asked((Option("A", "Yes"), Option("B", "No")), "no", "closed"))
    assert item.keys == ("B",)


def test_several_keys_count_and_raise_chance():
    item = guess_item(asked((*PAIR, Option("C", "Tumour")), "C", also_accepted=("A",)))
    assert item.keys == ("A", "C")
    assert item.chance == pytest.approx(2 / 3)


def test_hidden_fields_change_nothing_that_a_guesser_sees():
    plain, told = asked(), asked(hidden={"explanation": "it is a cyst"})
    for guesser in GUESSERS.values():
        assert (encode([guess_item(plain)], guesser) != encode([guess_item(told)], guesser)).nnz == 0


def test_the_stem_is_seen_by_the_second_guesser_only():
    one, other = guess_item(asked(stem="Is it a cyst?")), guess_item(asked(stem="Which abscess?"))
    assert (encode([one], GUESSERS["options"]) != encode([other], GUESSERS["options"])).nnz == 0
    assert (encode([one], GUESSERS["question+options"]) != encode([other], GUESSERS["question+options"])).nnz > 0


def test_the_key_is_no_feature():
    one, other = guess_item(asked(answer="A")), guess_item(asked(answer="B"))
    for guesser in GUESSERS.values():
        assert (encode([one], guesser) != encode([other], guesser)).nnz == 0


@pytest.mark.parametrize(
    ("texts", "place", "token"),
    [
        (("a b", "a long option text"), 1, "longest"),
        (("a b", "a long option text"), 0, "shortest"),
        (("cyst", "cyst (benign)"), 1, "alone:parenthesis"),
        (("12 mm", "small", "large"), 0, "alone:number"),
        (("never", "often"), 0, "alone:absolute"),
        (("All of the above", "x", "y"), 0, "alone:meta"),
        (("MRI", "CT", "none"), 2, "lacks:abbreviation"),
        (("nevertheless", "often"), 0, None),
        (("Cat scan", "often"), 0, None),
    ],
)
def test_option_form(texts, place, token):
    item = guess_item(asked([Option("ABC"[n], text) for n, text in enumerate(texts)]))
    tokens = form_tokens(item)[place]
    if token is None:
        assert not {"absolute", "abbreviation", "meta"} & set(tokens)
    else:
        assert token in tokens


def test_equal_lengths_are_neither_longest_nor_shortest():
    item = guess_item(asked((Option("A", "abcd"), Option("B", "dcba"))))
    assert not {"longest", "shortest"} & {token for row in form_tokens(item) for token in row}


def test_marks_without_an_image_are_no_images():
    marked = guess_item(asked((*PAIR, Option("C", "<image 3>")), stem="See <image 1> and <Image 2>, again <image 1>."))
    assert (marked.pictures, marked.images) == (0, ())
    assert marked.stem == "See and , again ."
