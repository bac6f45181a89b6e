import pytest

from perimetry.phantoms.vocabulary import FINDINGS, mentioned
from perimetry.phantoms.wording import answer_words, choice_stem, closed_stem, leaning, open_stem, suspected


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_question_says_its_finding_and_which_way_it_leans(finding):
    for leans_yes in (True, False):
        stem = closed_stem(finding, leans_yes)
        assert mentioned(stem) == (finding,)
        assert leaning(stem) is leans_yes
        assert suspected(stem) is None
    assert closed_stem(finding, True) != closed_stem(finding, False)


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_suspicion_is_read_back(finding):
    assert suspected(choice_stem(finding)) == finding
    assert suspected(open_stem(finding)) == finding
    assert mentioned(answer_words(finding)) == (finding,)


@pytest.mark.parametrize("stem", ["", "What is shown?", "suspected", "Indication: suspected nonsense. What?"])
def test_other_texts_suspect_nothing_and_lean_to_yes(stem):
    assert suspected(stem) is None
    assert leaning(stem)
