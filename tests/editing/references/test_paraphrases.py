"""A hundred free paraphrases, written before the verifier and never tuned on: how many it turns down."""

from __future__ import annotations

from pathlib import Path

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge

FILE = Path(__file__).parents[1] / "paraphrases.tsv"


def test_the_price_of_counting_words_is_known():
    lines = FILE.read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.split("\t") for line in lines]
    assert len(pairs) == 100
    outcomes = [judge(ReportText(one), ReportText(two), "terminology:alternative").outcome for one, two in pairs]
    rejected = outcomes.count("rejected")
    # docs/rewriting.md states it; 30 was aimed at. A change of this number is to be stated there, not tuned away.
    assert rejected == 47
    assert set(outcomes) <= {"accepted", "rejected"}
