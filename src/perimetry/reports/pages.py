"""The page itself: the template filled in, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from perimetry.reports.blocks import ChartBlock, Column, PictureBlock, TableBlock, TextBlock
from perimetry.reports.casefiles import CaseFiles
from perimetry.reports.charts.theme import short_names
from perimetry.reports.numbers import MISSING, cell_text, resolved, sort_value
from perimetry.reports.passages import MARK_SIGNS, PassagesBlock, segments
from perimetry.reports.site import FailureRow, Site
from perimetry.reports.verdicts import SIGNS, strips

__all__ = ["page_html"]

NAME_WIDTH = 34
LONG_TEXT = 60
TALL = 40
"""Rows above which a table scrolls in its own box, or one table would be the page."""
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*[a-z])")
UNBROKEN = 14
"""Letters of a spelling that stay on one line."""
SPELLING = re.compile(r"(?<=[:+_])(?=.)")
"""Where a spelling may go on in the next line."""
NUMERIC = frozenset({"integer", "number", "share", "points", "p"})

FAILURES = (
    Column("model", "Model", "name"),
    Column("dataset", "Data set", "name"),
    Column("condition", "Condition", "code"),
    Column("kind", "Kind", "code"),
    Column("count", "Requests", "integer"),
    Column("example", "Example"),
)


def page_html(site: Site, *, nonce: str, charts: bool, cases: CaseFiles | None) -> str:
    """Fill in the page.

    Parameters
    ----------
    site : Site
    nonce : str
        The mark of the page's own scripts and style, for its content security policy.
    charts : bool
        Whether there are chart scripts to load.
    cases : CaseFiles or None
        What the case browser holds.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("perimetry.reports", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn, ticks, label = strips(site.verdicts)
    html = environment.get_template("report.html.j2").render(
        site=site,
        nonce=nonce,
        charts=charts,
        cases=cases,
        verdicts=list(zip(site.verdicts, drawn, strict=True)),
        ticks=ticks,
        strip_label=label,
        signs=SIGNS,
        short=short_names([verdict.model for verdict in site.verdicts], 32),
        kind_of=kind_of,
        table=table_view,
        segments=segments,
        pieces=pieces,
        mark_signs=MARK_SIGNS,
        failures=failure_table(site.failures),
        failed=sum(row.count for row in site.failures),
    )
    # Half a character from a cut-off model output cannot be written as UTF-8.
    return html.encode("utf-8", "replace").decode("utf-8")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """A text in pieces, and which of them stay on one line: options, whose hyphens are no place to break.

    Examples
    --------
    >>> list(pieces("Set --max-spill."))
    [('Set ', False), ('--max-spill', True), ('.', False)]
    """
    for number, piece in enumerate(OPTION.split(text)):
        if piece:
            yield piece, number % 2 == 1


def kind_of(block: Any) -> str:
    """Which part of the template draws a block."""
    kinds = {
        TextBlock: "text",
        ChartBlock: "chart",
        TableBlock: "table",
        PassagesBlock: "passages",
        PictureBlock: "picture",
    }
    return kinds[type(block)]


def table_view(block: TableBlock) -> dict[str, Any]:
    """A table as the template wants it: heads and cells with text, sort key and marks."""
    heads = [
        {"label": column.label or column.key, "numeric": column.kind in NUMERIC, "help": column.help}
        for column in block.columns
    ]
    short = {
        column.key: short_names([str(row.get(column.key)) for row in block.rows], NAME_WIDTH)
        for column in block.columns
        if column.kind == "name"
    }
    rows = [[cell_view(column, row, short.get(column.key, {})) for column in block.columns] for row in block.rows]
    return {"heads": heads, "rows": rows, "tall": len(rows) > TALL}


def cell_view(column: Column, row: Any, short: Mapping[str, str]) -> dict[str, Any]:
    """One cell; a name that was shortened keeps its whole form as a hint."""
    whole = cell_text(column, row)
    text = short.get(whole, whole)
    low = row.get(column.low) if column.low else None
    high = row.get(column.high) if column.high else None
    opening = "[" if " [" in text else "("
    value, _, interval = text.partition(f" {opening}")
    split = column.low is not None and bool(interval)
    return {
        "text": value if split else text,
        "parts": SPELLING.split(text) if len(text) > UNBROKEN else (text,),
        "whole": whole if whole != text else "",
        "long": len(text) > LONG_TEXT and column.kind == "text",
        "words": LONG_TEXT >= len(text) > NAME_WIDTH // 2 and column.kind == "text",
        "interval": f"{opening}{interval}" if split else "",
        "sort": sort_value(column, row),
        "numeric": column.kind in NUMERIC,
        "code": column.kind == "code" and text != MISSING,
        "resolved": column.resolve and resolved(low, high),
        "missing": text == MISSING,
    }


def failure_table(failures: tuple[FailureRow, ...]) -> TableBlock:
    """The failures as a table like any other."""
    rows = tuple(
        {
            "model": row.model or None,
            "dataset": row.dataset or None,
            "condition": row.condition or None,
            "kind": row.kind,
            "count": row.count,
            "example": row.example or None,
        }
        for row in failures
    )
    return TableBlock(
        FAILURES, rows, "Requests that gave no answer. Their items leave every contrast that needs them.", "failures"
    )
