from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

from perimetry.inference import Problem, RequestStore, quarantine
from perimetry.inference.files import StoreFile, model_slug
from perimetry.inference.journal import Journal
from perimetry.inference.part import SCHEMA, PartError
from perimetry.inference.shard import finish_shard
from perimetry.models.request import Failure, FailureKind, Response

NAME = "test:m"


def write(folder: Path, shard: int, attempt: int, rows: dict[str, str], part: bool = True, name: str = NAME) -> Path:
    """Journal some answers (text) and failures (kind after a mark), and make a part of them."""
    journal = Journal(folder / StoreFile("journal", model_slug(name), shard, attempt).name, name)
    for identity, text in rows.items():
        failed = text.startswith("!")
        failure = Failure(cast("FailureKind", text[1:]), f"attempt {attempt}") if failed else None
        journal.append(Response(identity, None if failed else text, failure))
    journal.close()
    if part:
        finish_shard(RequestStore(folder), name, shard, attempt)
        return folder / StoreFile("part", model_slug(name), shard, attempt).name
    return journal.path


def counted(store: RequestStore) -> dict[str, str]:
    rows = store.responses(NAME).collect()
    return {row["request_id"]: row["text"] or f"!{row['failure_kind']}" for row in rows.iter_rows(named=True)}


def test_an_empty_store_says_so(tmp_path: Path):
    store = RequestStore(tmp_path / "absent")
    assert store.models() == []
    assert store.answered(NAME).to_list() == []
    assert store.responses(NAME).collect().schema == pl.DataFrame(schema=SCHEMA).schema
    assert list(store.batches(NAME)) == []
    assert store.failures(NAME).columns == ["failure_kind", "requests", "example"]
    assert store.missing(NAME, pl.Series(["b", "a"])).to_list() == [0, 1]
    assert not (tmp_path / "absent").exists()


def test_parts_and_journals_are_one_store(tmp_path: Path):
    write(tmp_path, 0, 1, {"a": "yes", "b": "!timeout", "c": "!refused"})
    write(tmp_path, 1, 1, {"d": "no", "e": "!crashed"}, part=False)
    write(tmp_path, 0, 1, {"a": "not mine", "z": "yes"}, name="test:other")
    store = RequestStore(tmp_path)
    assert store.models() == ["test:m", "test:other"]
    assert sorted(store.answered(NAME)) == ["a", "c", "d"]
    assert store.missing(NAME, pl.Series(["e", "d", "b", "a", "new"])).to_list() == [0, 2, 4]
    assert counted(store) == {"a": "yes", "b": "!timeout", "c": "!refused", "d": "no", "e": "!crashed"}
    assert store.responses(NAME).collect().get_column("model").unique().to_list() == [NAME]
    assert store.failures(NAME).rows() == [
        ("crashed", 1, "attempt 1"), ("refused", 1, "attempt 1"), ("timeout", 1, "attempt 1"),
    ]  # fmt: skip


@pytest.mark.parametrize("part", [True, False])
def test_an_answer_beats_failures_and_the_latest_failure_counts(tmp_path: Path, part):
    write(tmp_path, 0, 1, {"a": "!timeout", "b": "!timeout", "c": "first"}, part)
    write(tmp_path, 0, 2, {"a": "yes", "b": "!rate_limited", "c": "second"}, part)
    write(tmp_path, 5, 3, {"a": "!server_error", "b": "!unreachable"}, part)
    store = RequestStore(tmp_path)
    assert counted(store) == {"a": "yes", "b": "!unreachable", "c": "first"}
    assert sorted(store.answered(NAME)) == ["a", "c"]
    assert len(pl.concat(frame for _, frame in store.rows(NAME))) == 8  # and nothing was thrown away


def test_queries_of_the_lazy_frame_are_answered_as_of_a_plain_one(tmp_path: Path):
    for shard in range(3):
        write(tmp_path, shard, 1, {f"{shard}{number}": "yes" if number % 2 else "!timeout" for number in range(4)})
    write(tmp_path, 0, 2, {"00": "late"})
    lazy = RequestStore(tmp_path).responses(NAME)
    plain = lazy.collect()
    assert len(plain) == 12
    query = [pl.col("text") == "yes", pl.col("request_id") > "1"]
    assert lazy.filter(*query).select("request_id").collect().equals(plain.filter(*query).select("request_id"))
    assert lazy.head(5).collect().equals(plain.head(5))
    assert lazy.select(pl.len()).collect().item() == 12
    assert lazy.select("attempt", "text").collect().equals(plain.select("attempt", "text"))
    wanted = pl.LazyFrame({"request_id": ["00", "21", "none"], "trial": [1, 2, 3]})
    assert wanted.join(lazy, on="request_id").select("trial", "text").sort("trial").collect().rows() == [
        (1, "late"), (2, "yes"),
    ]  # fmt: skip


def test_batches_are_shards_and_give_only_the_columns_asked_for(tmp_path: Path):
    write(tmp_path, 0, 1, {"a": "yes", "b": "!timeout"})
    write(tmp_path, 1, 1, {"c": "no"}, part=False)
    write(tmp_path, 0, 2, {"b": "yes"})
    batches = [batch.rows() for batch in RequestStore(tmp_path).batches(NAME, ("text", "request_id"))]
    assert batches == [[("yes", "a")], [("no", "c")], [("yes", "b")]]


def test_a_damaged_part_is_told_and_passed_over_and_reading_changes_nothing(tmp_path: Path):
    broken = write(tmp_path, 0, 1, {"a": "yes"})
    write(tmp_path, 1, 1, {"b": "yes"})
    broken.write_bytes(broken.read_bytes()[:-20])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    problems: list[Problem] = []
    store = RequestStore(tmp_path, problems.append)
    assert counted(store) == {"b": "yes"}
    assert {problem.path for problem in problems} == {broken}
    assert "move it away and give the same command again" in problems[0].message
    assert sorted(store.answered(NAME)) == ["b"]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_damage_in_a_text_is_found_by_quarantine(tmp_path: Path):
    part = write(tmp_path, 0, 1, {f"{number:04d}": f"answer {number * 7919 % 1000}" for number in range(2000)})
    write(tmp_path, 1, 1, {"b": "yes"})
    content = bytearray(part.read_bytes())
    # Damage the first column in turn until the keys can still be read and the texts cannot.
    store = RequestStore(tmp_path, lambda problem: None)
    for start in range(4, len(content) - 600, 500):
        part.write_bytes(content[:start] + b"\xa5" * 100 + content[start + 100 :])
        try:
            store.read(StoreFile("part", model_slug(NAME), 0, 1), NAME, ("request_id", "failure_kind", "attempt"))
        except PartError:
            continue
        if counted(store) == {"b": "yes"}:
            break
    else:
        pytest.fail("no such place in the file")
    assert len(store.answered(NAME)) == 2001
    (problem,) = quarantine(store, NAME)
    assert problem.path == part
    assert part.with_name(part.name + ".damaged").exists()
    assert store.answered(NAME).to_list() == ["b"]
    assert quarantine(store, NAME) == []


def test_a_journal_that_becomes_a_part_while_it_is_read_is_read_once(tmp_path: Path, monkeypatch):
    write(tmp_path, 0, 1, {"a": "yes", "b": "!timeout"}, part=False)
    store = RequestStore(tmp_path)
    real = RequestStore.read
    turned: list[StoreFile] = []

    def read(self: RequestStore, file: StoreFile, *arguments: Any) -> pl.DataFrame:
        if not turned:  # between the listing and the reading
            turned.append(file)
            finish_shard(store, NAME, 0, 1)
        return real(self, file, *arguments)

    monkeypatch.setattr(RequestStore, "read", read)
    assert counted(store) == {"a": "yes", "b": "!timeout"}
