import pytest

from perimetry.phantoms.report import STYLES, affirmation, denial, report_sections
from perimetry.phantoms.vocabulary import FINDINGS, mentioned


@pytest.mark.parametrize("finding", FINDINGS)
def test_each_sentence_states_its_finding_alone(finding):
    for style in range(STYLES):
        for place in ("", "left lower lung"):
            sentence = affirmation(finding, style, place)
            assert mentioned(sentence) == (finding,)
            assert sentence.endswith(".")
            assert "{" not in sentence
    assert len({affirmation(finding, style) for style in range(STYLES)}) == STYLES
    assert set(mentioned(denial(finding))) <= {finding}


def test_a_report_states_all_that_is_there_and_denies_only_what_is_not():
    present = {"Edema": "", "Fracture": "right rib"}
    for seed in range(30):
        sections = report_sections(present, seed)
        assert set(mentioned(sections["impression"])) == set(present)
        denied = [s for s in sections["findings"].split(". ") if "no " in s.lower() or "not " in s]
        assert len(denied) == 3
        assert not any(set(mentioned(sentence)) & set(present) for sentence in denied)


def test_styles_vary_with_the_seed_and_parts_and_repeat_with_them():
    reports = {report_sections({"Edema": ""}, 1, str(n))["findings"] for n in range(40)}
    assert len(reports) > 10
    assert report_sections({"Edema": ""}, 1, "a") == report_sections({"Edema": ""}, 1, "a")


def test_nothing_to_say_is_a_normal_report():
    assert report_sections({}, 1, denials=0) == {
        "findings": "No acute abnormality.",
        "impression": "No acute abnormality.",
    }
