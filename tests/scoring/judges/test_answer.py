"""From a stored response to the text that is there to be read."""

from __future__ import annotations

import pytest

from perimetry.scoring.judges.answer import Answer, readable, sounds_like_refusal
from perimetry.scoring.judges.judgement import Missing


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "not_asked: "),
        (Answer(None, "refused"), "refused: "),
        (Answer(None, "timeout"), "failed: timeout"),
        (Answer(None, "too_long"), "failed: too_long"),
        (Answer("[Matched Findings]: 3. a", "", "length"), "cut_off: the answer was cut"),
        (Answer("<think>[Matched Findings]: 3. a", "", "stop"), "cut_off: the answer ends within its thinking"),
        (Answer("", "", "stop"), "unreadable: the answer is empty"),
        (Answer("<think>x</think>\n \n", "", "stop"), "unreadable: the answer is empty"),
    ],
)
def test_nothing_to_read(answer: Answer | None, reason: str) -> None:
    found = readable(answer)
    assert isinstance(found, Missing)
    assert found.reason.startswith(reason)


def test_thinking_is_left_out() -> None:
    assert readable(Answer('<think>{"matched": []} perhaps</think>\n{"matched": ["a"]}')) == '{"matched": ["a"]}'


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I can't help.",
        "I’m sorry, but that is a medical question.",
        "I am not able to compare these.",
        "I must decline.",
        "As a language model, I have no access.",
        "We apologise for this.",
        "I won't do that.",
    ],
)
def test_refusals(text: str) -> None:
    assert sounds_like_refusal(text)


@pytest.mark.parametrize(
    "text", ["Pneumonia cannot be excluded.", "[Explanation]: The candidate is unable to ...", "3."]
)
def test_findings_are_no_refusals(text: str) -> None:
    assert not sounds_like_refusal(text)
