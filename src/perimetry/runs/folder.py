"""The run folder: where everything of a run lies."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.errors import DataError
from perimetry.runs.asked import Asked

__all__ = ["RunFolder", "without_none", "write_atomically"]


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the whole new one, whatever happens in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_bytes(data)
    scratch.replace(path)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths of a run, and reading and writing what is not a response.

    Parameters
    ----------
    path : Path
        The folder; made when something is first written.
    """

    path: Path

    @property
    def settings_file(self) -> Path:
        """run.toml."""
        return self.path / "run.toml"

    @property
    def report_page(self) -> Path:
        """report/index.html."""
        return self.path / "report" / "index.html"

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self.settings_file.is_file()

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Write run.toml."""
        import tomli_w

        write_atomically(self.settings_file, tomli_w.dumps(without_none(settings)).encode())

    def read_settings(self) -> dict[str, Any]:
        """Read run.toml; raises `DataError` if there is none or if it is damaged."""
        if not self.exists:
            raise DataError(
                f"{self.path} is not a run folder: it has no run.toml. Give the folder that was --out of an audit."
            )
        try:
            return tomllib.loads(self.settings_file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(f"{self.settings_file} cannot be read ({error}). Restore it or start a new run.") from error

    def read_asked(self) -> Asked:
        """What the run was asked to do."""
        settings = self.read_settings()
        if "asked" not in settings:
            raise DataError(f"{self.settings_file} has no [asked] table. Restore it or start a new run.")
        return Asked.from_dict(settings["asked"])

    def write_table(self, name: str, frame: pl.DataFrame, csv: bool = False) -> None:
        """Write NAME.parquet, and NAME.csv beside it if asked for, each by write-then-rename."""
        from io import BytesIO

        buffer = BytesIO()
        frame.write_parquet(buffer, compression="zstd", statistics=False)
        write_atomically(self.path / f"{name}.parquet", buffer.getvalue())
        if csv:
            # In CSV there is one way to be empty: a text that is not there is not written as a quoted one.
            plain = frame.with_columns(pl.col(pl.String).replace("", None))
            write_atomically(self.path / f"{name}.csv", plain.write_csv().encode())

    def read_table(self, name: str) -> pl.DataFrame:
        """Read NAME.parquet; raises `DataError` that says how to make it again."""
        file = self.path / f"{name}.parquet"
        if not file.is_file():
            raise DataError(f"{file} does not exist. `perimetry report {self.path}` makes it from the responses.")
        try:
            return pl.read_parquet(file)
        except pl.exceptions.PolarsError as error:
            raise DataError(
                f"{file} cannot be read ({error}). `perimetry report {self.path}` makes it again from the responses."
            ) from error


def without_none(value: Any) -> Any:
    """TOML has no null: drop empty entries."""
    if isinstance(value, Mapping):
        return {str(key): without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_none(item) for item in value if item is not None]
    return value
