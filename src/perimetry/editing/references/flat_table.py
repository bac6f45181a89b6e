"""Alternatives as a table: a column a section, written part by part."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

__all__ = ["FlatTable"]

ROWS = 8000
"""Rows of a part: what is held at once."""

_PLAIN: Mapping[str, type[pl.DataType]] = {
    "id": pl.String,
    "dataset": pl.String,
    "group": pl.String,
    "target": pl.String,
    "status": pl.String,
    "by": pl.String,
    "reason": pl.String,
    "waiting": pl.Boolean,
    "rounds": pl.Int64,
}
_TEXTS = tuple((kind, section) for kind in ("original", "alternative") for section in ("findings", "impression"))
_SCHEMA: Mapping[str, type[pl.DataType]] = {**_PLAIN, **{f"{kind}_{section}": pl.String for kind, section in _TEXTS}}


class FlatTable:
    """Collects rows of ``alternatives.jsonl`` and writes them as one Parquet file, without ever holding all of them.

    Parameters
    ----------
    scratch : Path
        Folder for the parts; taken away by `discard`.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> table = FlatTable(folder / "parts")
    >>> table.add({**dict.fromkeys(_PLAIN), "id": "s1", "original": {"findings": "Clear."}, "alternative": None})
    >>> table.write(folder / "all.parquet")
    >>> pl.read_parquet(folder / "all.parquet")["original_findings"].to_list()
    ['Clear.']
    """

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._held: list[dict[str, Any]] = []
        self._parts = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one row."""
        flat = {name: row[name] for name in _PLAIN}
        for kind, section in _TEXTS:
            flat[f"{kind}_{section}"] = (row[kind] or {}).get(section)
        self._held.append(flat)
        if len(self._held) >= ROWS:
            self._flush()

    def write(self, path: Path) -> None:
        """Put all rows into one file, in the order in which they came."""
        self._flush()
        pl.scan_parquet(self._scratch / "*.parquet").sink_parquet(path)

    def discard(self) -> None:
        """Take the parts away."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _flush(self) -> None:
        if self._held or not self._parts:
            self._scratch.mkdir(parents=True, exist_ok=True)
            pl.DataFrame(self._held, schema=_SCHEMA).write_parquet(self._scratch / f"{self._parts:06}.parquet")
            self._held, self._parts = [], self._parts + 1
