"""Columns of scored responses."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.question import Option, Question
from perimetry.scoring.answers import extract, is_right, score_answers

QUESTIONS = [
    Question("1", "d", "g", "?", "B", "choice", (Option("A", "Left"), Option("B", "Right"))),
    Question("2", "d", "g", "?", "no", "closed"),
    Question("3", "d", "g", "?", "left lung", "open"),
]
TEXTS = ["B", "A", "Right.", "A or B", "No.", "yes", "Left lung", "left", "", None, "<think>x"]


def test_each_row_is_what_extract_says_in_any_order() -> None:
    pairs = [(text, question) for text in TEXTS for question in QUESTIONS] * 3
    random.Random(3).shuffle(pairs)
    table = score_answers([text for text, _ in pairs], [question for _, question in pairs])
    assert table.height == len(pairs)
    for (text, question), row in zip(pairs, table.iter_rows(named=True), strict=True):
        found = extract(text, question)
        assert (row["answer"], row["rule"], row["start"], row["end"]) == (
            found.answer,
            found.rule,
            found.start,
            found.end,
        )
        assert (row["surface"], row["reason"]) == (found.surface, found.reason)
        assert row["correct"] is (None if text is None else is_right(found, question))
        assert (row["token_f1"] is None) == (text is None or bool(question.options))
        assert row["scorer"] == "answers/1/strict"


def test_a_failed_request_is_missing_and_an_empty_response_wrong() -> None:
    table = score_answers([None, ""], [QUESTIONS[1]] * 2)
    assert table["correct"].to_list() == [None, False]
    assert table["reason"].to_list() == ["no_response", "empty"]


def test_nothing_keeps_the_columns() -> None:
    assert score_answers([], []).schema == score_answers(["B"], QUESTIONS[:1]).schema


def test_lengths_must_agree() -> None:
    with pytest.raises(UsageError, match="2 texts and 1 questions"):
        score_answers(["A", "B"], QUESTIONS[:1])


def test_unknown_policy_is_named_even_without_rows() -> None:
    with pytest.raises(UnknownNameError, match="lenient"):
        score_answers([], [], "lenint")  # type: ignore[arg-type]


def test_questions_made_on_the_fly_are_not_mixed_up() -> None:
    """Objects that a lazy sequence makes and drops may get the same id; each row must still meet its own question."""

    class Lazy(Sequence[Question]):
        def __len__(self) -> int:
            return 500

        def __getitem__(self, index: int) -> Question:  # type: ignore[override]
            if index >= 500:
                raise IndexError(index)
            return Question(str(index), "d", "g", "?", f"answer {index}", "open")

    assert score_answers([f"Answer {index}" for index in range(500)], Lazy())["correct"].all()
