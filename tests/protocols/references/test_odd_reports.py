"""Reports as they come: nothing of them stops an audit, and nothing of them is read as markup."""

from __future__ import annotations

import pytest
from tests.protocols.references.made import write_lines

from perimetry.protocols.references import Wanted, audit_references, count_requests

ODD = {
    "one word": "Normal",
    "capitals": "THE LUNGS ARE CLEAR. NO EFFUSION.",
    "list in prose": "Findings include 1. clear lungs 2. normal heart, and 3. no effusion.",
    "marks": "XXXX XXXX opacity in the ___ lung . ___ .",
    "units": 'Nodule of 0.2 inch (5.0 mm; 3/16"), Cobb angle 12 degrees.',
    "long": "The lungs are clear. " * 1000,
    "language": "Keine Ergüsse; die Lunge ist frei. 肺野清晰。",
    "markup": '<script>alert(1)</script> <b>effusion</b> & "quotes" {{ template }}',
    "marks alone": "... ---",
    "lines": "LUNGS: Clear.\r\n\r\nHEART:\tNormal.\n",
    "controls": "clear\x00lungs\u2028no effusion\ufffd",
    "hardly": "no",
}


@pytest.fixture
def odd(tmp_path):
    studies = [{"id": name, "findings": text} for name, text in ODD.items()]
    systems = [
        {"id": name, "echo": text, "wrong": "Large effusion.", "silent": None if at % 2 else ""}
        for at, (name, text) in enumerate(ODD.items())
    ]
    alternatives = [
        {
            "id": name,
            "target": target,
            "status": "accepted",
            "original": {"findings": text},
            "alternative": {"findings": other},
        }
        for name, text in ODD.items()
        for target, other in (("terminology:alternative", f"{text} Indeed."), ("hedging:alternative", "indeed"))
    ]
    return {
        "data": (f"table:{write_lines(tmp_path / 'studies.jsonl', studies)},name=odd",),
        "systems": (f"{write_lines(tmp_path / 'systems.jsonl', systems)}:echo,wrong,silent",),
        "alternatives": (write_lines(tmp_path / "rewritten" / "alternatives.jsonl", alternatives).parent,),
    }


def test_an_audit_of_odd_reports(tmp_path, odd):
    result = audit_references(Wanted(**odd, metrics="bleu_1,rouge_l,f1_rules", resamples=50), tmp_path / "out")
    values = {
        (row["metric"], row["model"]): row["value"]
        for row in result.estimates.to_dicts()
        if row["condition"] == "original" and not row["comparator"]
    }
    assert values["bleu_1", "echo"] == pytest.approx(1.0)
    assert values["bleu_1", "silent"] == 0.0
    page = (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "silent says nothing in 11 reports" in page


def test_two_silent_systems_tie_at_zero_and_that_is_no_lost_verdict(tmp_path, odd):
    result = audit_references(Wanted(**odd, metrics="bleu_1", resamples=50))
    gone = next(order for order in result.findings.metrics[0].orders if order.condition == "hedging:alternative")
    pair = next(each for each in gone.pairs if (each.after.left, each.after.right) == ("echo", "silent"))
    assert pair.before.verdict == "win"
    assert pair.change == "lost_to_zero"
    assert gone.count("lost") == 0


def test_references_without_a_word_leave_nothing_to_rank(tmp_path, odd):
    path = odd["alternatives"][0] / "alternatives.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"indeed"', '"?"'), encoding="utf-8")
    result = audit_references(Wanted(**odd, metrics="bleu_1", resamples=50))
    assert result.findings.metrics[0].left == {"odd": 12}
    assert result.verdicts[0].reason.startswith("No study has a value for every system")


def test_judges_are_counted_before_they_are_asked(tmp_path, odd):
    wanted = Wanted(**odd, metrics="rouge_l,green_judge", judge="openai:m@http://127.0.0.1:9/v1")
    counted = count_requests(wanted, tmp_path / "out")
    assert list(counted) == ["green_judge"]
    asked, left = counted["green_judge"]
    assert asked == left > len(ODD)
    assert not (tmp_path / "out").exists()
