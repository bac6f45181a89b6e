"""What follows from a population's make: the accuracies that need no image, counted from its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.question import Question
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.phantoms.wording import answer_words, leaning, suspected

__all__ = ["Expectation", "blind_answer", "expectation"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """Accuracies on the questions of one form.

    Attributes
    ----------
    n : int
    blind : float
        Of the best rule that reads the question's words only (`blind_answer`).
    majority : float
        Of the commonest gold answer given to every question.
    chance : float
        Of a uniform draw from the options; from the thirteen findings for open questions.
    first_option : float or None
        Of the first option; None for open questions.
    """

    n: int
    blind: float
    majority: float
    chance: float
    first_option: float | None


def blind_answer(question: Question) -> str:
    """The answer that a phantom question's words suggest: a wording that leans, or a suspicion.

    Examples
    --------
    >>> blind_answer(Question("1", "phantom", "1", "Is there any evidence of edema?", "Yes", "closed"))
    'No'
    """
    if question.answer_type == "closed":
        return "Yes" if leaning(question.stem) else "No"
    finding = suspected(question.stem)
    words = answer_words(finding) if finding else ""
    if question.answer_type == "open":
        return words
    texts = [option.text.lower() for option in question.options]
    return question.labels[texts.index(words)] if words in texts else question.labels[0]


def expectation(questions: Sequence[Question]) -> Expectation:
    """Count the accuracies of rules that see no image, on questions of one form."""
    n = len(questions)
    golds = Counter(question.answer for question in questions)
    words = [answer_words(name) for name in FINDINGS]
    chance = 0.0
    for question in questions:
        accepted = set(question.accepted)
        chance += (
            1.0 / len(question.options) if question.options else sum(word in accepted for word in words) / len(words)
        )
    has_options = bool(questions) and all(question.options for question in questions)
    return Expectation(
        n=n,
        blind=sum(blind_answer(question) in question.accepted for question in questions) / max(n, 1),
        majority=max(golds.values(), default=0) / max(n, 1),
        chance=chance / max(n, 1),
        first_option=sum(q.labels[0] == q.answer for q in questions) / n if has_options else None,
    )
