"""Whether an extracted answer is right."""

from __future__ import annotations

from collections import Counter

from perimetry.cases.question import Question
from perimetry.scoring.answers.extraction import Extraction
from perimetry.scoring.answers.normalise import normalise, yes_or_no

__all__ = ["is_right", "right_answers", "token_f1"]


def right_answers(question: Question) -> frozenset[str]:
    """Every answer, in the form of `Extraction.answer`, that is right for a question.

    With options: the labels that the question accepts, whether it gives labels or option texts. Without: the normalised
    texts, with words for yes and no as ``yes`` and ``no``.

    Examples
    --------
    >>> sorted(right_answers(Question("1", "d", "g", "How many?", "Two", "open", also_accepted=("both",))))
    ['2', 'both']
    """
    if not question.options:
        texts = (normalise(answer) for answer in question.accepted)
        return frozenset(yes_or_no(text) or text for text in texts if text)
    labels = set(question.labels)
    right = {answer for answer in question.accepted if answer in labels}
    wanted = {normalise(answer) for answer in question.accepted if answer not in labels} - {""}
    if wanted:
        right |= {option.label for option in question.options if option.text and normalise(option.text) in wanted}
    return frozenset(right)


def is_right(extraction: Extraction, question: Question) -> bool:
    """Whether the extracted answer is one that the question accepts. No answer is wrong.

    Open answers are right by exact match after `normalise`: "the left lung" for "left lung", "one" for "1", but not
    "left-sided" for "left". That is strict; `token_f1` is the graded companion.

    Examples
    --------
    >>> question = Question("1", "d", "g", "Which side?", "Left lung", "open")
    >>> is_right(Extraction("left lung", "short", 0, 9, "left lung"), question)
    True
    """
    return extraction.answer is not None and extraction.answer in right_answers(question)


def token_f1(extraction: Extraction, question: Question) -> float | None:
    """Token F1 of an open answer against the best accepted one, 0 to 1; None where the question has options.

    Bags of normalised words, as in extractive question answering (Rajpurkar et al. 2016, section 6.1).
    No answer scores 0.

    Examples
    --------
    >>> question = Question("1", "d", "g", "Which side?", "Left lung", "open")
    >>> round(token_f1(Extraction("left", "short", 0, 4, "left"), question), 3)
    0.667
    """
    if question.options:
        return None
    said = Counter((extraction.answer or "").split())
    best = 0.0
    for answer in right_answers(question):
        gold = Counter(answer.split())
        common = sum((said & gold).values())
        if common:
            best = max(best, 2.0 * common / (sum(said.values()) + sum(gold.values())))
    return best
