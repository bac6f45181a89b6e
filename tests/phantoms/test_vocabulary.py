import pytest

from perimetry.phantoms.findings import DRAWINGS
from perimetry.phantoms.vocabulary import COMPANIONS, FINDINGS, PHRASES, TERMS, mentioned


def test_thirteen_findings_are_named_drawn_and_worded():
    assert len(FINDINGS) == 13
    assert tuple(DRAWINGS) == FINDINGS
    assert set(PHRASES) == set(TERMS) == set(COMPANIONS) == set(FINDINGS)


def test_companions_go_both_ways():
    for name, companions in COMPANIONS.items():
        assert companions
        assert name not in companions
        assert all(name in COMPANIONS[other] for other in companions)


@pytest.mark.parametrize("name", FINDINGS)
def test_every_phrase_and_term_names_its_own_finding_alone(name):
    assert mentioned(f"Is there {PHRASES[name]}?") == (name,)
    for term in TERMS[name]:
        assert mentioned(f"see {term.upper()} here") == (name,), term


def test_words_inside_words_and_absent_findings_do_not_count():
    assert mentioned("massive interfractures of the spleen") == ()
    assert mentioned("") == ()


def test_line_breaks_do_not_hide_a_term():
    assert mentioned("pleural\n  effusion") == ("Pleural Effusion",)
