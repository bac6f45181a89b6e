"""Why a CSV or TSV file cannot be read, with the line: the fast reader does not say."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError

__all__ = ["check_binary", "check_header", "explain_delimited"]

HEAD_BYTES = 1 << 16
OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "'|'", ",": "commas"}


def check_binary(path: Path) -> None:
    """Raise a `DataError` where a file begins with bytes that no text has."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{path} is text in UTF-16. Save it as UTF-8.")
    place = head.find(b"\0")
    if place >= 0:
        raise DataError(
            f"{path} is no text: byte {place + 1} is 0x00, as in binary files. A {path.suffix[1:]} file in UTF-8 was "
            "expected; export the table in that format."
        )


def check_header(path: Path, names: Sequence[str], separator: str) -> None:
    """Raise a `DataError` where the one column of a file is several, between signs that are not its separator."""
    if len(names) != 1:
        return
    for other, called in OTHER_SEPARATORS.items():
        if other != separator and other in names[0]:
            raise DataError(
                f"{path} has one column, {echo(names[0])!r}: its fields seem to be between {called}. Save it with "
                f"{OTHER_SEPARATORS[separator]} as {path.suffix}."
            )


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
                    f"({echo_list(header)}). Put fields that hold {separator!r} in double quotes."
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
                name = f"column {echo(header[field - 1])!r}" if field <= len(header) else f"field {field}"
                raise DataError(
                    f"{path}, line {number}, {name}: byte 0x{line[error.start]:02x} is not UTF-8. "
                    "Save the file as UTF-8 (it may be Latin-1 or Windows-1252)."
                ) from error
