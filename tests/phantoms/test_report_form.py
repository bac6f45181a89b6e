"""Every form of a report against the rule labeller, which knows nothing of the templates."""

from itertools import combinations

import pytest

from perimetry.phantoms.report import STYLES
from perimetry.phantoms.report_form import CLEAR, FORMS, drawn_report, write_report
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.scoring.labels import CHEXBERT_ORDER, RuleLabeller

LABELLER = RuleLabeller()
PLACES = ("", "left lower lung", "right upper lung", "both lungs")


def read(text):
    return dict(zip(CHEXBERT_ORDER, LABELLER.read(text).codes, strict=True))


def wanted(present, denied):
    return {name: 1 if name in present else 2 if name in denied else 0 for name in FINDINGS}


@pytest.mark.parametrize("form", FORMS)
def test_the_labeller_reads_every_finding_in_every_wording_beside_every_denial(form):
    for style in range(STYLES):
        for place in PLACES:
            for finding in FINDINGS:
                others = [name for name in FINDINGS if name != finding]
                for denied in [[], others, *([name] for name in others)]:
                    text = write_report({finding: place}, denied, form, style)
                    codes = read(text)
                    assert {name: codes[name] for name in FINDINGS} == wanted({finding}, denied), text


@pytest.mark.parametrize("form", FORMS)
def test_two_findings_and_all_of_them_and_none(form):
    groups = [*combinations(FINDINGS, 2), FINDINGS, ()]
    for number, group in enumerate(groups):
        denied = [name for name in FINDINGS if name not in group]
        for said in (denied, denied[:2]):
            codes = read(write_report(dict.fromkeys(group, PLACES[number % 4]), said, form, number % STYLES))
            assert {name: codes[name] for name in FINDINGS} == wanted(group, said)
            assert codes["No Finding"] == int(not set(group) - {"Support Devices"})


def test_the_forms_differ_and_say_the_same():
    texts = [write_report({"Edema": "", "Fracture": ""}, ["Pneumonia", "Atelectasis"], form) for form in FORMS]
    assert len(set(texts)) == len(FORMS)
    assert len({tuple(sorted(read(text).items())) for text in texts}) == 1
    assert "\n2. " in texts[2]
    assert texts[3].endswith("There is no pneumonia or atelectasis.")


def test_a_drawn_report_is_the_cases_own():
    reports = [drawn_report(["Edema"], 1, f"study{number}") for number in range(200)]
    assert reports == [drawn_report(["Edema"], 1, f"study{number}") for number in range(200)]
    numbered = sum("\n2. " in text for text in reports)
    assert 25 < numbered < 80
    assert len(set(reports)) > 60
    for text in reports:
        assert [name for name in FINDINGS if read(text)[name] == 1] == ["Edema"]


def test_a_finding_that_goes_changes_little_else():
    """What is not seen any more is taken out; form and wording of the rest stay."""
    for number in range(40):
        before = drawn_report(["Edema", "Fracture"], 1, str(number))
        after = drawn_report(["Edema"], 1, str(number))
        assert ("1. " in before) == ("1. " in after)
        edema = next(part for part in before.replace("\n", " ").split(".") if "edema" in part.lower())
        assert edema in after.replace("\n", " ")


def test_nothing_to_say_is_a_normal_report():
    assert {write_report({}, [], form) for form in FORMS} == {CLEAR}
    assert read(CLEAR)["No Finding"] == 1
