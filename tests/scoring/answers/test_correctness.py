"""Right, wrong and partly right."""

from __future__ import annotations

import pytest

from perimetry.cases.question import Option, Question
from perimetry.scoring.answers import extract, is_right, right_answers, token_f1


def open_question(answer: str, *more: str) -> Question:
    return Question("1", "d", "g", "?", answer, "open", also_accepted=more)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        (open_question("Left lung"), "The left lung.", True),
        (open_question("Left lung"), "left lung base", False),
        (open_question("Left lung"), "lung, left", False),
        (open_question("1"), "One", True),
        (open_question("one"), "1", True),
        (open_question("2"), "two", True),
        (open_question("5 cm"), "5cm", True),
        (open_question("5 cm"), "5 mm", False),
        (open_question("CT", "computed tomography"), "Computed tomography.", True),
        (open_question("Yes"), "yes", True),
        (Question("1", "d", "g", "?", "YES ", "closed"), "Yes, it is.", True),
        (Question("1", "d", "g", "?", "No", "closed"), "Yes, it is.", False),
        (Question("1", "d", "g", "?", "包含", "closed"), "Yes", True),
        (Question("1", "d", "g", "?", "不包含", "closed"), "包含", False),
        (Question("1", "d", "g", "?", "yes", "closed", (Option("A", "Yes"), Option("B", "No"))), "A", True),
        (Question("1", "d", "g", "?", "no", "closed", (Option("A", "Yes"), Option("B", "No"))), "A", False),
        (Question("1", "d", "g", "?", "B", "choice", (Option("A", "B"), Option("B", "A"))), "B", True),
        (
            Question("1", "d", "g", "?", "B", "choice", (Option("A", "x"), Option("B", "y")), also_accepted=("A",)),
            "A",
            True,
        ),
        (open_question("Left"), "", False),
        (open_question("Left"), None, False),
    ],
)
def test_is_right(question: Question, text: str | None, right: bool) -> None:
    assert is_right(extract(text, question), question) is right


def test_right_answers_of_options_given_by_text() -> None:
    options = (Option("A", "Left"), Option("B", "left"), Option("C", "Right"))
    assert right_answers(Question("1", "d", "g", "?", "LEFT", "closed", options)) == {"A", "B"}


def test_token_f1_by_hand() -> None:
    question = open_question("left lower lobe", "left base")
    assert token_f1(extract("left lower lobe", question), question) == 1.0
    assert token_f1(extract("left lobe", question), question) == pytest.approx(2 * 2 / 5)
    assert token_f1(extract("the base", question), question) == pytest.approx(2 * 1 / 3)
    assert token_f1(extract("spleen", question), question) == 0.0
    assert token_f1(extract(None, question), question) == 0.0


def test_token_f1_counts_repeated_words_once_each() -> None:
    question = open_question("left left lung")
    assert token_f1(extract("left lung lung", question), question) == pytest.approx(2 * 2 / 6)


def test_token_f1_is_not_for_options() -> None:
    question = Question("1", "d", "g", "?", "A", "choice", (Option("A", "x"), Option("B", "y")))
    assert token_f1(extract("A", question), question) is None
