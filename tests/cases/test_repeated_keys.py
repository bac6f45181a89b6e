"""A key that stands twice in a JSON object: the record is refused by name, and the others go on."""

from __future__ import annotations

import json

import pytest
from tests.bad_input import audit, command, one_error, outcomes, records, write_answers, write_table

from perimetry.cases import load
from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_records, read_rows

TWICE = '{"id": "q1", "question": "Is it?", "answer": "yes", "image": "1.png", "answer": "no"}'
NESTED = '{"id": "s1", "findings": "Clear.", "labels": {"Edema": 1, "Edema": 0}}'


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.jsonl", f'{{"id": "q0"}}\n\n{TWICE}\n', r"a\.jsonl, line 3: the key 'answer'"),
        ("a.jsonl", f"\ufeff{NESTED}\n", r"a\.jsonl, line 1: the key 'Edema'"),
        ("a.json", f'[{{"id": "q0"}}, {TWICE}]', r"a\.json, item 2: the key 'answer'"),
        ("a.json", f'{{"x": {{}}, "y": {NESTED}}}', r"a\.json, item 2: the key 'Edema'"),
        ("a.json", '{"x": {"a": 1}, "x": {"a": 2}}', r"a\.json: the key 'x'"),
        ("a.jsonl", '{"id": "\\ud800", "a": 1, "a": 1}\n', r"a\.jsonl, line 1: the key 'a'"),
    ],
)
def test_file_line_and_key_are_named(tmp_path, name, content, place):
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=f"{place} stands more than once in one object. Keep the one that is meant"):
        list(read_rows(tmp_path / name))


def test_what_is_written_once_is_as_before(tmp_path):
    rows = [{"a": {"b": [{"c": 1}, {"c": 2}]}, "d": None}, {"a": {}, "d": [1, {"d": 2}]}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "a.json").write_text(json.dumps(rows))
    for name in ("a.jsonl", "a.json"):
        assert list(read_rows(tmp_path / name)) == rows
        assert not any(record.fault for record in read_records(tmp_path / name, faulty=True))
        assert columns(tmp_path / name) == ("a", "d")


def test_an_audit_goes_on_without_the_record_and_counts_it(tmp_path):
    data = write_table(tmp_path, records(6))
    table = tmp_path / "table.jsonl"
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines[:1], TWICE, *lines[2:]]))
    ended = audit(data, write_answers(tmp_path / "answers.jsonl", records(6)), tmp_path / "run")
    assert ended.code == 0, ended
    assert set(outcomes(tmp_path / "run")["case_id"]) == {"q0", "q2", "q3", "q4", "q5"}
    assert "a key that stands twice in its record" in ended.err
    assert "line 2: the key 'answer' stands more than once" in ended.err


def test_studies_are_counted_too(tmp_path):
    clean = '{"id": "s0", "dataset": "mine", "sections": {"findings": "Clear."}}'
    twice = '{"id": "s1", "dataset": "mine", "sections": {"findings": "Clear.", "findings": "Full."}}'
    (tmp_path / "studies.jsonl").write_text(f"{clean}\n{twice}\n")
    loaded = load(f"studies:{tmp_path}")
    assert [study.id for study in loaded.studies] == ["s0"]
    (step,) = loaded.funnel.steps
    assert step.removed == 1
    assert "line 2: the key 'findings' stands more than once" in step.examples[0]


def test_cells_that_spell_objects(tmp_path):
    (tmp_path / "a.csv").write_text(
        'id,question,options,answer\n1,What?,"{""A"": ""x"", ""A"": ""y"", ""B"": ""z""}",B\n'
        '2,What?,"{""A"": ""x"", ""B"": ""z""}",B\n'
    )
    loaded = load(f"table:{tmp_path / 'a.csv'}")
    assert [question.id for question in loaded.questions] == ["2"]
    assert "the key 'A' stands more than once" in loaded.funnel.steps[0].examples[0]


def test_recorded_answers_and_alternatives_are_refused_before_any_work(tmp_path):
    data = write_table(tmp_path, records(6))
    answers = tmp_path / "answers.jsonl"
    model = write_answers(answers, records(6))
    answers.write_text('{"case_id": "q1", "condition": "real", "response": "yes", "response": "no"}\n')
    one_error(audit(data, model, tmp_path / "run"), 1, "answers.jsonl, line 1: the key 'response'")
    (tmp_path / "reports.jsonl").write_text('{"id": "a", "gold": "Clear.", "ours": "Clear."}\n')
    wording = '"status": "accepted", "original": {"findings": "Clear."}, "alternative": {"findings": "No finding."}'
    (tmp_path / "alternatives.jsonl").write_text(f'{{"id": "a", "id": "b", "target": "x:y", {wording}}}\n')
    asked = ("--reference", "gold", "--system", "ours", "--id", "id", "--metrics", "bleu_1")
    ended = command("score", tmp_path / "reports.jsonl", *asked, "--alternatives", tmp_path, "--out", tmp_path / "out")
    one_error(ended, 1, "alternatives.jsonl, line 1: the key 'id'")
