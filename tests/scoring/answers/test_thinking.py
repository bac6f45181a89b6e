"""Where thoughts begin and end."""

from __future__ import annotations

import pytest

from perimetry.scoring.answers import cut_thinking


@pytest.mark.parametrize(
    ("text", "thoughts", "left", "finished"),
    [
        ("B", [], "B", True),
        ("a < b and [c]", [], "a < b and [c]", True),
        ("<think>one</think>B", ["one"], "B", True),
        ("one</think>B", ["one"], "B", True),
        ("<think>one</think>x<think>two</think>B", ["one", "two"], "xB", True),
        ("<think>one <think>two</think> three</think>B", ["one <think>two", " three"], "B", True),
        ("x<think>one", ["one"], "x", False),
        ("<Thinking>one</Thinking>B", ["one"], "B", True),
        ("[THINK]one[/THINK]B", ["one"], "B", True),
        ("<unused94>one<unused95>B", ["one"], "B", True),
        ("<thinker>one</thinker>B", [], "<thinker>one</thinker>B", True),
    ],
)
def test_cut(text: str, thoughts: list[str], left: str, finished: bool) -> None:
    cut = cut_thinking(text)
    assert [text[start:end] for start, end in cut.blocks] == thoughts
    assert cut.body.replace("\n", "") == left
    assert cut.finished is finished
    assert all(after in (before, "\n") for before, after in zip(text, cut.body, strict=True))
