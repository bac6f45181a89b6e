"""Rows of CSV, TSV, JSON, JSONL, Parquet and Arrow files, streamed, with errors that name the place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perimetry.cases.delimited import check_binary, check_header, explain_delimited
from perimetry.cases.echo import echo
from perimetry.cases.errors import DataError
from perimetry.cases.repeated_keys import Repeating, fault_of, parse_json

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TABLE_SUFFIXES", "Record", "columns", "read_cell", "read_records", "read_rows"]

TABLE_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow")

BOM = b"\xef\xbb\xbf"
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
BATCH_ROWS = 4096
BATCH_ROWS_WITH_IMAGES = 128
"""Rows of a table with binary columns that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a table and where it stands.

    Parameters
    ----------
    row : int
        Zero-based number of the record in its file.
    values : dict
        Column name to value.
    offset : int, default -1
        Byte offset of the line in a JSONL file: lets one row be read again without the others.
    fault : str, default ""
        Place and reason where the values cannot be trusted: a key of a JSON object stands twice.
    """

    row: int
    values: dict[str, Any]
    offset: int = -1
    fault: str = ""


def read_rows(path: str | Path) -> Iterator[dict[str, Any]]:
    """Stream the rows of a table.

    CSV and TSV values are strings (empty ones None); the other formats keep their types. A ``.json`` file is a list of
    objects, or an object of objects whose keys go into the column ``key``.

    Parameters
    ----------
    path : path-like
        File with one of the suffixes in `TABLE_SUFFIXES`.

    Returns
    -------
    iterator of dict

    Raises
    ------
    DataError
        Names the file, the line and, where it is known, the column.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.jsonl")
    ...     _ = path.write_text('{"id": 1, "answer": "yes"}')
    ...     list(read_rows(path))
    [{'id': 1, 'answer': 'yes'}]
    """
    return (record.values for record in read_records(path))


def read_records(path: str | Path, *, faulty: bool = False) -> Iterator[Record]:
    """As `read_rows`, each row with its place in the file; with `faulty` records that have a fault come, too.

    Without, the first fault is a `DataError`.
    """
    path = Path(path)
    records = _reader(path)(path)
    return records if faulty else map(_sound, records)


def _sound(record: Record) -> Record:
    if record.fault:
        raise DataError(f"{record.fault}. Keep the one that is meant.")
    return record


def columns(path: str | Path) -> tuple[str, ...]:
    """Column names of a table; for JSON and JSONL the keys of all objects, in the order of their first occurrence."""
    import polars as pl

    path = Path(path)
    reader = _reader(path)
    if path.suffix.lower() == ".parquet":
        return tuple(_attempt(path, lambda: pl.read_parquet_schema(path)))
    if reader is _delimited:
        _attempt(path, lambda: check_binary(path))
        frame = _attempt(path, lambda: pl.read_csv(path, n_rows=0, infer_schema=False, separator=_separator(path)))
        check_header(path, frame.columns, _separator(path))
        return tuple(frame.columns)
    return tuple(dict.fromkeys(name for record in reader(path) for name in record.values))


def read_cell(path: str | Path, column: str, row: int, offset: int = -1) -> Any:
    """One value of a table, read without the rest where the format allows it (Parquet, JSONL with an offset).

    Raises
    ------
    DataError
        When the file has changed since the row was found, or cannot be read.
    """
    import polars as pl

    path = Path(path)
    if path.suffix.lower() == ".parquet":
        frame = _attempt(path, lambda: pl.scan_parquet(path).slice(row, 1).select(column).collect())
        if frame.height:
            return frame.to_dicts()[0][column]
    elif offset >= 0:
        with _opened(path) as file:
            file.seek(offset)
            return _json_object(file.readline().removeprefix(BOM), f"{path}, byte {offset}")[0].get(column)
    else:
        for record in read_records(path, faulty=True):
            if record.row == row:
                return record.values.get(column)
    raise DataError(f"{path} has no row {row + 1} any more: it has changed since it was loaded. Load it again.")


def _reader(path: Path) -> Callable[[Path], Iterator[Record]]:
    readers: dict[str, Callable[[Path], Iterator[Record]]] = {
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
        ".json": _json,
        ".csv": _delimited,
        ".tsv": _delimited,
        ".parquet": _parquet,
        ".arrow": _arrow,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(
            f"{path} is not a table that can be read: its name ends in {path.suffix or 'no suffix'!r}; "
            f"{', '.join(TABLE_SUFFIXES)} were expected."
        )
    if not path.is_file():
        raise DataError(f"There is no file {path}. {_neighbours(path)}")
    return reader


def _neighbours(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"Its folder {folder} does not exist either."
    names = sorted(entry.name for entry in folder.iterdir())[:8]
    return f"{folder} holds {', '.join(names) or 'nothing'}."


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def _attempt(path: Path, read: Callable[[], Any]) -> Any:
    import polars as pl

    try:
        return read()
    except (pl.exceptions.PolarsError, OSError) as error:
        if path.suffix.lower() in (".csv", ".tsv"):
            explain_delimited(path, _separator(path))
        reason = echo(str(error).strip().splitlines()[0], 300) if str(error).strip() else type(error).__name__
        raise DataError(f"{path} cannot be read as {path.suffix[1:]}: {reason}.") from error


def _json_object(line: bytes, place: str) -> tuple[dict[str, Any], str]:
    """The object of a line, and what is wrong with its keys."""
    try:
        value, repeats = parse_json(line.decode())
    except UnicodeDecodeError as error:
        raise DataError(
            f"{place}: not UTF-8 ({error.reason} at column {error.start + 1}). Save the file as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise DataError(
            f"{place}, column {error.colno}: malformed JSON ({error.msg}). One object a line was expected."
        ) from error
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{place}: JSON that cannot be read ({error}). One plain object a line was expected."
        ) from error
    if not isinstance(value, dict):
        raise DataError(f"{place}: a JSON object was expected, found {type(value).__name__}.")
    fault = f"{place}: {fault_of(value)}" if repeats else ""
    return (_whole(value) if SURROGATE.search(line) else value), fault


def _whole(value: Any) -> Any:
    """The value with every half of a surrogate pair replaced: no table and no page can hold one."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(part) for key, part in value.items()}
    return value


def _json_lines(path: Path) -> Iterator[Record]:
    offset = row = 0
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            text = line.removeprefix(BOM) if number == 1 else line
            if text.strip():
                values, fault = _json_object(text, f"{path}, line {number}")
                yield Record(row, values, offset, fault)
                row += 1
            offset += len(line)


def _json(path: Path) -> Iterator[Record]:
    try:
        data = path.read_bytes().removeprefix(BOM)
        value, repeats = parse_json(data)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}, byte {error.start}: not UTF-8 ({error.reason}). Save the file as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno}, column {error.colno}: malformed JSON ({error.msg}).") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: JSON that cannot be read ({error}).") from error
    if isinstance(value, Repeating):
        raise DataError(f"{path}: {fault_of(value)}. Keep the one that is meant.")
    faults = _faults(value, path) if repeats else {}
    if SURROGATE.search(data):
        value = _whole(value)
    if isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()):
        value = [{"key": key, **item} for key, item in value.items()]
    if not isinstance(value, list):
        raise DataError(f"{path}: a list of JSON objects was expected, found {type(value).__name__}.")
    for row, item in enumerate(value):
        if not isinstance(item, dict):
            raise DataError(f"{path}, item {row + 1}: a JSON object was expected, found {type(item).__name__}.")
        yield Record(row, item, fault=faults.get(row, ""))


def _faults(value: Any, path: Path) -> dict[int, str]:
    """Row to what is wrong with the keys of its object."""
    items = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    told = ((row, fault_of(item)) for row, item in enumerate(items))
    return {row: f"{path}, item {row + 1}: {fault}" for row, fault in told if fault}


def _separator(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def _delimited(path: Path) -> Iterator[Record]:
    import polars as pl

    _attempt(path, lambda: check_binary(path))
    frame = pl.scan_csv(path, infer_schema=False, separator=_separator(path))
    yield from _batches(path, frame, BATCH_ROWS)


def _parquet(path: Path) -> Iterator[Record]:
    import polars as pl

    frame = pl.scan_parquet(path)
    schema = _attempt(path, lambda: pl.read_parquet_schema(path))
    binary = any("Binary" in str(kind) for kind in schema.values())
    total = int(_attempt(path, lambda: frame.select(pl.len()).collect()).item())
    size = BATCH_ROWS_WITH_IMAGES if binary else BATCH_ROWS
    for start in range(0, total, size):
        part = _attempt(path, frame.slice(start, size).collect)
        for number, values in enumerate(part.iter_rows(named=True), start=start):
            yield Record(number, values)


def _arrow(path: Path) -> Iterator[Record]:
    import polars as pl

    # The hub's cache holds Arrow streams, other writers Arrow files; the file kind starts with a magic word.
    with _opened(path) as file:
        is_file = file.read(6) == b"ARROW1"
    reader = pl.read_ipc if is_file else pl.read_ipc_stream
    frame = _attempt(path, lambda: reader(path))
    for number, values in enumerate(frame.iter_rows(named=True)):
        yield Record(number, values)


def _batches(path: Path, frame: pl.LazyFrame, size: int) -> Iterator[Record]:
    row = 0
    batches = _attempt(path, lambda: iter(frame.collect_batches(chunk_size=size, maintain_order=True)))
    while (batch := _attempt(path, lambda: next(batches, None))) is not None:
        for values in batch.iter_rows(named=True):
            yield Record(row, values)
            row += 1
