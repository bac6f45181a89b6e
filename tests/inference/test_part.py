from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from perimetry.inference.part import COLUMNS, SCHEMA, PartError, is_final, read_part, write_part
from perimetry.models.request import FINAL_KINDS


def rows(*ids: str) -> pl.DataFrame:
    return pl.DataFrame(
        {name: list(ids) if name == "request_id" else [None] * len(ids) for name in COLUMNS}, schema=SCHEMA
    )


def test_a_part_reads_back_and_leaves_no_temporary_file(tmp_path: Path):
    frame = rows("a", "b").with_columns(pl.lit("ja\u2028\x00").alias("text"), pl.lit(3, pl.Int32).alias("attempt"))
    write_part(frame, tmp_path / "p.parquet")
    assert read_part(tmp_path / "p.parquet").equals(frame)
    assert read_part(tmp_path / "p.parquet", ("attempt",)).columns == ["attempt"]
    assert [path.name for path in tmp_path.iterdir()] == ["p.parquet"]


def test_a_write_that_fails_leaves_no_part(tmp_path: Path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("perimetry.inference.part.os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_part(rows("a"), tmp_path / "p.parquet")
    assert list(tmp_path.iterdir()) == []


def test_damaged_and_foreign_files_are_told_apart_from_parts(tmp_path: Path):
    path = tmp_path / "p.parquet"
    write_part(rows(*(str(number) for number in range(500))), path)
    whole = path.read_bytes()
    for damage in (b"", b"PAR1", whole[:-9], whole[:100], b"\x00" * len(whole), b"PAR1" + b"\x55" * 400 + b"PAR1"):
        path.write_bytes(damage)
        with pytest.raises(PartError):
            read_part(path)
    pl.DataFrame({"id": [1]}).write_parquet(path)
    with pytest.raises(PartError):
        read_part(path)
    pl.DataFrame({"request_id": [1]}).write_parquet(path)
    with pytest.raises(PartError, match="request_id holds Int64, expected String"):
        read_part(path, ("request_id",))


def test_answers_and_failures_of_the_request_itself_are_final():
    kinds = [None, *sorted(FINAL_KINDS), "timeout", "bad_request", "crashed", "unauthorized", "server_error"]
    frame = pl.DataFrame({"failure_kind": kinds}).filter(is_final())
    assert set(frame.get_column("failure_kind")) == {None, *FINAL_KINDS}
