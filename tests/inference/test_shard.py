from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from tests.inference.engine_models import Echo, plan_of, request_id, right, stored

from perimetry.inference import RequestStore, ask
from perimetry.inference.files import StoreFile, model_slug
from perimetry.inference.journal import Journal
from perimetry.inference.shard import ShardTask, finish_shard, open_shard
from perimetry.models.request import Failure, Response

NAME = "test:echo"


def journal(folder: Path, shard: int, attempt: int, *responses: Response) -> Path:
    file = Journal(folder / StoreFile("journal", model_slug(NAME), shard, attempt).name, NAME)
    for response in responses:
        file.append(response)
    file.close()
    return file.path


def listing(folder: Path) -> list[tuple[str, int, int]]:
    return [(file.kind, file.shard, file.attempt) for file in RequestStore(folder).files(NAME)]


# Kills itself by SIGKILL just before the given call of the given function: every instant between journal and part.
KILLED = """
import os, signal, sys
from pathlib import Path
import polars as pl
from perimetry.inference import RequestStore, Settings, ask
from tests.inference.engine_models import Echo, plan_of

folder, name, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
owner = {"write_parquet": pl.DataFrame, "replace": Path, "unlink": Path, "fsync": os}[name]
real, calls = getattr(owner, name), [0]

def dying(*arguments, **named):
    calls[0] += 1
    if calls[0] == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **named)

setattr(owner, name, dying)
ask(Echo(log=folder / "log"), plan_of(20), RequestStore(folder), Settings(shard_size=10))
"""


@pytest.mark.parametrize(
    ("name", "number"),
    [("write_parquet", 1), ("fsync", 1), ("replace", 1), ("unlink", 1), ("unlink", 2), ("fsync", 2), ("replace", 2)],
)
def test_a_kill_at_any_step_from_journal_to_part_loses_and_repeats_nothing(tmp_path: Path, name, number):
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), name, str(number)], check=False)
    assert run.returncode == -9
    assert len(stored(tmp_path, NAME)) >= 10
    summary = ask(Echo(log=tmp_path / "log"), plan_of(20), RequestStore(tmp_path))
    assert summary.complete
    assert stored(tmp_path, NAME) == right(20)
    assert Counter((tmp_path / "log").read_text().split()) == Counter(request_id(index) for index in range(20))
    assert {kind for kind, _, _ in listing(tmp_path)} == {"part"}
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".tmp")]
    rows = pl.concat(frame for _, frame in RequestStore(tmp_path).rows(NAME))
    assert sorted(rows.get_column("request_id")) == sorted(request_id(index) for index in range(20))


def test_a_journal_beside_the_part_that_holds_it_counts_once(tmp_path: Path):
    path = journal(tmp_path, 0, 1, *(Response(request_id(index), right(4)[request_id(index)]) for index in range(4)))
    content = path.read_bytes()
    finish_shard(RequestStore(tmp_path), NAME, 0, 1)
    path.write_bytes(content)  # as if the process had been killed before the removal
    assert stored(tmp_path, NAME) == right(4)
    assert ask(Echo(), plan_of(4), RequestStore(tmp_path)).stored == 4
    assert not path.exists()


def test_a_journal_beside_a_damaged_part_is_the_good_copy(tmp_path: Path):
    path = journal(tmp_path, 0, 1, *(Response(request_id(index), right(4)[request_id(index)]) for index in range(4)))
    content = path.read_bytes()
    finish_shard(RequestStore(tmp_path), NAME, 0, 1)
    path.write_bytes(content)
    part = tmp_path / StoreFile("part", model_slug(NAME), 0, 1).name
    part.write_bytes(part.read_bytes()[:-10])
    summary = ask(Echo(), plan_of(4), RequestStore(tmp_path, lambda problem: None))
    assert (summary.stored, summary.answered) == (4, 0)
    assert stored(tmp_path, NAME) == right(4)


def test_a_retry_reads_every_earlier_journal_and_part_of_its_shard(tmp_path: Path):
    store = RequestStore(tmp_path)
    journal(tmp_path, 7, 1, Response("a", "yes"))
    finish_shard(store, NAME, 7, 1)
    journal(tmp_path, 7, 2, Response("b", "yes"), Response("c", None, Failure("timeout", "60 s")))
    journal(tmp_path, 7, 3, Response("d", None, Failure("refused", "no")))
    journal(tmp_path, 8, 1, Response("e", "another shard's"))
    task = ShardTask(7, 2, (0, 1, 2, 3, 4), tuple("abcde")).again()
    shard = open_shard(store, NAME, task)
    assert shard.todo == [(2, "c"), (4, "e")]
    for identity in "ce":
        shard.write(Response(identity, "late"), identity)
    shard.finish()
    assert listing(tmp_path) == [("part", 7, 1), ("journal", 8, 1), ("part", 7, 4)]
    rows = store.responses(NAME).select("request_id", "text").collect()
    assert dict(rows.iter_rows())["c"] == "late"


def test_finishing_leaves_the_journal_of_a_later_attempt_alone(tmp_path: Path):
    """A worker that was thought dead finishes: what its successor is writing must not vanish."""
    journal(tmp_path, 0, 1, Response("a", "yes"))
    successor = open_shard(RequestStore(tmp_path), NAME, ShardTask(0, 1, (0, 1), ("a", "b")).again())
    assert successor.todo == [(1, "b")]
    finish_shard(RequestStore(tmp_path), NAME, 0, 1)
    successor.write(Response("b", "yes"), "b")
    successor.finish()
    assert listing(tmp_path) == [("part", 0, 1), ("part", 0, 2)]
    assert stored(tmp_path, NAME) == {"a": "yes", "b": "yes"}


def test_two_workers_never_share_a_journal(tmp_path: Path):
    task = ShardTask(0, 1, (0,), ("a",))
    first, second = (open_shard(RequestStore(tmp_path), NAME, task) for _ in range(2))
    first.write(Response("a", "first"), "a")
    second.write(Response("a", "second"), "a")
    second.finish()
    first.finish()
    assert stored(tmp_path, NAME) == {"a": "first"}


def test_a_shard_without_rows_leaves_no_part(tmp_path: Path):
    open_shard(RequestStore(tmp_path), NAME, ShardTask(0, 1, (), ())).finish()
    assert listing(tmp_path) == []
