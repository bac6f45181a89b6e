"""Scoring many responses at once, in the columns that outcomes are kept in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perimetry.cases.errors import UsageError
from perimetry.cases.question import Question
from perimetry.scoring.answers.correctness import right_answers, token_f1
from perimetry.scoring.answers.extraction import Extraction, Policy
from perimetry.scoring.answers.rules import ANSWERS_VERSION, extract_in, rules_of
from perimetry.scoring.answers.space import AnswerSpace

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SCORER_VERSION", "score_answers"]

SCORER_VERSION = ANSWERS_VERSION
"""Version that every outcome of this scorer carries."""


def score_answers(
    texts: Sequence[str | None], questions: Sequence[Question], policy: Policy = "strict"
) -> pl.DataFrame:
    """Extract and judge the answer of each response.

    Equal responses to one question are read once; the result does not depend on the order of the rows.

    Parameters
    ----------
    texts : sequence of str or None
        Raw responses; None where the request failed, which is no answer at all.
    questions : sequence of Question
        The original question of each response, same length.
    policy : {"strict", "lenient"}, default "strict"

    Returns
    -------
    polars.DataFrame
        One row a response: ``answer`` (str, null if none), ``rule``, ``start``, ``end`` (-1 without an answer),
        ``surface``, ``reason``, ``correct`` (bool; false without an answer, null where the request failed),
        ``token_f1`` (float, null where the question has options or the request failed), ``scorer``.

    Raises
    ------
    UsageError
        When the two sequences differ in length.
    UnknownNameError
        For another policy.

    Examples
    --------
    >>> question = Question("1", "d", "g", "Is it normal?", "yes", "closed")
    >>> score_answers(["Yes.", "Perhaps so.", None], [question] * 3)["correct"].to_list()
    [True, False, None]
    """
    import polars as pl

    if len(texts) != len(questions):
        raise UsageError(
            f"score_answers got {len(texts)} texts and {len(questions)} questions; give one question for each text."
        )
    rules_of(policy)
    spaces: dict[int, tuple[Question, AnswerSpace, frozenset[str]]] = {}
    seen: dict[tuple[int, str], tuple[Extraction, bool, float | None]] = {}
    rows: list[tuple[Extraction, bool | None, float | None]] = []
    for text, question in zip(texts, questions, strict=True):
        key = id(question)  # `spaces` keeps the question alive, so that its id stays its own
        if text is None:
            rows.append((extract_in(None, AnswerSpace("open", (), ()), policy), None, None))
            continue
        done = seen.get((key, text))
        if done is None:
            if key not in spaces:
                spaces[key] = (question, AnswerSpace.of(question), right_answers(question))
            _, space, right = spaces[key]
            found = extract_in(text, space, policy)
            done = (found, found.answer in right, None if question.options else token_f1(found, question))
            seen[(key, text)] = done
        rows.append(done)
    return pl.DataFrame(
        {
            "answer": [found.answer for found, _, _ in rows],
            "rule": [found.rule for found, _, _ in rows],
            "start": [found.start for found, _, _ in rows],
            "end": [found.end for found, _, _ in rows],
            "surface": [found.surface for found, _, _ in rows],
            "reason": [found.reason for found, _, _ in rows],
            "correct": [correct for _, correct, _ in rows],
            "token_f1": [overlap for _, _, overlap in rows],
            "scorer": [f"{SCORER_VERSION}/{policy}"] * len(rows),
        },
        schema={
            "answer": pl.String,
            "rule": pl.String,
            "start": pl.Int64,
            "end": pl.Int64,
            "surface": pl.String,
            "reason": pl.String,
            "correct": pl.Boolean,
            "token_f1": pl.Float64,
            "scorer": pl.String,
        },
    )
