"""Files of alternatives: both spellings, what is left out, and every fault with its remedy."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from perimetry.cases.errors import DataError
from perimetry.protocols.score.alternatives import read_alternatives
from perimetry.protocols.score.wording_form import WordingForm

ROW = {
    "id": "1",
    "dataset": "mine",
    "target": "terminology:alternative",
    "status": "accepted",
    "original": {"findings": "Cardiomegaly.", "impression": "Stable."},
    "alternative": {"findings": "Enlarged heart.", "impression": "Stable."},
}


def written(tmp_path, *rows, name="alternatives.jsonl"):
    (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_sections_in_one_column_or_in_several(tmp_path):
    nested = read_alternatives(written(tmp_path, ROW))
    flat = tmp_path / "flat"
    flat.mkdir()
    pl.DataFrame(
        [
            {
                "id": "1",
                "target": "terminology:alternative",
                "status": "accepted",
                "original_findings": "Cardiomegaly.",
                "alternative_findings": "Enlarged heart.",
                "alternative_impression": "Stable.",
            }
        ]
    ).write_parquet(flat / "alternatives.parquet")
    for held in (nested, read_alternatives(flat)):
        found = held.matched("mine", ["1", "2"], ["Cardiomegaly.", "Clear."], "findings")
        assert found.texts["terminology:alternative"] == ("Enlarged heart.", None)
        assert found.states["terminology:alternative"] == ("accepted", "not_tried")


@pytest.mark.parametrize(
    ("change", "section", "text", "state"),
    [
        ({}, "findings", "Enlarged heart.", "accepted"),
        ({}, "impression", None, "unchanged"),
        ({}, "report", "Enlarged heart. Stable.", "accepted"),
        ({"alternative": {"findings": "", "impression": "Enlarged heart. Stable."}}, "findings", None, "empty"),
        ({"status": "infeasible", "alternative": None}, "findings", None, "infeasible"),
        ({"status": "rejected", "alternative": None}, "findings", None, "rejected"),
        ({"status": "already_in_form", "alternative": None}, "findings", None, "already_in_form"),
        ({"status": "failed", "alternative": None}, "findings", None, "failed"),
    ],
)
def test_what_may_stand_beside_a_reference(tmp_path, change, section, text, state):
    held = read_alternatives(written(tmp_path, {**ROW, **change}))
    reference = {"findings": "Cardiomegaly.", "impression": "Stable.", "report": "Cardiomegaly. Stable."}[section]
    found = held.matched("mine", ["1"], [reference], section)
    assert found.texts["terminology:alternative"] == (text,)
    assert found.counts("terminology:alternative")[state] == 1


def test_an_alternative_that_differs_in_its_form_only_is_none(tmp_path):
    """Case, blanks before stops and marks that no reference has: nothing would be compared, so nothing is counted."""
    references = [f"the heart is normal . view {number} - no effusion ." for number in range(20)]
    rows: list[dict[str, Any]] = [
        {
            **ROW,
            "id": str(number),
            "target": "structure:structured+structure:free_text",
            "original": {"findings": reference, "impression": ""},
            "alternative": {"findings": f"The heart is normal.\nView {number} - no effusion;", "impression": ""},
        }
        for number, reference in enumerate(references)
    ]
    rows[3]["alternative"] = {"findings": "View 3 - no effusion. The heart is normal.", "impression": ""}
    ids = [row["id"] for row in rows]
    found = read_alternatives(written(tmp_path, *rows)).matched("mine", ids, references, "findings")
    (texts,), (states,) = found.texts.values(), found.states.values()
    assert [text for text in texts if text is not None] == ["view 3 - no effusion . the heart is normal ."]
    assert states.count("unchanged") == 19
    assert states[3] == "accepted"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([ROW, ROW], "has terminology:alternative already"),
        ([{**ROW, "status": "maybe"}], "expected one of accepted"),
        ([{**ROW, "target": ""}], "an id and a variation were expected"),
        ([{**ROW, "target": "original"}], "an id and a variation were expected"),
        ([{key: value for key, value in ROW.items() if key != "alternative"}], "no column alternative_findings"),
        ([{key: value for key, value in ROW.items() if key != "target"}], "no column target"),
        ([{**ROW, "alternative": {"findings": 3}}], "a text was expected, found int"),
    ],
)
def test_faults_of_a_file(tmp_path, rows, told):
    with pytest.raises(DataError, match=told):
        read_alternatives(written(tmp_path, *rows))


def test_nothing_there(tmp_path):
    with pytest.raises(DataError, match="perimetry rewrite"):
        read_alternatives(tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        read_alternatives(tmp_path / "nowhere")
    (tmp_path / "alternatives.jsonl").touch()
    with pytest.raises(DataError, match="is empty"):
        read_alternatives(tmp_path)


def test_alternatives_of_other_reports_are_refused(tmp_path):
    held = read_alternatives(written(tmp_path, ROW))
    with pytest.raises(DataError, match="has no alternative for any"):
        held.matched("mine", ["7"], ["Cardiomegaly."], "findings")
    with pytest.raises(DataError, match="are not the references"):
        held.matched("mine", ["1"], ["Pneumothorax."], "findings")
    assert held.section_of("mine", ["1"], ["Cardiomegaly. Stable."]) == "report"


def test_form_of_public_releases(shared_data):
    rows = pl.read_ndjson(shared_data / "iu_generated" / "reports.jsonl")
    form = WordingForm.of(rows["reference"].to_list())
    assert (form.case, form.spaced, form.stop) == ("lower", frozenset("."), True)
    assert all(form.apply(text) == " ".join(text.split()) for text in rows["reference"])
    assert form.apply("LUNGS: Clear.\nNo effusion, t-spine 1.5 cm") == "lungs clear . no effusion t-spine 1.5 cm ."


@pytest.mark.parametrize(
    "texts",
    [
        ["The lungs are clear. No effusion: none."] * 25,
        ["HEART NORMAL. XXXX."] * 25,
        ["1. Clear.\n2. No ___."] * 25,
        ["Clear lungs"],
        ["clear lungs , no effusion ."] * 30,
    ],
)
def test_originals_keep_their_form(texts):
    form = WordingForm.of(texts)
    assert [form.apply(text) for text in texts] == texts


def test_few_reports_take_no_marks_away():
    assert WordingForm.of(["Clear lungs."]).apply("Lungs: clear; no effusion.") == "Lungs: clear; no effusion."
