"""A file of ids restricts any data set, in every command that takes one."""

from __future__ import annotations

import inspect

import polars as pl
import pytest
from tests.bad_input import audit, command, one_error, outcomes, records, write_answers, write_table

from perimetry.cases import load
from perimetry.cases.errors import DataError, UsageError
from perimetry.cli.app import app

ODD = {"id": "=1+1", "question": "Is it odd?", "answer": "yes", "image": "1.png"}


@pytest.fixture
def data(tmp_path):
    return write_table(tmp_path, [*records(8), ODD])


def file(path, content):
    path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("kept.csv", "dataset,case_id\ntable,q3\ntable,q1\nother,z\n"),
        ("kept.csv", "case_id,kept\nq1,true\nq2,false\nq3,true\n"),
        ("kept.tsv", "id\tnote\nq1\t\nq3\t\n"),
        ("kept.jsonl", '{"study_id": "q1"}\n{"study_id": "q3"}\n'),
        ("kept.txt", "\ufeffq3\n\nq1\nq1\n"),
    ],
)
def test_a_file_of_ids_in_any_form(tmp_path, data, name, content):
    only = file(tmp_path / name, content)
    loaded = load(data, only=only)
    assert [case.id for case in loaded.cases] == ["q1", "q3"]
    assert len(loaded.pool) == 9
    assert loaded.funnel.kept == 2
    assert [(step.reason, step.removed, step.asked_for) for step in loaded.funnel.steps] == [
        (f"not in {name}", 7, True)
    ]
    assert load(f"{data},only={only}").cases == loaded.cases
    assert [case.id for case in load(data, only=only, limit=1).cases] in (["q1"], ["q3"])


def test_the_cell_that_a_spreadsheet_would_run_is_found_again(tmp_path, data):
    only = file(tmp_path / "kept.csv", "dataset,case_id\ntable,'=1+1\n")
    assert [case.id for case in load(data, only=only).cases] == ["=1+1"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "a.csv",
            "case_id\nq1\nqq\nqqq\n",
            r"names 2 ids that table does not have, such as qq; its 9 ids are such",
        ),
        ("a.csv", "dataset,case_id\nward,q1\n", r"a\.csv names no id of table: it is of ward"),
        ("a.csv", "case_id\n", r"names no id of table: it is empty"),
        ("a.txt", "", r"names no id of table: it is empty"),
        (
            "a.csv",
            "name,case\nq1,1\n",
            r"has the columns name, case\. Expected a table .* with a column case_id",
        ),
        ("a.csv", "case_id,n\n,1\n", r"a\.csv, row 1: case_id is empty"),
        ("b.csv", "", r"a\.csv: there is no such file"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, data, name, content, told):
    file(tmp_path / name, content)
    with pytest.raises(DataError, match=told):
        load(data, only=tmp_path / ("a.csv" if name == "b.csv" else name))


def test_two_ways_at_once_and_paths_that_no_spec_can_hold(tmp_path, data):
    only = file(tmp_path / "a.txt", "q1\n")
    with pytest.raises(UsageError, match="has only= of its own, and --only is given, too"):
        load(f"{data},only={only}", only=only)
    with pytest.raises(UsageError, match="a comma or = in its path"):
        load(data, only=file(tmp_path / "a,b.txt", "q1\n"))


def test_items_of_another_type_are_known_and_left_out(tmp_path):
    rows = [*records(4), {"id": "open", "question": "What is it?", "answer": "a node", "image": "0.png"}]
    data = write_table(tmp_path, rows)
    only = file(tmp_path / "a.txt", "q1\nopen\n")
    assert [case.id for case in load(data, only=only, answer_type="open").cases] == ["open"]
    with pytest.raises(DataError, match="none of its 1 cases is left"):
        load(data, only=file(tmp_path / "b.txt", "q1\n"), answer_type="open")


def test_an_audit_asks_each_item_as_in_a_run_over_all_of_them(tmp_path, data):
    model = write_answers(tmp_path / "answers.jsonl", [*records(8), ODD])
    only = file(tmp_path / "kept.csv", "dataset,case_id\ntable,q2\ntable,q5\ntable,q6\n")
    asked = "real,shuffle,hardneg,mismatch"
    assert audit(data, model, tmp_path / "all", conditions=asked).code == 0
    assert audit(data, model, tmp_path / "few", "--only", only, conditions=asked).code == 0
    columns = ("case_id", "condition", "request_id", "correct")
    few = outcomes(tmp_path / "few").select(columns)
    assert few["case_id"].unique().sort().to_list() == ["q2", "q5", "q6"]
    assert set(few.rows()) <= set(outcomes(tmp_path / "all").select(columns).rows())
    # The same run goes on from another place, not with another choice of items.
    moved = file(tmp_path / "elsewhere.csv", only.read_text())
    assert audit(data, model, tmp_path / "few", "--only", moved, conditions=asked).code == 0
    one_error(audit(data, model, tmp_path / "few", conditions=asked), 2, "other settings", "only=")
    fewer = file(tmp_path / "fewer.csv", "case_id\nq2\n")
    assert audit(data, model, tmp_path / "few", "--only", fewer, conditions=asked).code != 0
    assert command("report", tmp_path / "few").code == 0


def test_the_kept_items_of_a_subset_are_data_for_every_command(tmp_path):
    rows = [{**row, "options": ["yes", "no"], "answer": "AB"[number % 2]} for number, row in enumerate(records(40))]
    data = write_table(tmp_path, [{**row, "image": row["image"] if at % 4 else None} for at, row in enumerate(rows)])
    rules = 'version = 1\nname = "mine"\nsummary = "Items with an image."\n'
    rules += '[[rule]]\nname = "no image"\nwhen = "images"\nfewer_than = 1\naction = "exclude"\n'
    few = ("--resamples", 50)
    assert command("guess", "--data", data, "--shuffles", 0, *few, "--out", tmp_path / "g").code == 0
    made = command("subset", tmp_path / "g", "--rules", file(tmp_path / "r.toml", rules), *few, "--out", tmp_path / "s")
    assert made.code == 0, made
    for number, only in enumerate((tmp_path / "s", tmp_path / "s" / "kept.csv", tmp_path / "s" / "items.csv")):
        out = tmp_path / f"again-{number}"
        ended = command("guess", "--data", data, "--only", only, "--shuffles", 0, *few, "--out", out, "--json")
        assert ended.code == 0, ended
        assert pl.read_csv(out / "predictions.csv")["images"].to_list() == [1] * 60
    screened = command("screen", "--data", data, "--only", tmp_path / "s", "--out", tmp_path / "screens", "--json")
    assert screened.code == 0, screened
    routes = ("audit", "routes", "--data", f"{data},only={tmp_path / 's'}", "--model", "reader:blind")
    assert command(*routes, "--out", tmp_path / "routes").code == 0
    assert outcomes(tmp_path / "routes")["case_id"].n_unique() == 30


def test_a_baseline_is_fitted_on_all_training_rows(tmp_path):
    rows = [{**row, "split": "train" if number < 20 else "test"} for number, row in enumerate(records(30))]
    data = write_table(tmp_path, rows)
    only = file(tmp_path / "a.txt", "q21\nq25\n")
    ended = audit(data, "baseline:majority", tmp_path / "run", "--split", "test", "--only", only)
    assert ended.code == 0, ended
    assert set(outcomes(tmp_path / "run")["case_id"]) == {"q21", "q25"}


def test_every_command_with_data_and_limit_takes_it():
    groups = [app, *(group.typer_instance for group in app.registered_groups if group.typer_instance)]
    commands = [one.callback for group in groups for one in group.registered_commands if one.callback]
    parameters = {it.__name__: set(inspect.signature(it).parameters) for it in commands}
    taking = {name: own for name, own in parameters.items() if {"data", "limit"} <= own}
    assert taking.keys() >= {"counterfactual", "occlusion", "routes", "references", "screen", "guess", "rewrite"}
    assert [name for name, own in taking.items() if "only" not in own] == []
