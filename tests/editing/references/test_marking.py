"""Marks of differences: what is left without them is the same in both texts, however long they are."""

from __future__ import annotations

import random

import pytest
from tests.editing.reports import composed

from perimetry.editing.references.marking import WHOLE, difference_marks


def without(text, marks):
    for mark in sorted(marks, key=lambda each: -each.start):
        text = text[: mark.start] + text[mark.end :]
    return text.split()


@pytest.mark.parametrize("count", [1, 3, 120])
@pytest.mark.parametrize("joiner", [" ", "\n", ", "])
def test_what_is_not_marked_is_the_same(count, joiner):
    sentences = [each for findings, _ in composed(count) for each in findings.split(". ")]
    before = joiner.join(f"{each} {place}." for place, each in enumerate(sentences))
    shuffled = random.Random(count).sample(sentences[1:], len(sentences) - 1)
    for after in (before.replace("The ", "A "), joiner.join(shuffled), before[: len(before) // 2], ""):
        assert (len(before.split()) * len(after.split()) > WHOLE) == (count == 120 and bool(after))
        old, new = difference_marks(before, after)
        assert without(before, old) == without(after, new)


def test_of_a_long_report_only_the_changed_word_is_marked():
    before = " ".join(f"Nodule {number} of the left lung." for number in range(400))
    old, new = difference_marks(before, before.replace("Nodule 200 of the left", "Nodule 200 of the right"))
    assert [before[mark.start : mark.end] for mark in old] == ["left"]
    assert len(new) == 1
