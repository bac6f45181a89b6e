"""The ordered rules, and `extract`, which asks them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from perimetry.cases.errors import UnknownNameError
from perimetry.cases.question import Question
from perimetry.scoring.answers.extraction import Denied, Extraction, Hit, Policy, Reading, Reason, Stop
from perimetry.scoring.answers.folding import fold
from perimetry.scoring.answers.frames import boxed, tagged
from perimetry.scoring.answers.lenient import contained_text, label_in_last_sentence, loose_polar, text_fuzzy_80
from perimetry.scoring.answers.lone import lone_label, polar, short, text_exact, text_fuzzy, text_normalised
from perimetry.scoring.answers.phrases import named, phrase, wide_phrase
from perimetry.scoring.answers.space import AnswerSpace
from perimetry.scoring.answers.thinking import cut_thinking
from perimetry.scoring.answers.view import View, trim

__all__ = ["ANSWERS_VERSION", "LENIENT", "STRICT", "Rule", "extract", "extract_in", "rules_of"]

ANSWERS_VERSION = "answers/1"
"""Version of the rules; it travels with every outcome and changes when any rule reads any text differently."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A named way to read an answer."""

    name: str
    read: Callable[[View], Reading]


_PLAIN = (
    Rule("phrase", phrase),
    Rule("named", named),
    Rule("label", lone_label),
    Rule("text_exact", text_exact),
    Rule("text_normalised", text_normalised),
    Rule("text_fuzzy", text_fuzzy),
    Rule("yes_no", polar),
    Rule("short", short),
)


def _first(view: View) -> Reading:
    for rule in (Rule("boxed", boxed), *_PLAIN):
        reading = rule.read(view)
        if isinstance(reading, Hit | Stop):
            return reading
    return None


def _tag(view: View) -> Reading:
    return tagged(view, _first)


STRICT: tuple[Rule, ...] = (Rule("boxed", boxed), Rule("tag", _tag), *_PLAIN)
"""The rules of the headline, in order."""

LENIENT: tuple[Rule, ...] = (
    *STRICT,
    Rule("wide_phrase", wide_phrase),
    Rule("last_label", label_in_last_sentence),
    Rule("contained_text", contained_text),
    Rule("text_fuzzy_80", text_fuzzy_80),
    Rule("loose_yes_no", loose_polar),
)
"""The strict rules, then those that read more into a text."""


def rules_of(policy: Policy) -> tuple[Rule, ...]:
    """The rules of a policy; raises `UnknownNameError` for any other name."""
    table = {"strict": STRICT, "lenient": LENIENT}
    if policy not in table:
        raise UnknownNameError("answer policy", policy, table)
    return table[policy]


def _contradicted(view: View, hit: Hit, rule: str) -> bool:
    """Whether another statement in an answer's place says something else.

    After a box: a later "answer is ...". Beside a phrase: a lone label.
    """
    if not view.space.labels:
        return False
    if rule == "boxed":
        other = phrase(view.narrowed(hit.end, view.end))
    elif rule == "phrase":
        other = lone_label(view)
    else:
        return False
    return isinstance(other, Hit) and other.answer != hit.answer


def extract_in(text: str | None, space: AnswerSpace, policy: Policy = "strict") -> Extraction:
    """`extract` for a question whose `AnswerSpace` is at hand (many responses to one question)."""
    rules = rules_of(policy)
    if text is None:
        return Extraction(None, reason="no_response")
    if not text.strip():
        return Extraction(None, reason="empty")
    thinking = cut_thinking(text)
    if not thinking.finished:
        return Extraction(None, reason="unfinished_thinking")
    body = fold(thinking.body)
    start, end = trim(body, 0, len(body))
    if start >= end:
        return Extraction(None, reason="empty")
    line = body.rfind("\n", 0, start) + 1  # begin at a line: rules look for line beginnings
    view = View(body, line, len(body.rstrip()), space)
    denied: set[str | None] = set()
    for rule in rules:
        reading = rule.read(view)
        if isinstance(reading, Denied):
            denied.add(reading.answer)
        elif isinstance(reading, Stop):
            return Extraction(None, rule.name, reason=reading.reason)
        elif reading is not None:
            if denied and rule.name == "short":
                break  # the whole response is the denial
            if reading.answer in denied or _contradicted(view, reading, rule.name):
                return Extraction(None, rule.name, reason="contradiction")
            return Extraction(reading.answer, rule.name, reading.start, reading.end, text[reading.start : reading.end])
    reason: Reason = "negated" if denied else "unmatched"
    return Extraction(None, reason=reason)


def extract(text: str | None, question: Question, policy: Policy = "strict") -> Extraction:
    r"""Read the answer that a response gives to a question, or nothing.

    Ordered rules (docs/answers.md): thinking blocks are cut; then ``\boxed{}``, ``<answer>``, "answer is / answer:"
    (the last one), "B is the correct answer", a lone label, a unique option text (exact, normalised, fuzzy), yes or no,
    a short text.
    Text that names several answers, contradicts itself or fits no rule gives nothing.

    Parameters
    ----------
    text : str or None
        The raw response.
    question : Question
        The original question with all its options, whatever a condition showed. Its gold answer is not read.
    policy : {"strict", "lenient"}, default "strict"
        ``lenient`` adds rules that read more into a text.

    Returns
    -------
    Extraction
        With the rule that decided and the span in the raw text.

    Raises
    ------
    UnknownNameError
        For any other policy.

    Notes
    -----
    The comparison of extracted answers instead of raw strings follows CORAL (arXiv 2607.03647), section 3.3, Eq. 2;
    the rules are ours. Time is linear in the length of the response.

    Examples
    --------
    >>> from perimetry.cases.question import Option, Question
    >>> question = Question("1", "d", "g", "Where?", "B", "choice", (Option("A", "Left"), Option("B", "Right")))
    >>> extract("It is dark on one side.\n\n**Answer: B**", question).answer
    'B'
    >>> extract("A or B", question).reason
    'several'
    """
    return extract_in(text, AnswerSpace.of(question), policy)
