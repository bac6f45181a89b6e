"""Tables for people: the one place that writes CSV, in which a spreadsheet takes no cell for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.cells import FORMULA, NUMBER, safe_cell

__all__ = ["csv_rows", "save_csv", "spreadsheet_safe"]


def spreadsheet_safe(frame: pl.DataFrame) -> pl.DataFrame:
    """`safe_cell` for every text of a table; lists of texts become one text with blanks between.

    Examples
    --------
    >>> spreadsheet_safe(pl.DataFrame({"note": ["=1+1", "-0.5"], "keys": [["A", "B"], ["C"]]})).rows()
    [("'=1+1", 'A B'), ('-0.5', 'C')]
    """
    flat = frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))
    return flat.with_columns(_safe(name) for name, kind in flat.schema.items() if kind == pl.String)


def save_csv(frame: pl.DataFrame, file: Path) -> None:
    """Write a table, safe to open as a spreadsheet, straight to a file: no second copy of its bytes in memory."""
    spreadsheet_safe(frame).write_csv(file)


def csv_rows(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Rows as CSV, safe to open as a spreadsheet.

    Examples
    --------
    >>> csv_rows(["case", "n"], [["=1", 2], ["a,b", None]])
    'case,n\n\'=1,2\n"a,b",\n'
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    for row in (header, *rows):
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue()


def _safe(name: str) -> pl.Expr:
    cell = pl.col(name)
    formula = cell.str.contains(FORMULA) & ~cell.str.contains(NUMBER)
    return pl.when(formula).then(pl.concat_str(pl.lit("'"), cell)).otherwise(cell).alias(name)
