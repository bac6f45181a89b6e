"""Recorded answers that do not fit the run."""

from __future__ import annotations

import json

import pytest
from tests.bad_input import audit, one_error, outcomes, page, records, write_answers, write_table


@pytest.fixture
def rows():
    return records(8)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def rewrite(path, entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))


@pytest.mark.usefixtures("pageless")
def test_unknown_ids_and_conditions_are_named_and_the_rest_is_used(tmp_path, rows):
    model = write_answers(tmp_path / "a.jsonl", [*rows, {"id": "stranger", "answer": "yes"}])
    rewrite(
        tmp_path / "a.jsonl", [*lines(tmp_path / "a.jsonl"), {"case_id": "q0", "condition": "upside", "response": "x"}]
    )
    ended = audit(write_table(tmp_path, rows), model, tmp_path / "run")
    assert ended.code == 0
    assert outcomes(tmp_path / "run")["answered"].all()
    assert ended.err.count("1 of 9 case ids belong to none of the loaded cases (for example stranger)") == 1
    assert "no condition is called upside" in ended.err
    assert "recorded.py" not in ended.err, "a note, not a Python warning"


def test_missing_conditions_are_failures_by_name(tmp_path, rows):
    model = write_answers(tmp_path / "a.jsonl", rows, "real,retest,shuffle")
    ended = audit(write_table(tmp_path, rows), model, tmp_path / "run")
    table = outcomes(tmp_path / "run")
    assert set(table.filter(~table["answered"])["condition"]) == {"noimage"}
    assert set(table["failure_kind"].drop_nulls()) == {"not_recorded"}
    assert "8 not_recorded" in ended.err
    assert "not_recorded" in page(tmp_path / "run")


@pytest.mark.usefixtures("pageless")
def test_equal_rows_count_once_and_different_ones_are_refused_with_their_rows(tmp_path, rows):
    model = write_answers(tmp_path / "a.jsonl", rows)
    entries = lines(tmp_path / "a.jsonl")
    rewrite(tmp_path / "a.jsonl", [*entries, entries[0]])
    data = write_table(tmp_path, rows)
    assert audit(data, model, tmp_path / "run").code == 0
    rewrite(tmp_path / "a.jsonl", [*entries, {**entries[0], "response": "something else"}])
    one_error(audit(data, model, tmp_path / "other"), 1, "rows 1 and 57", "'q0'")


@pytest.mark.usefixtures("pageless")
def test_an_answer_file_that_changed_is_not_mixed_with_the_old_one(tmp_path, rows):
    model = write_answers(tmp_path / "a.jsonl", rows)
    data = write_table(tmp_path, rows)
    assert audit(data, model, tmp_path / "run").code == 0
    write_answers(tmp_path / "a.jsonl", rows, answer=lambda *_: "no")
    ended = audit(data, model, tmp_path / "run")
    one_error(ended, 2, "recorded:a: ", "a.jsonl has changed since this run began", "Give a new --out")
    assert "[" not in ended.err
    assert audit(data, model, tmp_path / "other").code == 0


@pytest.mark.usefixtures("pageless")
def test_two_files_of_one_name_have_to_be_told_apart(tmp_path, rows):
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "a.jsonl", rows)
    (tmp_path / "there").mkdir()
    other = write_answers(tmp_path / "there" / "a.jsonl", rows, answer=lambda *_: "no")
    one_error(
        audit(data, model, tmp_path / "run", "--model", other),
        2,
        "called 'recorded:a'",
        "recorded:FILE#MODEL",
        "rename",
    )
    assert audit(data, model, tmp_path / "run", "--model", f"{other}#other").code == 0
    assert set(outcomes(tmp_path / "run")["model"]) == {"recorded:a", "recorded:other"}


@pytest.mark.usefixtures("pageless")
def test_a_mapping_of_answers_that_changed_is_not_mixed_with_the_old_one(tmp_path, rows):
    model = write_answers(tmp_path / "a.jsonl", rows)
    data, mapping = write_table(tmp_path, rows), tmp_path / "map.toml"
    rules = 'case_id = "case_id"\ncondition = "{condition}"\nresponse = "{response}"\n'
    mapping.write_text(rules)
    assert audit(data, model, tmp_path / "run", "--map", mapping).code == 0
    mapping.write_text(rules.replace("{response}", "not {response}"))
    ended = audit(data, model, tmp_path / "run", "--map", mapping)
    one_error(ended, 2, "map.toml has changed since this run began", "Give a new --out")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"case_id": "q0", "condition": "real"}', "'response'"),
        ('{"id": "q0", "condition": "real", "response": "yes"}', "'case_id'"),
        ('{"case_id": "q0", "condition": "real", "response": ["yes"]}', "response is a list"),
        ('{"case_id": "q0", "condition": "real", "response": "yes", "repeat": "often"}', "repeat is 'often'"),
        ('{"case_id": null, "condition": "real", "response": "yes"}', "case_id is None"),
        ("", "holds no row"),
        ("{", "line 1"),
    ],
)
def test_a_file_that_holds_no_answers_is_one_error(tmp_path, rows, content, said):
    (tmp_path / "a.jsonl").write_text(content)
    one_error(audit(write_table(tmp_path, rows), f"recorded:{tmp_path}/a.jsonl", tmp_path / "run"), 1, "a.jsonl", said)


@pytest.mark.usefixtures("pageless")
def test_several_models_in_one_file_have_to_be_named(tmp_path, rows):
    write_answers(tmp_path / "a.jsonl", rows)
    entries = lines(tmp_path / "a.jsonl")
    rewrite(tmp_path / "a.jsonl", [{**entry, "model": name} for name in ("org/a b", "c") for entry in entries])
    data = write_table(tmp_path, rows)
    one_error(audit(data, f"recorded:{tmp_path}/a.jsonl", tmp_path / "run"), 2, "org/a b", "#MODEL")
    assert audit(data, f"recorded:{tmp_path}/a.jsonl#org/a b", tmp_path / "run").code == 0


ANSWER_RULES = 'case_id = "{number}"\ncondition = { formula = "{setting}" }\nresponse = "{said}"\n'
DATA_RULES = 'id = "{key}"\nstem = "asks"\nanswer = "gold"\nimage = "film"\n'


@pytest.mark.parametrize("own_columns", [False, True], ids=["plain table", "mapped table"])
@pytest.mark.parametrize("own_answers", [False, True], ids=["plain answers", "mapped answers"])
@pytest.mark.usefixtures("pageless")
def test_one_mapping_file_serves_data_and_answers(tmp_path, rows, own_columns, own_answers):
    model = write_answers(tmp_path / "a.jsonl", rows)
    if own_answers:
        rewrite(
            tmp_path / "a.jsonl",
            [
                {"number": entry["case_id"], "setting": entry["condition"], "said": entry["response"]}
                for entry in lines(tmp_path / "a.jsonl")
            ],
        )
    table = rows
    if own_columns:
        table = [{"key": r["id"], "asks": r["question"], "gold": r["answer"], "film": r["image"]} for r in rows]
    data = write_table(tmp_path, table)
    rules = (DATA_RULES if own_columns else "") + (ANSWER_RULES if own_answers else "")
    (tmp_path / "map.toml").write_text(rules or 'condition = "real"\n')
    more = ["--map", tmp_path / "map.toml"] if rules else []
    ended = audit(data, model, tmp_path / "run", *more)
    assert ended.code == 0, ended
    assert outcomes(tmp_path / "run")["answered"].all()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ('id = "{kye}"\nstem = "question"\nanswer = "answer"', "kye"),
        ('stem = "qestion"\nanswer = "answer"', "question"),
        ("stem = ", "not TOML"),
        ("", "empty"),
    ],
)
def test_a_mapping_that_does_not_fit_names_field_and_column(tmp_path, rows, rules, said):
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "a.jsonl", rows)
    (tmp_path / "map.toml").write_text(rules)
    one_error(audit(data, model, tmp_path / "run", "--map", tmp_path / "map.toml"), 1, "map.toml", said)
