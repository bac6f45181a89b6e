from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.journal import Journal, journal_model, read_journal
from perimetry.inference.part import SCHEMA
from perimetry.models.request import Failure, Response, Usage


def no_problem(problem: Problem) -> None:
    raise AssertionError(problem)


def test_every_response_is_readable_before_the_next_is_written(tmp_path: Path):
    path = tmp_path / "j.jsonl"
    journal = Journal(path, 'a "model"')
    for number in range(3):
        journal.append(Response(str(number), "yes", None, "stop", Usage(5, 1), "[]", 0.5))
        seen = read_journal(path, 'a "model"', 4, no_problem).get_column("request_id").to_list()
        assert seen == [str(past) for past in range(number + 1)]
    rows = read_journal(path, 'a "model"', 4, no_problem)
    assert dict(rows.schema) == {name: dtype() for name, dtype in SCHEMA.items()}
    assert rows.row(2, named=True) == {
        "request_id": "2", "text": "yes", "failure_kind": None, "failure_message": None, "finish_reason": "stop",
        "prompt_tokens": 5, "completion_tokens": 1, "logprobs": "[]", "seconds": 0.5,
        "model": 'a "model"', "attempt": 4,
    }  # fmt: skip
    assert journal_model(path) == 'a "model"'
    journal.close()
    journal.close()


def test_a_name_is_claimed_once(tmp_path: Path):
    Journal(tmp_path / "j.jsonl", "m").close()
    with pytest.raises(FileExistsError):
        Journal(tmp_path / "j.jsonl", "m")


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_last_line_cut_short_is_passed_over_in_silence(tmp_path: Path, cut):
    path = tmp_path / "j.jsonl"
    journal = Journal(path, "m")
    for number in range(3):
        journal.append(Response(str(number), None, Failure("timeout", "60 s")))
    journal.close()
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_journal(path, "m", 1, no_problem).get_column("request_id").to_list() == ["0", "1"]


def test_a_file_cut_in_its_first_line_has_no_rows(tmp_path: Path):
    path = tmp_path / "j.jsonl"
    Journal(path, "m").close()
    for length in range(len(path.read_bytes())):
        (tmp_path / "cut").write_bytes(path.read_bytes()[:length])
        assert len(read_journal(tmp_path / "cut", "m", 1, no_problem)) == 0
        assert journal_model(tmp_path / "cut") in ("", "m")


def test_a_damaged_line_in_the_middle_is_told_with_file_and_line(tmp_path: Path):
    path = tmp_path / "j.jsonl"
    journal = Journal(path, "m")
    for number in range(4):
        journal.append(Response(str(number), "yes"))
    journal.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"\x00" * (len(lines[2]) - 1) + b"\n"
    path.write_bytes(b"".join(lines))
    problems: list[Problem] = []
    assert read_journal(path, "m", 1, problems.append).get_column("request_id").to_list() == ["0", "2", "3"]
    assert [(problem.path, problem.line) for problem in problems] == [(path, 3)]
    assert f"{path}, line 3" in str(problems[0])


SCRIPT = """
import resource, sys
from pathlib import Path
from perimetry.inference.errors import StoreError
from perimetry.inference.journal import Journal
from perimetry.models.request import Response

resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
journal = Journal(Path(sys.argv[1]), "m")
written = 0
try:
    while True:
        journal.append(Response(f"{written:06d}", "yes " * 20))
        written += 1
except StoreError as error:
    print(written)
    print(error)
"""


def test_a_full_disk_is_one_clear_error_and_nothing_earlier_is_lost(tmp_path: Path):
    path = tmp_path / "j.jsonl"
    run = subprocess.run([sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, check=True)
    written, message = run.stdout.splitlines()
    assert int(written) > 20
    assert path.stat().st_size == 5000  # the line that no longer fitted was cut short
    rows = read_journal(path, "m", 1, no_problem)
    assert rows.get_column("request_id").to_list() == [f"{number:06d}" for number in range(int(written))]
    assert message.startswith(f"{path}: cannot write responses: no space left")
    assert "free some space and give the same command again" in message


def test_the_kernel_s_no_space_left_is_that_error(tmp_path: Path):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    journal = Journal(tmp_path / "j.jsonl", "m")
    with Path("/dev/full").open("wb") as full:
        journal._descriptor, mine = full.fileno(), journal._descriptor
        with pytest.raises(StoreError, match="no space left"):
            journal.append(Response("7f", "yes"))
        journal._descriptor = mine
    journal.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path):
    with pytest.raises(StoreError, match=r"absent.*cannot write responses"):
        Journal(tmp_path / "absent" / "j.jsonl", "m")


@pytest.mark.parametrize(("sync_every", "waits"), [(None, 0), (3600.0, 0), (0.0, 6)])
def test_the_disk_is_waited_for_as_often_as_told(tmp_path: Path, monkeypatch, sync_every, waits):
    waited: list[int] = []
    monkeypatch.setattr("perimetry.inference.journal.os.fsync", waited.append)
    journal = Journal(tmp_path / "j.jsonl", "m", sync_every)
    for number in range(5):
        journal.append(Response(str(number), "yes"))
    journal.close()
    assert len(waited) == waits
