"""Tables as CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perimetry.reports.blocks import Column, TableBlock
from perimetry.reports.numbers import is_missing
from perimetry.runs.spreadsheet import csv_rows

__all__ = ["table_csv", "write_table"]


def table_csv(table: TableBlock) -> str:
    """Spell a table as CSV: raw values, an interval in columns of its own, missing cells empty.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    keys = csv_keys(table.columns)
    return csv_rows(keys, ([csv_cell(row.get(key)) for key in keys] for row in table.rows))


def csv_keys(columns: tuple[Column, ...]) -> list[str]:
    """Keys of all values of the columns, the interval's ends behind the value, each once."""
    keys = [key for column in columns for key in (column.key, column.low, column.high) if key]
    return list(dict.fromkeys(keys))


def csv_cell(value: Any) -> Any:
    """A value as CSV carries it."""
    if is_missing(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value


def write_table(table: TableBlock, path: Path) -> Path:
    r"""Write a table as a CSV file and return its path; the folder is made when it is absent.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> table = TableBlock((Column("a", kind="integer"),), ({"a": 1},), "One", "one")
    >>> write_table(table, Path(tempfile.mkdtemp()) / "one.csv").read_text()
    'a\n1\n'
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table_csv(table), encoding="utf-8", newline="")
    return path
