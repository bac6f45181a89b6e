"""Tables for people: cells that a spreadsheet would take for a formula become plain text."""

from __future__ import annotations

import polars as pl

__all__ = ["spreadsheet_safe"]

FORMULA = r"(?s)^[=+\-@\t\r＝＋－＠]."
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def spreadsheet_safe(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before every text that begins as a formula does (``= + - @``, tab); numbers stay.

    Examples
    --------
    >>> spreadsheet_safe(pl.DataFrame({"note": ["=1+1", "-0.5", "a-b"]}))["note"].to_list()
    ["'=1+1", '-0.5', 'a-b']
    """
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(_safe(name) for name in texts)


def _safe(name: str) -> pl.Expr:
    cell = pl.col(name)
    formula = cell.str.contains(FORMULA) & ~cell.str.contains(NUMBER)
    return pl.when(formula).then(pl.concat_str(pl.lit("'"), cell)).otherwise(cell).alias(name)
