"""Records that cannot become items are left out, counted and shown; the rest goes on."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from tests.bad_input import audit, one_error, outcomes, page, records, write_answers, write_table

OPTIONS = {"A": "a lesion", "B": "no lesion"}

FAULTS: dict[str, dict[str, Any]] = {
    "duplicate id (the first one is kept)": {"id": "q1", "question": "Another one?"},
    "no answer": {"id": "bare", "answer": ""},
    "fewer than two options": {"id": "few", "options": {"A": "only"}, "answer": "A", "answer_type": "choice"},
    "answer not among the options": {"id": "other", "options": OPTIONS, "answer": "C"},
    "an option label occurs twice": {
        "id": "twice",
        "options": [{"label": "A", "text": "x"}, {"label": "A", "text": "y"}],
        "answer": "A",
    },
    "neither a question text nor an image": {"id": "mute", "question": " ", "image": None},
    "a field that cannot be understood": {"id": "odd", "answer_type": "riddle"},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    rows = records(8)
    bad = [{**rows[1], **changes} for changes in FAULTS.values()]
    model = write_answers(folder / "answers.jsonl", rows)
    ended = audit(write_table(folder, rows + bad), model, folder / "run")
    assert ended.code == 0, ended
    return folder / "run"


def test_they_are_no_items_of_the_run(run):
    assert set(outcomes(run)["case_id"]) == {f"q{number}" for number in range(8)}
    assert outcomes(run)["answered"].all()


@pytest.mark.parametrize("reason", FAULTS)
def test_each_is_counted_with_an_example_on_the_page_and_in_run_toml(run, reason):
    settings = tomllib.loads((run / "run.toml").read_text())
    funnel = settings["data"][0]["funnel"]
    assert (funnel["entered"], funnel["kept"]) == (8 + len(FAULTS), 8)
    step = next(step for step in funnel["left_out"] if step["reason"] == reason)
    assert step["removed"] == 1
    assert FAULTS[reason]["id"] in step["examples"][0]
    assert f"left out: {reason}" in page(run)
    assert FAULTS[reason]["id"] in page(run)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"id": 1', "line 1, column"),
        (b'{"id": "1", "question": "?", "answer": "yes"}\n[1, 2]\n', "line 2"),
        (b'{"id": "\xff"}', "not UTF-8"),
        (b"[" * 200_000, "line 1"),
        (b'{"id": ' + b"9" * 5000 + b"}", "line 1"),
        (b"", "has no columns"),
        (b'{"name": "x"}\n', "--map FILE"),
        (b"\x00\x01\x02\n", "line 1"),
    ],
    ids=["cut", "list", "latin-1", "deep", "huge number", "empty", "other columns", "binary"],
)
def test_a_damaged_table_is_one_error_that_names_the_place(tmp_path, content, said):
    (tmp_path / "table.jsonl").write_bytes(content)
    ended = audit(f"table:{tmp_path}/table.jsonl", "reader:blind", tmp_path / "run")
    one_error(ended, 1, "table.jsonl", said)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow", "json", "xlsx"])
def test_a_file_of_another_kind_under_the_name_of_a_table(tmp_path, suffix):
    (tmp_path / f"table.{suffix}").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe nothing of the kind")
    ended = audit(f"table:{tmp_path}/table.{suffix}", "reader:blind", tmp_path / "run")
    one_error(ended, 1, f"table.{suffix}")


def test_items_that_all_leave_say_why(tmp_path):
    rows = [{**row, "answer": ""} for row in records(4)]
    one_error(audit(write_table(tmp_path, rows), "reader:blind", tmp_path / "run"), 1, "4 no answer (q0, q1")


@pytest.mark.usefixtures("pageless")
def test_a_list_of_records_in_one_json_file(tmp_path):
    rows = records(4)
    write_table(tmp_path, rows)
    rows[2]["id"] = "half \ud800"
    (tmp_path / "list.json").write_text(json.dumps(rows))
    ended = audit(f"table:{tmp_path}/list.json", write_answers(tmp_path / "a.jsonl", rows), tmp_path / "run")
    assert ended.code == 0
    assert outcomes(tmp_path / "run")["answered"].all()
