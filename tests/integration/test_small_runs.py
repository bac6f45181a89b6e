"""Runs with next to nothing in them: a page that opens, and a verdict that says what is absent."""

from __future__ import annotations

import json

import pytest
from tests.bad_input import audit, estimate, every_file, outcomes, page, records, verdict, write_answers, write_table
from tests.models.loopback import LoopbackServer, error

EVERYTHING = "real,retest,blank,shuffle,noimage,hardneg,mismatch"


@pytest.fixture
def rows():
    return records(8)


def run(tmp_path, rows, *more, conditions=EVERYTHING):
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows)
    ended = audit(data, model, tmp_path / "run", *more, conditions=conditions)
    assert ended.code == 0, ended
    html = page(tmp_path / "run")
    assert html.startswith("<!doctype html>")
    assert verdict(tmp_path / "run")["verdict"] in html
    return tmp_path / "run"


def absent(folder, *said):
    found = verdict(folder)
    assert found["verdict"] == "not measured"
    for text in said:
        assert text in found["reason"]


def test_a_limit_beyond_the_data_takes_all_of_it(tmp_path, rows):
    folder = run(tmp_path, rows, "--limit", "1000", conditions="real")
    assert outcomes(folder).height == len(rows)


def test_one_item(tmp_path, rows):
    folder = run(tmp_path, rows, "--limit", "1")
    assert estimate(folder, "accuracy")["n"] == 1
    absent(folder, "1 usable item, all in one group, which gives no interval")


def test_the_page_counts_in_words_and_leaves_empty_sections_out(tmp_path, rows):
    folder = run(tmp_path, rows, "--limit", "1", conditions="blank")
    assert "table (1 item) · 1 model · 1 condition · 1 repeat" in page(folder)
    assert "Does the way answers are read matter?" not in page(folder)


def test_an_answer_that_could_not_be_read_is_not_told_as_unasked(tmp_path, rows):
    data = write_table(tmp_path, rows)
    model = write_answers(tmp_path / "answers.jsonl", rows, answer=lambda *_: "no idea")
    assert audit(data, model, tmp_path / "run").code == 0
    cases = b"".join(text for name, text in every_file(tmp_path / "run").items() if "assets/case" in name).decode()
    assert "not read (unmatched)" in cases
    assert "not asked yet" not in cases


@pytest.mark.usefixtures("pageless")
def test_a_model_that_answers_nothing_for_good(tmp_path, rows):
    data = write_table(tmp_path, [row | {"image": "gone.png"} for row in rows])
    with LoopbackServer("Answer: yes") as server:
        ended = audit(data, f"openai:m@{server.url}", tmp_path / "run", conditions="real,retest,shuffle")
    assert ended.code == 1
    assert "not one request was answered" in ended.err
    assert "(for good)" in ended.err
    assert "same command" not in ended.err
    told = verdict(tmp_path / "run")["reason"]
    assert told.startswith("Not measured: vrs has no usable item"), told


def test_one_group(tmp_path, rows):
    folder = run(tmp_path, [{**row, "image": "0.png"} for row in rows])
    row = estimate(folder, "vrs", "shuffle")
    assert (row["n"], row["groups"], row["ci_low"], row["value"]) == (8, 1, None, 0.5)
    absent(folder, "8 usable items, all in one group, which gives no interval")


def test_questions_without_images(tmp_path, rows):
    folder = run(tmp_path, [{**row, "image": None} for row in rows])
    table = outcomes(folder)
    applies = table.filter(table["request_id"].is_not_null())["condition"].unique().to_list()
    assert "shuffle" not in applies
    assert "real" in applies
    absent(folder, "no usable item, for its conditions apply to none")
    assert "trials to which shuffle does not apply" in page(folder)


def test_no_condition_applies(tmp_path, rows):
    folder = run(tmp_path, [{**row, "image": None} for row in rows], conditions="blank,shuffle,hardneg")
    assert outcomes(folder)["request_id"].null_count() == 24
    absent(folder, "needs the conditions real and shuffle")


@pytest.mark.parametrize("conditions", ["blank,shuffle", "real", "noimage", "retest", "real,hardneg"])
def test_without_what_a_verdict_needs(tmp_path, rows, conditions):
    absent(run(tmp_path, rows, conditions=conditions), "needs the conditions")


def test_nothing_asked_yet(tmp_path, rows):
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows)
    ended = audit(data, model, tmp_path / "run", "--max-requests", "0")
    assert ended.code == 3
    absent(tmp_path / "run", "no usable item; 8 items have a request without an answer")
    assert "not asked yet" in page(tmp_path / "run")
    assert audit(data, model, tmp_path / "run").code == 0


def test_every_request_failed(tmp_path, rows):
    with LoopbackServer(error(400, "no such thing")) as server:
        ended = audit(write_table(tmp_path, rows), f"openai:m@{server.url}", tmp_path / "run")
    assert ended.code == 3
    assert "32 bad_request" in ended.err
    assert "32 of them are asked when the same command is given again" in ended.err
    absent(tmp_path / "run", "8 items have a request without an answer")
    assert "bad_request" in page(tmp_path / "run")


def test_json_says_what_has_no_answer(tmp_path, rows):
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "answers.jsonl", rows, "real,retest,shuffle")
    ended = audit(data, model, tmp_path / "run", "--json")
    assert (ended.code, ended.json["unanswered"], ended.json["pending"]) == (0, 8, 0)
    assert json.loads((tmp_path / "run" / "verdicts.json").read_text()) == ended.json["verdicts"]
