"""How numbers read on the page: percentage points, intervals, p-values."""

from __future__ import annotations

import math
from typing import Any

from perimetry.reports.blocks import Column

__all__ = ["MISSING", "cell_text", "interval_text", "number_text", "p_text", "resolved", "sort_value"]

MISSING = "–"
MINUS = "−"


def is_missing(value: Any) -> bool:
    """None and NaN are missing."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def signed(text: str, sign: bool) -> str:
    """Set a proper minus, and a plus where asked; zero carries neither."""
    if text.startswith("-"):
        bare = text[1:]
        return MINUS + bare if any(digit in bare for digit in "123456789") else bare
    return "+" + text if sign and any(digit in text for digit in "123456789") else text


def number_text(value: float | None, digits: int = 1, *, scale: float = 1.0, sign: bool = False) -> str:
    """Format one number; missing is a dash.

    Examples
    --------
    >>> number_text(0.0412, scale=100, sign=True)
    '+4.1'
    >>> number_text(None)
    '–'
    """
    if value is None or is_missing(value):
        return MISSING
    return signed(f"{float(value) * scale:,.{digits}f}", sign)


def interval_text(
    value: float | None,
    low: float | None,
    high: float | None,
    digits: int = 1,
    *,
    scale: float = 100.0,
    sign: bool = False,
) -> str:
    """A value with its interval, in percentage points unless `scale` says otherwise.

    Examples
    --------
    >>> interval_text(0.041, 0.01, 0.075, sign=True)
    '+4.1 [+1.0, +7.5]'
    """
    text = number_text(value, digits, scale=scale, sign=sign)
    if is_missing(value) or is_missing(low) or is_missing(high):
        return text
    ends = (number_text(end, digits, scale=scale, sign=sign) for end in (low, high))
    return f"{text} [{', '.join(ends)}]"


def p_text(value: float | None) -> str:
    """A p-value; below a thousandth it says so.

    Examples
    --------
    >>> p_text(0.0004)
    '< 0.001'
    """
    if value is None or is_missing(value):
        return MISSING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def resolved(low: float | None, high: float | None) -> bool:
    """Whether an interval excludes zero. A missing interval resolves nothing.

    Examples
    --------
    >>> resolved(0.01, 0.2), resolved(-0.1, 0.2), resolved(None, None)
    (True, False, False)
    """
    if low is None or high is None or is_missing(low) or is_missing(high):
        return False
    return low > 0 or high < 0


def cell_text(column: Column, row: Any) -> str:
    """What a table cell reads.

    Examples
    --------
    >>> column = Column("score", kind="number", low="low", high="high", note="why")
    >>> cell_text(column, {"score": 3.0, "why": "all equal"})
    '3.0 (all equal)'
    """
    value = row.get(column.key)
    if is_missing(value):
        return MISSING
    kind = column.kind
    if kind == "p":
        return p_text(float(value))
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "integer":
        return signed(f"{int(value):,}", sign=False)
    if kind in ("number", "share", "points"):
        scale = 1.0 if kind == "number" else 100.0
        low = row.get(column.low) if column.low else None
        high = row.get(column.high) if column.high else None
        read = interval_text(value, low, high, column.digits, scale=scale, sign=kind == "points")
        note = row.get(column.note) if column.note else None
        return f"{read} ({note})" if note and (is_missing(low) or is_missing(high)) else read
    return str(value)


def sort_value(column: Column, row: Any) -> str:
    """What the page sorts a cell by: the bare number, or the text in lower case; empty when missing."""
    value = row.get(column.key)
    if is_missing(value):
        return ""
    return str(value).lower() if column.kind in ("text", "name", "code") else repr(float(value))
