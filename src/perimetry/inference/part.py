"""Parts: the Parquet files that finished shards become."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from perimetry.inference.files import sync_folder
from perimetry.models.request import FINAL_KINDS

__all__ = ["COLUMNS", "SCHEMA", "PartError", "is_final", "read_part", "write_part"]

SCHEMA: dict[str, type[pl.DataType]] = {
    "request_id": pl.String,
    "text": pl.String,
    "failure_kind": pl.String,
    "failure_message": pl.String,
    "finish_reason": pl.String,
    "prompt_tokens": pl.Int64,
    "completion_tokens": pl.Int64,
    "logprobs": pl.String,
    "seconds": pl.Float64,
    "model": pl.String,
    "attempt": pl.Int32,
}
"""Columns of a stored response. ``text`` is null for a failure, the two ``failure`` columns are null for an answer."""

COLUMNS: tuple[str, ...] = tuple(SCHEMA)

# Anything that a damaged or foreign Parquet file makes polars raise.
_PART_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)


class PartError(ValueError):
    """A part that cannot be read."""


def is_final() -> pl.Expr:
    """Whether a row needs no further asking: an answer, or a failure that lies with the request itself."""
    return pl.col("failure_kind").is_null() | pl.col("failure_kind").is_in(sorted(FINAL_KINDS))


def write_part(frame: pl.DataFrame, path: Path) -> None:
    """Write a part so that it is either absent or whole, also after a power cut.

    Parameters
    ----------
    frame : polars.DataFrame with `SCHEMA`
    path : Path
        Takes the place of nothing: names of parts are used once.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            frame.write_parquet(file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def read_part(path: Path, columns: Sequence[str] = COLUMNS) -> pl.DataFrame:
    """Some columns of a part.

    Raises
    ------
    PartError
        When the file is damaged, or no part.
    """
    try:
        frame = pl.read_parquet(path, columns=list(columns), glob=False, memory_map=False)
    except _PART_ERRORS as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise PartError(f"cannot be read as Parquet ({reason}).") from error
    for name, dtype in frame.schema.items():
        if dtype != SCHEMA[name]:
            raise PartError(f"column {name} holds {dtype}, expected {SCHEMA[name]}.")
    return frame
