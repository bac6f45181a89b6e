"""Free text built from structured forms: what was prose comes back as prose, with its sentences and no other."""

from __future__ import annotations

import json

import pytest
from tests.editing.reports import composed

from perimetry.cases import Study
from perimetry.editing.references import ReportText, make_alternatives, parse_targets
from perimetry.editing.references.accounting import RuleVerifier
from perimetry.editing.references.rules import RuleGenerator
from perimetry.editing.references.sentences import is_structured, split_sentences

LED_BACK = "the steps lead back to the original"
BUILT = parse_targets(["structure:structured+structure:free_text"])


def there_and_back(reports):
    studies = [Study(f"s{n}", "mine", f"s{n}", sections=sections) for n, sections in enumerate(reports)]
    return make_alternatives(studies, BUILT, RuleGenerator(), [RuleVerifier()])


def same_sentences(original: ReportText, text: ReportText) -> bool:
    def said(report: str) -> list[str]:
        return sorted(sentence.lower().rstrip(" .") for sentence in split_sentences(report))

    return said(original.findings) == said(text.findings)


def check(made):
    prose = [each for each in made if not is_structured(each.original.findings)]
    assert len(prose) >= 0.9 * len(made)
    back = [each for each in prose if each.text is not None]
    # Some stood in the order of the template before: nothing comes of them.
    same = [each for each in prose if each.status == "already_in_form"]
    assert len(back) + len(same) >= 0.98 * len(prose), [each.edits[-1].reason for each in prose if not each.text][:5]
    assert all(each.edits[-1].reason == LED_BACK for each in same)
    assert all(each.text != each.original for each in back)
    assert len(same) < 0.3 * len(prose)
    other = [each for each in back if not same_sentences(each.original, each.text)]
    assert len(other) <= 0.02 * len(back), (other[0].original, other[0].text)


@pytest.mark.parametrize(
    ("findings", "impression", "accepted"),
    [
        ("Lungs are clear. No effusion. Heart and mediastinum are normal.", "Clear.", False),
        ("Lungs are clear. . No effusion. Heart and mediastinum are normal..", "Clear. .", False),
        ("Heart and mediastinum are normal. Lungs are clear. No effusion.", "Clear.", True),
        ("Lungs are clear. No effusion. Heart and mediastinum are normal.", "1. Clear.", True),
    ],
)
def test_steps_that_lead_back_are_no_alternative(findings, impression, accepted):
    made = there_and_back([{"findings": findings, "impression": impression}])[0]
    assert (made.text is not None) == accepted
    assert made.status == ("accepted" if accepted else "already_in_form")


def test_only_the_last_step_is_held_against_the_original():
    steps = parse_targets(["structure:structured+structure:free_text+terminology"])
    study = Study("s", "mine", "s", sections={"findings": "Lungs are clear. Mild cardiomegaly."})
    made = make_alternatives([study], steps, RuleGenerator(), [RuleVerifier()])[0]
    assert made.status == "accepted"
    assert made.text is not None
    assert made.text.findings.startswith("Lungs are clear. Mildly enlarged")


def test_composed_reports():
    check(there_and_back([{"findings": findings, "impression": impression} for findings, impression in composed(200)]))


@pytest.mark.parametrize("name", ["iu_generated/reports.jsonl"])
def test_real_references(shared_data, name):
    rows = [json.loads(line) for line in (shared_data / name).read_text(encoding="utf-8").splitlines()]
    check(there_and_back([{"findings": row["reference"]} for row in rows]))
