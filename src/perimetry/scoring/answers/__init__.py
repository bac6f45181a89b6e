"""From a response to an answer, by ordered rules that never guess."""

from perimetry.scoring.answers.correctness import is_right, right_answers, token_f1
from perimetry.scoring.answers.extraction import Extraction, Policy, Reason
from perimetry.scoring.answers.normalise import normalise
from perimetry.scoring.answers.rules import ANSWERS_VERSION, LENIENT, STRICT, Rule, extract, extract_in, rules_of
from perimetry.scoring.answers.scorer import SCORER_VERSION, score_answers
from perimetry.scoring.answers.space import AnswerSpace
from perimetry.scoring.answers.thinking import Thinking, cut_thinking

__all__ = [
    "ANSWERS_VERSION",
    "LENIENT",
    "SCORER_VERSION",
    "STRICT",
    "AnswerSpace",
    "Extraction",
    "Policy",
    "Reason",
    "Rule",
    "Thinking",
    "cut_thinking",
    "extract",
    "extract_in",
    "is_right",
    "normalise",
    "right_answers",
    "rules_of",
    "score_answers",
    "token_f1",
]
