"""Official tables and JSON files, plain or gzipped, with errors that say which column is missing."""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from perimetry.cases.echo import echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_rows

__all__ = ["read_json", "table_rows"]

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def table_rows(path: Path, dataset: str, needed: Sequence[str]) -> Iterator[dict[str, Any]]:
    r"""Rows of a table that must have certain columns; a CSV file may be gzipped.

    Parameters
    ----------
    path : Path
        ``.csv.gz``, or a suffix of `perimetry.cases.table.TABLE_SUFFIXES`.
    dataset : str
        For the message.
    needed : sequence of str
        Columns that are read.

    Raises
    ------
    DataError
        Names the first missing column, or the place that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "split.csv.gz")
    ...     _ = path.write_bytes(gzip.compress(b"dicom_id,split\na,test\n"))
    ...     list(table_rows(path, "mine", ("split",)))
    [{'dicom_id': 'a', 'split': 'test'}]
    """
    zipped = path.suffix.lower() == ".gz"
    present = _zipped_header(path) if zipped else columns(path)
    for name in needed:
        if name not in present:
            raise DataError(
                f"{dataset}: {path} has no column {name!r}; it has {echo_list(present) or 'none'}. It may be of "
                f"another release than the one that is read; {echo_list(needed)} were expected."
            )
    return _zipped_rows(path) if zipped else read_rows(path)


def read_json(path: Path) -> Any:
    """What a JSON file holds, gzipped or not.

    Raises
    ------
    DataError
        Names the file and the line.
    """
    try:
        data = path.read_bytes()
        if path.suffix.lower() == ".gz":
            data = gzip.decompress(data)
        value = json.loads(data)
        return _whole(value) if SURROGATE.search(data) else value
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno}, column {error.colno}: malformed JSON ({error.msg}).") from error
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: JSON that cannot be read ({error}).") from error


def _whole(value: Any) -> Any:
    """The value with every half of a surrogate pair replaced: no file can hold one."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(part) for key, part in value.items()}
    return value


def _opened(path: Path) -> IO[str]:
    try:
        return cast("IO[str]", gzip.open(path, "rt", encoding="utf-8-sig", newline=""))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def _zipped_header(path: Path) -> tuple[str, ...]:
    with _opened(path) as file:
        try:
            return tuple(next(csv.reader(file), ()))
        except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
            raise DataError(f"{path} cannot be read as gzipped CSV: {error}. Download it again.") from error


def _zipped_rows(path: Path) -> Iterator[dict[str, Any]]:
    with _opened(path) as file:
        reader = csv.reader(file)
        try:
            header = next(reader, [])
            for row in reader:
                if len(row) > len(header):
                    raise DataError(
                        f"{path}, line {reader.line_num}: {len(row)} fields were found, the header has {len(header)}."
                    )
                yield {name: value or None for name, value in zip(header, row, strict=False)}
        except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
            raise DataError(
                f"{path}, line {reader.line_num + 1}: cannot be read as gzipped CSV ({error}). Download it again."
            ) from error
