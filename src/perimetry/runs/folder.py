"""The run folder: where everything of a run lies."""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.errors import DataError, UsageError
from perimetry.runs.asked import Asked
from perimetry.runs.spreadsheet import spreadsheet_safe

__all__ = ["RunFolder", "named_disk_errors", "without_none", "write_atomically"]

LOCK = ".lock"

# What may lie in a folder in which no run was begun, and what shows that one was, though its run.toml is gone.
_OF_NOBODY = frozenset({LOCK, ".DS_Store"})
_OF_A_RUN = frozenset({"responses", "plan.parquet"})
# Subfolders of what was dear to make.
_DEAR = ("responses", "cache")
_OF_OTHERS = frozenset({"run.toml", "score.toml", "references.toml"})


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the whole new one, whatever happens in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        scratch.write_bytes(data)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def named_disk_errors(folder: Path, kept: str = "Every answer stored so far is kept. ") -> Iterator[None]:
    """Turn whatever a disk refuses into one `DataError` that says what is kept and what to do.

    `kept` is said only where there are answers or values in the folder already.

    Examples
    --------
    >>> with named_disk_errors(Path("runs/mine")):
    ...     pass
    """
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        what = f"no space left ({error.strerror})" if full else str(error.strerror or error)
        if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises where the place may not be looked at
            remedy = "Free some space" if full else "Name one in a place where you may write"
            raise DataError(
                f"The folder {folder} cannot be made: {what}. {remedy}, then give the same command again."
            ) from error
        if not any(os.path.exists(folder / name) for name in _DEAR):  # noqa: PTH110  # the same
            kept = ""
        remedy = "Free some space" if full else "Make it readable and writable"
        raise DataError(
            f"{error.filename or folder}: {what}. {kept}{remedy}, then give the same "
            f"command again{' to go on' if kept else ''}."
        ) from error


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Paths of a run, and reading and writing what is not a response.

    Parameters
    ----------
    path : Path
        The folder; made when something is first written.
    """

    path: Path

    def __post_init__(self) -> None:
        """Refuse a name that is not UTF-8: not every library that writes here can spell it."""
        if any(0xD800 <= ord(letter) <= 0xDFFF for letter in str(self.path)):
            raise UsageError(f"The run folder {str(self.path)!r} has a name that is not UTF-8. Give it another one.")

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

    def check_usable(self, settings: str = "run.toml", marks: Collection[str] = _OF_A_RUN) -> None:
        """Raise a `UsageError` where no run can begin or go on: at a file, or among the files of somebody else.

        Parameters
        ----------
        settings : str, default "run.toml"
            The file that a folder in use has.
        marks : collection of str
            Names that show a folder to be a run's although that file is gone.
        """
        there = next((path for path in (self.path, *self.path.parents) if _is_there(path)), Path.cwd())
        if not there.is_dir():
            raise UsageError(f"{there} is a file, and --out must be a folder. Give a new or empty one.")
        if there != self.path or _is_there(self.path / settings) or not os.access(self.path, os.R_OK):
            return
        names = {path.name for path in self.path.iterdir()} - _OF_NOBODY
        if names and (names.isdisjoint(marks) or not names.isdisjoint(_OF_OTHERS)):
            raise UsageError(
                f"{self.path} holds other files ({', '.join(sorted(names)[:3])}) and no {settings}; "
                "give an empty or new folder as --out."
            )

    @property
    def absent(self) -> tuple[Path, ...]:
        """The folder and those on the way to it that do not exist yet, innermost first."""
        return tuple(path for path in (self.path, *self.path.parents) if not _is_there(path))

    @contextmanager
    def as_found(self, absent: Sequence[Path]) -> Iterator[None]:
        """Remove folders again when what is done here fails before anything but the lock was written.

        Parameters
        ----------
        absent : sequence of Path
            `absent` of before the lock was taken. The lock has to be held: another's folder is not for us to remove.
        """
        try:
            yield
        except BaseException:
            if absent and {path.name for path in self.path.iterdir()} <= {LOCK}:
                (self.path / LOCK).unlink(missing_ok=True)
                for path in absent:
                    try:
                        path.rmdir()
                    except OSError:  # somebody else has begun to write there
                        break
            raise

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Write run.toml."""
        import tomli_w

        write_atomically(self.settings_file, tomli_w.dumps(without_none(settings)).encode("utf-8", "replace"))

    def read_settings(self) -> dict[str, Any]:
        """Read run.toml; raises `DataError` if there is none or if it is damaged."""
        if not self.exists:
            raise DataError(
                f"{self.path} is not a run folder: it has no run.toml. Give the folder that was --out of an audit."
            )
        try:
            settings = tomllib.loads(self.settings_file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise self._damaged(f"it cannot be read ({error})") from error
        for key, kind, called in (
            ("asked", dict, "table"),
            ("digests", dict, "table"),
            ("versions", dict, "table"),
            ("models", list, "list of tables"),
            ("command", str, "text"),
        ):
            if not isinstance(settings.get(key), kind):
                raise self._damaged(f"a {called} called {key} was expected, found {settings.get(key)!r}")
        if not settings["models"]:
            raise self._damaged("no model was found")
        for entry in settings["models"]:
            if not (isinstance(entry, dict) and isinstance(entry.get("name"), str)):
                raise self._damaged("a model without a name was found")
        return settings

    def _damaged(self, what: str) -> DataError:
        return DataError(
            f"{self.settings_file}: {what}. Restore the file; or delete it and give the audit command again: the "
            f"answers in {self.path / 'responses'} are found again, and only what has none is asked."
        )

    def read_asked(self) -> Asked:
        """What the run was asked to do."""
        return Asked.from_dict(self.read_settings()["asked"])

    def write_csv(self, name: str, frame: pl.DataFrame) -> None:
        """Write NAME.csv, safe to open as a spreadsheet, by write-then-rename."""
        # In CSV there is one way to be empty: a text that is not there is not written as a quoted one.
        plain = frame.with_columns(pl.col(pl.String).replace("", None))
        write_atomically(self.path / f"{name}.csv", spreadsheet_safe(plain).write_csv().encode())

    def write_table(self, name: str, frame: pl.DataFrame, csv: bool = False) -> None:
        """Write NAME.parquet, and NAME.csv if asked for, each by write-then-rename."""
        from io import BytesIO

        buffer = BytesIO()
        frame.write_parquet(buffer, compression="zstd", statistics=False)
        write_atomically(self.path / f"{name}.parquet", buffer.getvalue())
        if csv:
            self.write_csv(name, frame)

    def read_table(self, name: str, columns: Collection[str] = (), again: str = "") -> pl.DataFrame:
        """Read NAME.parquet, which has to have these columns; raises `DataError` that says how to make it again.

        Parameters
        ----------
        name : str
        columns : collection of str
        again : str
            What makes the table again, as a sentence; by default ``perimetry report``, which is right for audits.
        """
        file = self.path / f"{name}.parquet"
        again = again or f"`perimetry report {self.path}` makes it again from the responses."
        if not file.is_file():
            raise DataError(f"{file} does not exist. {again}")
        try:
            table = pl.read_parquet(file, memory_map=False, glob=False)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise DataError(f"{file} cannot be read ({reason}). {again}") from error
        absent = [column for column in columns if column not in table.columns]
        if absent:
            raise DataError(f"{file} has no column {', '.join(absent)}. {again}")
        return table


def _is_there(path: Path) -> bool:
    """Whether a path exists; one that may not be looked at does not, until somebody who writes there is told so."""
    try:
        return path.exists()
    except OSError:
        return False


def without_none(value: Any) -> Any:
    """TOML has no null: drop empty entries."""
    if isinstance(value, Mapping):
        return {str(key): without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [without_none(item) for item in value if item is not None]
    return value
