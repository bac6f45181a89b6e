"""Why a CSV or TSV file cannot be read, with the line: the fast reader does not say."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.errors import DataError

__all__ = ["explain_delimited"]


def explain_delimited(path: Path, separator: str) -> None:
    """Raise a `DataError` that names the line of the first fault found; return where none is found.

    Faults are bytes that are not UTF-8, rows with more fields than the header, and broken quoting.
    """
    header: list[str] = []
    rows = csv.reader(_decoded_lines(path, separator, header), delimiter=separator, strict=True)
    try:
        for row in rows:
            if not header:
                header.extend(row)
            elif len(row) > len(header):
                raise DataError(
                    f"{path}, line {rows.line_num}: {len(row)} fields were found, the header has {len(header)} "
                    f"({', '.join(header)}). Put fields that hold {separator!r} in double quotes."
                )
    except csv.Error as error:
        # A field beyond the csv module's own size limit is no fault of the file.
        if "field larger" not in str(error):
            raise DataError(f"{path}, line {rows.line_num}: {error}.") from error


def _decoded_lines(path: Path, separator: str, header: list[str]) -> Iterator[str]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                field = len(next(csv.reader([line[: error.start].decode()], delimiter=separator), [])) or 1
                name = f"column {header[field - 1]!r}" if field <= len(header) else f"field {field}"
                raise DataError(
                    f"{path}, line {number}, {name}: byte 0x{line[error.start]:02x} is not UTF-8. "
                    "Save the file as UTF-8 (it may be Latin-1 or Windows-1252)."
                ) from error
