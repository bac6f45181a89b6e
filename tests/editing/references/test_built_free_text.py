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
    assert len(back) >= 0.98 * len(prose), [each.edits[-1].reason for each in prose if each.text is None][:5]
    other = [each for each in back if not same_sentences(each.original, each.text)]
    assert len(other) <= 0.02 * len(back), (other[0].original, other[0].text)


def test_composed_reports():
    check(there_and_back([{"findings": findings, "impression": impression} for findings, impression in composed(200)]))


@pytest.mark.parametrize("name", ["iu_generated/reports.jsonl"])
def test_real_references(shared_data, name):
    rows = [json.loads(line) for line in (shared_data / name).read_text(encoding="utf-8").splitlines()]
    check(there_and_back([{"findings": row["reference"]} for row in rows]))
