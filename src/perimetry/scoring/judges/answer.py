"""A judge's answer as the store holds it, and the text in it that is there to be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perimetry.scoring.answers.thinking import cut_thinking
from perimetry.scoring.judges.judgement import Missing

__all__ = ["Answer", "readable", "sounds_like_refusal"]

# Only words of the first sentences count: a judgement may well quote "cannot be excluded" further down.
_REFUSAL = re.compile(
    r"\b(?:i|we)\s*(?:am|'m|’m|are|'re|’re)?\s*(?:really\s+|very\s+)?"
    r"(?:sorry|afraid|unable|not able|not in a position|cannot|can\s*not|can['’]?t|could not|couldn['’]?t|won['’]?t"
    r"|will not|must decline|have to decline|decline|do not feel|don['’]?t feel)\b"
    r"|\bas an? (?:ai|artificial|(?:large )?language model)\b|\bapolog(?:y|ies|i[sz]e)\b",
    re.IGNORECASE,
)
_OPENING = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """One stored response.

    Parameters
    ----------
    text : str or None
        None for a failure.
    failure_kind : str, default ""
        As `perimetry.models.request.FailureKind`.
    finish_reason : str, default ""
        As the server named it; ``length``: cut off at the limit of new tokens.
    """

    text: str | None
    failure_kind: str = ""
    finish_reason: str = ""


def sounds_like_refusal(text: str) -> bool:
    """Whether an answer without a judgement is a refusal; decides only what the reason says, never a value.

    Examples
    --------
    >>> sounds_like_refusal("I'm sorry, but I can't assess medical reports.")
    True
    """
    return _REFUSAL.search(text[:_OPENING]) is not None


def readable(answer: Answer | None) -> str | Missing:
    """The text of an answer without its thinking, or why there is nothing to read.

    Parameters
    ----------
    answer : Answer or None
        None where the store holds nothing.
    """
    if answer is None:
        return Missing("not_asked", "the store holds no answer; give the same command again to ask on")
    if answer.failure_kind == "refused":
        return Missing("refused", "the judge or its content filter declined")
    if answer.text is None:
        return Missing("failed", answer.failure_kind or "no text")
    if answer.finish_reason == "length":
        return Missing("cut_off", "the answer was cut at the limit of new tokens")
    thinking = cut_thinking(answer.text)
    if not thinking.finished:
        return Missing("cut_off", "the answer ends within its thinking")
    text = thinking.body.strip()
    return text or Missing("unreadable", "the answer is empty")
