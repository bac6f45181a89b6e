"""Which pairs a judge is asked about."""

from __future__ import annotations

from typing import Any

import pytest

from perimetry.cases.errors import UsageError
from perimetry.scoring.judges.judgement import Missing
from perimetry.scoring.judges.pairs import OneSided, Pair, sort_pairs

EMPTY = [None, "", " \n\t", "...", "\x00\x1f", "--- ;"]


@pytest.mark.parametrize("empty", EMPTY)
def test_one_empty_side_needs_no_judge(empty: str | None) -> None:
    assert sort_pairs([empty, "clear"], ["clear", empty]) == [OneSided(), OneSided()]


@pytest.mark.parametrize("other", EMPTY)
@pytest.mark.parametrize("empty", EMPTY)
def test_two_empty_sides_are_missing(empty: str | None, other: str | None) -> None:
    (found,) = sort_pairs([empty], [other])
    assert isinstance(found, Missing)
    said = ["None" if side is None else "empty" for side in (empty, other)]
    assert found.reason == f"empty: the report is {said[0]} and the reference is {said[1]}"


def test_other_scripts_are_words() -> None:
    assert sort_pairs(["無気胸"], ["لا استرواح"]) == [Pair("無気胸", "لا استرواح")]


@pytest.mark.parametrize(
    ("hypotheses", "references", "words"),
    [
        (["a"], [], "1 hypotheses and 0 references"),
        (["a", 7], ["b", "c"], r"hypotheses\[1\] is of type int"),
        (["a"], [float("nan")], r"references\[0\] is of type float"),
        ("a", "b", "one text"),
    ],
)
def test_bad_input_is_one_clear_error(hypotheses: Any, references: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sort_pairs(hypotheses, references)
