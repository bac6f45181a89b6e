"""Paths: relative ones, `~`, other working directories, data and runs that were moved."""

from __future__ import annotations

import tomllib

import pytest
from tests.bad_input import audit, command, every_file, one_error, records, verdict, write_answers, write_table
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
    for name in ("table.jsonl", "images", "answers.jsonl"):
        (place / name).rename(moved / name)
    one_error(command("report", "run"), 1, "table.jsonl", "--data")
    assert command("report", "run", "--data", "table:../moved data/table.jsonl").code == 0
    assert verdict(place / "run") == before
    assert audit("table:../moved data/table.jsonl", "recorded:../moved data/answers.jsonl", "run").code == 0
    assert verdict(place / "run") == before
    assert command("report", "run").code == 0, "run.toml says where the data lies now"


@pytest.mark.usefixtures("pageless")
def test_a_run_that_was_moved(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "run").code == 0
    (place / "run").rename(place.parent / "another name")
    assert command("report", "../another name").code == 0


@pytest.mark.usefixtures("pageless")
def test_data_that_changed_is_told_from_data_that_moved(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "run").code == 0
    settings = (place / "run" / "run.toml").read_bytes()
    edited = [row | {"answer": "no"} for row in records(6)]
    for changed in (records(5), edited):
        write_table(place, changed, use="restricted")
        refused = (1, "The cases of table are not those this run was made with", "--data", "another --out")
        one_error(command("report", "run"), *refused)
        for more in ([], ["--dry-run"]):
            one_error(audit("table:table.jsonl", "recorded:answers.jsonl", "run", *more), *refused)
        assert (place / "run" / "run.toml").read_bytes() == settings


@pytest.mark.usefixtures("pageless")
def test_an_endpoint_that_moved_goes_on_with_the_run(place):
    with LoopbackServer("Answer: yes") as server:
        first = server.url
        assert audit("table:table.jsonl", f"openai:m@{server.url}", "run", "--max-requests", "5").code == 3
    with LoopbackServer("Answer: yes") as server:
        assert server.url != first
        ended = audit("table:table.jsonl", f"openai:m@{server.url}", "run")
        assert ended.code == 0, ended
        assert server.count == 4 * 6 - 5
        assert tomllib.loads((place / "run" / "run.toml").read_text())["asked"]["models"] == [f"openai:m@{server.url}"]


@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["audit", "dry run"])
def test_an_out_that_is_no_place_for_a_run(place, more):
    given = ["table:table.jsonl", "recorded:answers.jsonl"]
    before = every_file(place)
    one_error(audit(*given, "map.toml", *more), 2, "map.toml is a file", "--out must be a folder")
    one_error(audit(*given, "map.toml/run", *more), 2, "map.toml is a file")
    one_error(audit(*given, "images", *more), 2, "holds other files", "no run.toml")
    assert every_file(place) == before


@pytest.mark.parametrize(
    ("data", "model", "conditions"),
    [
        ("table:nothing.jsonl", "recorded:answers.jsonl", "real"),
        ("table:table.jsonl", "recorded:nothing.jsonl", "real"),
        ("table:table.jsonl", "reader:nobody", "real"),
        ("table:table.jsonl", "recorded:answers.jsonl", "real,shufle"),
    ],
)
def test_a_command_that_failed_leaves_no_folder(place, data, model, conditions):
    assert audit(data, model, "a/b/run", conditions=conditions).code in (1, 2)
    assert not (place / "a").exists()
    (place / "empty").mkdir()
    assert audit(data, model, "empty", conditions=conditions).code in (1, 2)
    assert (place / "empty").is_dir()


def test_folders_on_the_way_are_made(place):
    assert audit("table:table.jsonl", "recorded:answers.jsonl", "a/b/c").code == 0
    assert (place / "a/b/c/report/index.html").is_file()
