from __future__ import annotations

import polars as pl
import pytest

from perimetry.cases.errors import DataError
from perimetry.runs.folder import RunFolder, named_disk_errors, write_atomically


def test_settings_come_back_and_nothing_is_null(tmp_path):
    folder = RunFolder(tmp_path / "run")
    rest = {"command": "ü", "versions": {}, "digests": {}, "models": [{"name": "m"}]}
    folder.write_settings({"asked": {"a": None, "b": [1, 2]}, **rest})
    assert folder.read_settings() == {"asked": {"b": [1, 2]}, **rest}


def test_a_folder_without_run_is_named(tmp_path):
    with pytest.raises(DataError, match=r"run\.toml"):
        RunFolder(tmp_path).read_settings()


@pytest.mark.parametrize("content", [b"asked = [", b"\xff\xfe", b""])
def test_a_damaged_run_toml_is_one_clear_error(tmp_path, content):
    (tmp_path / "run.toml").write_bytes(content)
    with pytest.raises(DataError, match=r"run\.toml"):
        RunFolder(tmp_path).read_asked()


def test_tables_are_written_whole_or_not_at_all(tmp_path):
    folder = RunFolder(tmp_path)
    folder.write_table("estimates", pl.DataFrame({"a": [1.5, None], "b": ["", "x,y"]}), csv=True)
    assert (tmp_path / "estimates.csv").read_text() == 'a,b\n1.5,\n,"x,y"\n'
    assert folder.read_table("estimates")["b"].to_list() == ["", "x,y"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["estimates.csv", "estimates.parquet"]


def test_absent_and_damaged_tables_say_how_to_make_them_again(tmp_path):
    with pytest.raises(DataError, match="perimetry report"):
        RunFolder(tmp_path).read_table("outcomes")
    (tmp_path / "outcomes.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match="perimetry report"):
        RunFolder(tmp_path).read_table("outcomes")


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "x"
    write_atomically(file, b"old")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize("name", ["file/x", "file/x/y"])
def test_a_folder_that_cannot_be_made_is_named_and_promises_nothing(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError) as told, named_disk_errors(tmp_path / name):
        (tmp_path / name).mkdir(parents=True)
    assert f"The folder {tmp_path / name} cannot be made: Not a directory." in str(told.value)
    assert "kept" not in str(told.value)


@pytest.mark.parametrize("held", ["responses", "cache", ""])
def test_answers_are_said_to_be_kept_where_there_are_some(tmp_path, held):
    (tmp_path / held).mkdir(exist_ok=True)
    with pytest.raises(DataError) as told, named_disk_errors(tmp_path):
        raise PermissionError(13, "Permission denied", str(tmp_path / "file"))
    assert ("Every answer stored so far is kept" in str(told.value)) == bool(held)
    assert "Make it readable and writable" in str(told.value)
