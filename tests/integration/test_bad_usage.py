"""Commands that cannot be carried out: one error that says what was found, what was expected, what to do."""

from __future__ import annotations

import os

import pytest
from tests.bad_input import audit, command, one_error, records, write_answers, write_table

PHANTOM = "phantom:n=6,size=64"


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        ("vqa-rd:x", 2, ["vqa-rad", "Did you mean"]),
        ("vqa-rad", 2, ["vqa-rad:PATH", "VQA_RAD Dataset Public.json"]),
        ("vqa-rad:/nowhere/x", 1, ["/nowhere/x", "VQA_RAD Dataset Public.json"]),
        ("slake:{}", 1, ["test.json was looked for", "Found in"]),
        ("medxpertqa-mm:{}", 1, ["medxpertqa_mm_input.jsonl", "Found in"]),
        ("mmmu:{}", 1, ["*.parquet", "Found in"]),
        ("pmc-vqa:{}", 1, ["test.csv was looked for", "Found in"]),
        ("table:{}", 1, ["is a folder", ".jsonl"]),
        ("table:/nowhere.csv", 1, ["there is no /nowhere.csv"]),
        ("table:{}/x.docx", 1, ["x.docx"]),
        ("hub:/nowhere", 1, ["/nowhere", "OWNER/NAME"]),
        ("phantom:m=3", 2, ["'m'", "cooccurrence"]),
        ("phantom:n=few", 2, ["'n'", "'few'", "whole number"]),
        ("phantom-studies:n=3", 2, ["study", "perimetry datasets"]),
        (":x", 2, ["names no data set"]),
        ("table:" + "x" * 5000, 2, ["path that cannot be used"]),
        ("table:\udce9.csv", 2, ["UTF-8"]),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) else "",
)
def test_data(tmp_path, data, code, said):
    (tmp_path / "notes.txt").write_text("nothing of the kind")
    ended = audit(data.replace("{}", str(tmp_path)), "reader:blind", tmp_path / "run")
    one_error(ended, code, *said)


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("opnai:m@http://localhost:1/v1", 2, ["openai", "Did you mean"]),
        ("reader:blnd", 2, ["blind", "Did you mean"]),
        ("baseline:qustion", 2, ["question", "Did you mean"]),
        ("card:qwen2.5-vl", 2, ["qwen2.5-vl-7b"]),
        ("blind", 2, ["reader:NAME"]),
        ("openai:m", 2, ["NAME@URL"]),
        ("openai:m@http://", 2, ["NAME@URL"]),
        ("openai:m@http://:0/v1", 2, ["http://HOST:PORT/v1"]),
        ("recorded:/nowhere.jsonl", 1, ["/nowhere.jsonl", "case_id, condition and response"]),
        ("recorded:gone.jsonl", 1, ["gone.jsonl in /"]),
        ("recorded:/tmp", 1, ["/tmp"]),
    ],
)
def test_models(tmp_path, model, code, said):
    one_error(audit(PHANTOM, model, tmp_path / "run"), code, *said)
    assert not (tmp_path / "run" / "run.toml").exists(), "a refused command begins no run"


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ("real,shufle", ["shuffle", "Did you mean"]),
        ("real,hardneg(rnk=2)", ["rnk", "rank"]),
        ("real,hardneg(rank=x)", ["'x'", "integer from 1"]),
        ("real,hardneg(rank=2", ["cannot be read"]),
        ("real,blank@7", ["blank"]),
        ("real,real", ["given twice"]),
        ("", ["No condition"]),
        (" , ,", ["No condition"]),
    ],
)
def test_conditions(tmp_path, conditions, said):
    one_error(audit(PHANTOM, "reader:blind", tmp_path / "run", conditions=conditions), 2, *said)


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--split", "tset"], 2, ["tset"]),
        (["--answer-type", "choice"], 1, ["no usable case", "not a choice question"]),
        (["--embedder", "clp"], 2, ["pixels", "clip:"]),
        (["--pool", "table:/nowhere.jsonl"], 1, ["/nowhere.jsonl"]),
        (["--pool", "tabel:/nowhere.jsonl"], 2, ["table"]),
        (["--map", "/nowhere.toml"], 1, ["/nowhere.toml"]),
        (["--images", "/nowhere"], 1, ["/nowhere"]),
        (["--seed", "99999999999999999999999"], 2, ["seed", "63 bits"]),
    ],
)
def test_options(tmp_path, more, code, said):
    rows = records(4)
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows)
    one_error(audit(data, model, tmp_path / "run", *more, conditions="real,hardneg"), code, *said)


def test_two_of_one_name(tmp_path):
    rows = records(4)
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows)
    one_error(audit(data, model, tmp_path / "run", "--data", data), 2, "Two data sets", "'table'")
    one_error(audit(data, model, tmp_path / "run", "--model", model), 2, "was given twice")


@pytest.mark.parametrize("name", ["@SUM(A1)", "<script>", "a/b", "x" * 61, "macro", "-1", "a\nb"])
def test_a_data_set_name_that_no_table_can_hold_is_refused_before_anything_is_asked(tmp_path, name):
    data = write_table(tmp_path, records(4))
    one_error(audit(f"{data},name={name}", "reader:blind", tmp_path / "run"), 2, "data set name")


def test_names_that_read_alike_are_kept_apart(tmp_path):
    rows = records(4)
    model = write_answers(tmp_path / "answers.jsonl", rows)
    first, second = (f"{write_table(tmp_path, rows)},name={name}" for name in ("数据", "データ"))
    assert audit(first, model, tmp_path / "run", "--data", second).code == 0
    assert len(list((tmp_path / "run" / "report" / "tables").glob("metrics-data-*.csv"))) == 2


@pytest.mark.usefixtures("pageless")
def test_a_model_that_turns_out_unusable_is_one_error_and_does_not_stay_in_the_run(tmp_path):
    rows = records(6)
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows)
    one_error(audit(data, "baseline:question", tmp_path / "new"), 2, "split 'train'")
    assert audit(data, model, tmp_path / "run").code == 0
    one_error(audit(data, "baseline:question", tmp_path / "run"), 2, "split 'train'")
    again = audit(data, model, tmp_path / "run", "--json")
    assert again.code == 0
    assert list(again.json["verdicts"]) == ["recorded:answers"]
    assert audit(data, model, tmp_path / "new").code == 0


def test_out_that_cannot_be_written(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for out in (file, file / "below"):
        one_error(audit(PHANTOM, "reader:blind", out), 2, f"{file} is a file", "must be a folder")
    one_error(audit(PHANTOM, "reader:blind", "/proc/perimetry/run"), 1, "/proc/perimetry/run", "cannot be written")


def test_a_folder_whose_name_is_not_utf8(tmp_path):
    for ended in (audit(PHANTOM, "reader:blind", f"{tmp_path}/\udce9"), command("report", f"{tmp_path}/\udce9")):
        one_error(ended, 2, "not UTF-8")


@pytest.mark.usefixtures("pageless")
def test_a_folder_without_permission(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    assert audit(PHANTOM, "reader:blind", tmp_path / "before").code == 0  # imports what another user may not read
    user = os.geteuid()
    try:
        if user == 0:  # root may write anywhere: somebody else tries
            os.seteuid(65534)
        ended = audit(PHANTOM, "reader:blind", closed / "run")
    finally:
        os.seteuid(user)
    one_error(ended, 1, closed / "run", "cannot be written", "Permission denied")


def test_report_and_compare_of_what_is_no_run(tmp_path):
    one_error(command("report", tmp_path), 1, "no run.toml")
    one_error(command("report", tmp_path / "nowhere"), 1, "no run.toml")
    one_error(command("compare", tmp_path, "--baseline", "a", "--candidate", "b"), 1, "no run.toml")


@pytest.mark.usefixtures("pageless")
def test_compare_names_the_models_of_a_run(tmp_path):
    assert audit(PHANTOM, "reader:blind", tmp_path / "run").code == 0
    ended = command("compare", tmp_path / "run", "--baseline", "reader:blind", "--candidate", "reader:blnd")
    one_error(ended, 2, "reader:blnd", "reader:blind")


@pytest.mark.usefixtures("pageless")
def test_a_run_is_not_gone_on_with_under_other_settings(tmp_path):
    assert audit(PHANTOM, "reader:blind", tmp_path / "run").code == 0
    one_error(audit(PHANTOM, "reader:blind", tmp_path / "run", "--seed", "7"), 2, "seed", "42", "7", "--out")
