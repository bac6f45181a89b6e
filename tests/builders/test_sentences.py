"""Which classes a sentence states: by rules, and by a CheXbert with random weights."""

from __future__ import annotations

import pytest
from tests.scoring.embeddings.tiny import REPORTS, chexbert_file, chexbert_state, vocabulary_file

from perimetry.builders.sentences import SentenceLabeller
from perimetry.cases import UsageError
from perimetry.scoring.labels import CHEXBERT_ORDER
from perimetry.scoring.labels.chexbert_model import Chexbert


def test_rules_take_doubt_for_stated_and_denial_not():
    labeller = SentenceLabeller.of("rules")
    stated = labeller.stated(
        ["Possible pneumonia.", "No pneumonia.", "Laminar atelectasis at the left base.", "", "Possible pneumonia."]
    )
    assert [sorted(each) for each in stated] == [["Pneumonia"], ["No Finding"], ["Atelectasis"], [], ["Pneumonia"]]
    assert labeller.to_dict()["uncertain counts as"] == "positive"
    assert labeller.to_dict()["labeller"] == "rules"


def test_chexbert_reads_the_same_as_by_itself(tmp_path):
    weights = chexbert_file(tmp_path / "chexbert.pth", chexbert_state())
    words = vocabulary_file(tmp_path).parent
    labeller = SentenceLabeller.of(f"chexbert:{weights},tokenizer={words},device=cpu,batch=2")
    codes = Chexbert(str(weights), str(words), device="cpu").read(list(REPORTS)).labels
    expected = [{CHEXBERT_ORDER[place] for place in range(14) if row[place] in (1, 3)} for row in codes.tolist()]
    assert labeller.stated(list(REPORTS)) == expected
    assert any(expected)


@pytest.mark.parametrize("spelling", ["chexbert", "chexbert:", "chexbert:a,colour=red", "rules:a"])
def test_other_spellings_are_refused(spelling):
    with pytest.raises(UsageError, match="--labeller"):
        SentenceLabeller.of(spelling)
