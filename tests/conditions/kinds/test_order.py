"""Orders of options: balanced places, a key that stays with its option, nothing else changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perimetry.cases import Option, Question
from perimetry.conditions import Surroundings, parse_condition
from perimetry.conditions.kinds.order import original_label, shown_position

LETTERS = "ABCDEFGHIJ"


def question(texts, answer="A", **more):
    options = tuple(Option(label, text) for label, text in zip(LETTERS, texts, strict=False))
    return Question(more.pop("id", "q"), "mine", "g", "Which?", answer, "choice", options, **more)


def orders(case, count, seed=42):
    return [parse_condition(f"order@{number}").apply(case, Surroundings(seed)) for number in range(1, count + 1)]


@given(st.integers(2, 10), st.integers(0, 9), st.integers(0, 1000))
def test_over_all_orders_every_option_stands_once_in_every_place(size, key, seed):
    case = question([f"finding {index}" for index in range(size)], LETTERS[key % size])
    shown = [one or case for one in orders(case, size, seed)]  # the data set's own order is no other one
    gold = case.options[key % size].text
    places: Counter[tuple[str, str]] = Counter()
    for one in shown:
        assert one.labels == case.labels
        assert {option.text for option in one.options} == {option.text for option in case.options}
        for option in one.options:
            places[option.label, option.text] += 1
            assert original_label(one, case, option.label) == next(
                o.label for o in case.options if o.text == option.text
            )
        assert next(option.text for option in one.options if option.label == one.answer) == gold
        assert shown_position(one, one.answer) == one.labels.index(one.answer) + 1
        assert (one.stem, one.images, one.hidden, one.id) == (case.stem, case.images, case.hidden, case.id)
    assert set(places.values()) == {1}


def test_the_order_of_the_data_set_is_no_other_order():
    for number in range(20):
        case = question(["one", "two"], id=str(number))
        recipes = [parse_condition(f"order@{turn}").recipe(case, Surroundings()) for turn in (1, 2)]
        assert sorted(recipes, key=str) == [None, "order:1,0"]
        assert sum(shown is None for shown in orders(case, 2)) == 1


def test_each_item_has_a_permutation_of_its_own():
    texts = [f"finding {index}" for index in range(5)]
    turned = [orders(question(texts, id=str(number)), 1)[0] for number in range(60)]
    first = {tuple(option.text for option in one.options) for one in turned if one is not None}
    assert len(first) > 30


@pytest.mark.parametrize("last", ["All of the above", "None of these options", "Neither of the above"])
def test_an_option_about_the_others_keeps_its_place(last):
    case = question(["one", "two", "three", last], "D")
    for shown in filter(None, orders(case, 3)):
        assert shown.options[3] == case.options[3]
        assert shown.answer == "D"


@pytest.mark.parametrize("text", ["Both A and B", "A and C", "A, B and C", "(A) or (C)", "as in option B"])
def test_options_that_name_letters_are_left_alone(text):
    assert orders(question(["one", "two", text]), 1) == [None]


@pytest.mark.parametrize(
    "text", ["Hepatitis A and B vaccines", "vitamin A", "A fracture", "Type B aortic dissection", "all of the lobe"]
)
def test_near_misses_are_turned(text):
    assert orders(question(["one", text, "three"]), 3) != [None] * 3


def test_yes_no_questions_and_single_options_do_not_apply():
    closed = replace(question(["Yes", "No"]), answer_type="closed")
    assert orders(closed, 1) == orders(question(["one"]), 1) == [None]


def test_further_keys_move_with_their_options():
    case = replace(question(["one", "two", "three"]), also_accepted=("C",))
    for shown in filter(None, orders(case, 3)):
        assert original_label(shown, case, shown.also_accepted[0]) == "C"
