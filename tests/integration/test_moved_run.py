"""Paths: relative ones, `~`, other working directories, data and runs that were moved."""

from __future__ import annotations

import tomllib

import pytest
from tests.bad_input import audit, command, one_error, records, verdict, write_answers, write_table
from tests.models.loopback import LoopbackServer


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with data, in which the commands are given by relative paths."""
    folder = tmp_path / "here"
    folder.mkdir()
    write_table(folder, records(6))
    write_answers(folder / "answers.jsonl", records(6))
    (folder / "map.toml").write_text('id = "id"\nstem = "question"\nanswer = "answer"\nimage = "image"\n')
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.mark.parametrize("home", [False, True], ids=["relative", "home"])
def test_a_report_made_from_another_folder(place, monkeypatch, home):
    at = "~/" if home else ""
    more = ["--map", f"{at}map.toml", "--images", f"{at}images", "--pool", f"table:{at}table.jsonl,name=pool"]
    model = f"recorded:{at}answers.jsonl"
    data = f"table:{at}table.jsonl,data_use=open"
    ended = audit(data, model, f"{at}runs/one", *more, conditions="real,retest,shuffle,hardneg")
    assert ended.code == 0, ended
    run = place / "runs" / "one"
    before = verdict(run)
    monkeypatch.chdir(place.parent / "there")
    for given in ("../here/runs/one", run):
        assert command("report", given).code == 0
        assert verdict(run) == before
    asked = tomllib.loads((run / "run.toml").read_text())["asked"]
    assert asked["data"] == [f"table:{place}/table.jsonl,data_use=open"]
    assert asked["pool"] == f"table:{place}/table.jsonl,name=pool"
    assert (asked["mapping"], asked["images"]) == (f"{place}/map.toml", f"{place}/images")


@pytest.mark.usefixtures("pageless")
def test_the_same_run_by_another_spelling_of_its_data(place, monkeypatch):
    with LoopbackServer("Answer: yes") as server:
        model = f"openai:m@{server.url}"
        assert audit("table:table.jsonl", model, "run").code == 0
        asked = server.count
        monkeypatch.chdir(place.parent / "there")
        for data in (f"table:{place}/table.jsonl", "table:../here/table.jsonl", "table:~/table.jsonl"):
            ended = audit(data, model, "../here/run")
            assert ended.code == 0, ended
        assert server.count == asked


@pytest.mark.usefixtures("pageless")
def test_data_that_was_moved(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "run").code == 0
    before = verdict(place / "run")
    moved = place.parent / "moved data"
    moved.mkdir()
    for name in ("table.jsonl", "images"):
        (place / name).rename(moved / name)
    one_error(command("report", "run"), 1, "table.jsonl", "--data")
    assert command("report", "run", "--data", "table:../moved data/table.jsonl").code == 0
    assert verdict(place / "run") == before


@pytest.mark.usefixtures("pageless")
def test_a_run_that_was_moved(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "run").code == 0
    (place / "run").rename(place.parent / "another name")
    assert command("report", "../another name").code == 0


@pytest.mark.usefixtures("pageless")
def test_data_that_changed_is_told_from_data_that_moved(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "run").code == 0
    write_table(place, records(5), use="restricted")
    one_error(command("report", "run"), 1, "are not those that the run was made with", "--data")


def test_folders_on_the_way_are_made(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "a/b/c").code == 0
    assert (place / "a/b/c/report/index.html").is_file()
