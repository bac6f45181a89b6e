"""Free paraphrases: how many the verifier turns down, and that it does not take pairs which say something else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.editing.corruptions import planted

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge

FOLDER = Path(__file__).parents[1]
TARGET = "terminology:alternative"


def rows(name):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


def outcome(one, two):
    return judge(ReportText(one), ReportText(two), TARGET).outcome


def test_the_price_of_counting_words_is_known():
    """A hundred written before the verifier and never tuned on."""
    pairs = rows("paraphrases.tsv")
    assert len(pairs) == 100
    outcomes = [outcome(one, two) for one, two in pairs]
    rejected = outcomes.count("rejected")
    # docs/rewriting.md states it; 30 was aimed at. A change of this number is to be stated there, not tuned away.
    assert rejected == 36
    assert set(outcomes) <= {"accepted", "rejected"}


def test_so_is_that_of_the_pairs_it_was_mended_by_and_of_their_other_half():
    """Half of two hundred from before the verifier was mended was kept to check it by; the other sets came after.

    Before anything was mended 34 and 44 of the halves were rejected, and 28 of 80, 6 of 49 and 6 of 40 of the
    fresh ones when they were first tried.
    """
    rejected = Counter(half for half, one, two in rows("paraphrases_dev.tsv") if outcome(one, two) == "rejected")
    # One of "later" only tells its sentences in another order, which is no other wording.
    most = {"development": 9, "kept": 25, "later": 9, "last": 4, "end": 3}
    assert {half: count for half, count in rejected.items() if count > most[half]} == {}


@pytest.mark.parametrize(("one", "other"), rows("different.tsv"))
def test_pairs_that_say_something_else_are_turned_down(one, other):
    assert outcome(one, other) != "accepted"
    assert outcome(other, one) != "accepted"


def test_errors_planted_in_accepted_paraphrases_are_found():
    told = [(one, two) for _, one, two in rows("paraphrases_dev.tsv") if outcome(one, two) == "accepted"]
    accepted = [((one, ""), TARGET, (two, "")) for one, two in told]
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for kind, _, original, corrupted in planted(accepted, 150):
        tried[kind] += 1
        found[kind] += outcome(original[0], corrupted[0]) != "accepted"
    assert sum(tried.values()) >= 250
    assert {kind: found[kind] / tried[kind] for kind in tried if found[kind] / tried[kind] < 0.97} == {}
