"""The journal of a shard that is under way.

Every response is handed to the kernel by one ``write`` before the next one is looked at, so that a process killed at
any instant loses nothing that had arrived. The disk itself is waited for when a shard becomes a Parquet file, and
before that only where `sync_every` says so (the Ray engine): a power cut can cost the latest lines of open shards,
never a finished part.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import polars as pl

from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.line import CorruptLineError, decode_line, encode_line
from perimetry.inference.part import SCHEMA
from perimetry.models.request import Response

__all__ = ["Journal", "journal_model", "read_journal", "write_error"]

_HEADER = b'{"model":'
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Journal:
    """Append-only file of responses; created on construction, never one that exists.

    Parameters
    ----------
    path : Path
    model_name : str
        Written to the first line, since the file's name holds only a slug of it.
    sync_every : float or None, default None
        Wait for the disk after a write if that many seconds have passed since the last time; None never waits.

    Raises
    ------
    FileExistsError
        When another attempt claimed the name first.
    StoreError
        When the file cannot be created.
    """

    def __init__(self, path: Path, model_name: str, sync_every: float | None = None) -> None:
        self.path = path
        self._sync_every = sync_every
        self._synced = monotonic()
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            raise
        except OSError as error:
            raise write_error(path, error) from error
        self._write(_HEADER + json.dumps(model_name).encode() + b"}\n")

    def append(self, response: Response) -> None:
        """Hand one response to the kernel.

        Raises
        ------
        StoreError
            Disk full or failing. A line cut short by it is the journal's last and is ignored when read.
        """
        self._write(encode_line(response))

    def _write(self, line: bytes) -> None:
        try:
            written = os.write(self._descriptor, line)
            while written < len(line):
                written += os.write(self._descriptor, line[written:])
            if self._sync_every is not None and monotonic() - self._synced >= self._sync_every:
                os.fsync(self._descriptor)
                self._synced = monotonic()
        except OSError as error:
            raise write_error(self.path, error) from error

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def write_error(path: Path, error: OSError) -> StoreError:
    """The one error of a store that cannot be written."""
    if error.errno in _FULL:
        why = f"no space left ({error.strerror})"
        remedy = "free some space"
    else:
        why, remedy = str(error.strerror or error), "make the folder writable"
    return StoreError(
        f"{path}: cannot write responses: {why}. Everything stored so far is kept; {remedy} and give the same command "
        "again to go on."
    )


def read_journal(path: Path, model_name: str, attempt: int, on_problem: Callable[[Problem], None]) -> pl.DataFrame:
    """Rows of a journal.

    Parameters
    ----------
    path : Path
    model_name : str
        What the ``model`` column is to hold.
    attempt : int
        What the ``attempt`` column is to hold.
    on_problem : callable
        Told of every line that is no response. A last line without line end was being written when the process
        ended; it is passed over in silence, and its request is asked again.

    Returns
    -------
    polars.DataFrame with `part.SCHEMA`

    Raises
    ------
    FileNotFoundError
        When the journal became a part in the meantime.
    """
    rows: list[tuple[Any, ...]] = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break
            if number == 1 and line.startswith(_HEADER):
                continue
            try:
                rows.append(decode_line(line))
            except CorruptLineError as error:
                on_problem(Problem(path, number, f"skipped a damaged line: {error}. Its request is asked again."))
    columns = list(zip(*rows, strict=True)) if rows else [()] * (len(SCHEMA) - 2)
    names = [name for name in SCHEMA if name not in ("model", "attempt")]
    frame = pl.DataFrame(
        {name: pl.Series(name, column, dtype=SCHEMA[name]) for name, column in zip(names, columns, strict=True)}
    )
    return frame.with_columns(
        pl.lit(model_name, dtype=pl.String).alias("model"), pl.lit(attempt, dtype=SCHEMA["attempt"]).alias("attempt")
    ).select(list(SCHEMA))


def journal_model(path: Path) -> str:
    """Name of the model whose journal it is; empty if its first line was cut short or damaged."""
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline())
    except (FileNotFoundError, ValueError):
        return ""
    name = first.get("model") if isinstance(first, dict) else None
    return name if isinstance(name, str) else ""
