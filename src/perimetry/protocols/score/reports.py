"""The file of reports: references, systems, ids and groups, checked before anything is scored."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import DataError, UnknownNameError, UsageError
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text
from perimetry.scoring.report_metric import Report
from perimetry.scoring.silence import silence

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ReportSource", "Reports", "opened", "read_reports"]

ReportSource: TypeAlias = "str | Path | pl.DataFrame"
"""A JSONL, JSON, CSV, TSV, Parquet or Arrow file, or a table in memory."""

_TWICE = "_duplicated_0"  # what the reader of CSV calls the second column of a name


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Reports of some systems beside their references, one entry a case.

    Parameters
    ----------
    name : str
        Stem of the file: the data set's name in the estimates.
    ids : tuple of str
        Distinct.
    groups : tuple of str
        What several reports share (a patient): the unit of resampling. Every report by itself where no column was
        named: by its id, or, without ids, by a digest of its texts, so that the order of rows changes no resample.
    references : tuple of str or None
    systems : mapping of str to tuple of str or None
        In the order in which they were named.
    """

    name: str
    ids: tuple[str, ...]
    groups: tuple[str, ...]
    references: tuple[Report, ...]
    systems: Mapping[str, tuple[Report, ...]]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def silent(self) -> Mapping[str, int]:
        """Reports of each system that hold no word, absent ones among them, where the reference does: the worst value.

        Examples
        --------
        >>> Reports("mine", ("1", "2"), ("1", "2"), ("clear", ""), {"ours": (None, None)}).silent
        {'ours': 1}
        """
        wanted = [not silence(reference) for reference in self.references]
        return {
            system: sum(bool(silence(text)) and full for text, full in zip(texts, wanted, strict=True))
            for system, texts in self.systems.items()
        }

    @property
    def digest(self) -> str:
        """Digest of everything that was read; None and the empty text differ."""
        reports = [self.references, *self.systems.values()]
        texts = [f"={one}" if one is not None else "" for column in reports for one in column]
        return digest_parts([*self.systems, *self.ids, *self.groups, *texts])


def read_reports(
    source: ReportSource, *, reference: str, systems: Sequence[str], id_column: str = "", group_column: str = ""
) -> Reports:
    """Read the columns that were named; reports keep every blank and line break that they have.

    Parameters
    ----------
    source : path-like or polars.DataFrame
    reference : str
        Column of the reference reports.
    systems : sequence of str
        Columns of the systems' reports, at least one.
    id_column : str, default ""
        Column of distinct ids; the number of the row, from 1, if empty.
    group_column : str, default ""
        Column of what several rows share; every row by itself if empty.

    Returns
    -------
    Reports

    Raises
    ------
    UsageError
        For no system, one without a name, or one named twice; `UnknownNameError` for a column that does not exist, with
        the nearest names.
    DataError
        For a file that cannot be read or has no row, two columns of a name that was given, an id that is empty or comes
        twice, an empty group, and a cell that is no text.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"gold": ["clear lungs", None], "ours": ["clear", ""]})
    >>> read_reports(table, reference="gold", systems=["ours"]).systems["ours"]
    ('clear', '')
    """
    where, present, rows = opened(source)
    if not systems:
        raise UsageError("No system was named. Give at least one column of generated reports (--system COLUMN).")
    for position, system in enumerate(systems):
        if not system:
            raise UsageError("A system has an empty name. Give the name of a column of generated reports.")
        if system in systems[:position]:
            raise UsageError(f"System {system!r} is named twice. Name every column once.")
    for column in (reference, *systems, id_column, group_column):
        if column and column not in present:
            raise UnknownNameError(f"column in {where}", column, present)
        if column and f"{column}{_TWICE}" in present:
            raise DataError(f"{where} has several columns called {column!r}. Give every column a name of its own.")
    if not reference:
        raise UsageError("No reference was named. Give the column of the reference reports (--reference COLUMN).")
    wanted = tuple(dict.fromkeys((reference, *systems)))
    texts: dict[str, list[Report]] = {column: [] for column in wanted}
    ids: list[str] = []
    groups: list[str] = []
    first_with: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        for column in wanted:
            texts[column].append(_report(row.get(column), where, column, number))
        name = _name(row.get(id_column), where, id_column, number) if id_column else str(number)
        if name in first_with:
            raise DataError(
                f"{where}, row {number}, column {id_column!r}: the id {name!r} stands in row {first_with[name]} "
                "already. Every row needs an id of its own; name what several rows share with --group."
            )
        first_with[name] = number
        ids.append(name)
        if group_column or id_column:
            groups.append(_name(row.get(group_column), where, group_column, number) if group_column else name)
    if not ids:
        raise DataError(f"{where} has no rows. Give a file with at least one report.")
    name = Path(source).stem if isinstance(source, str | Path) else "reports"
    return Reports(
        name or "reports",
        tuple(ids),
        tuple(groups) if groups else _by_content(texts[reference], [texts[system] for system in systems]),
        tuple(texts[reference]),
        {system: tuple(texts[system]) for system in systems},
    )


def _by_content(references: Sequence[Report], systems: Sequence[Sequence[Report]]) -> tuple[str, ...]:
    """A group a row, named for its texts, the reference first: one more system then moves next to nothing."""
    seen: dict[str, int] = {}
    names = []
    for row, reference in enumerate(references):
        first = digest_parts([str(reference)])[:12]
        rest = digest_parts([str(column[row]) for column in systems])[:12]
        name = f"{first}-{rest}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return tuple(names)


def opened(source: ReportSource) -> tuple[str, tuple[str, ...], Iterable[Mapping[str, Any]]]:
    """How messages call the source, its columns, its rows."""
    if not isinstance(source, str | Path):
        return "the table", tuple(source.columns), source.iter_rows(named=True)
    path = Path(source).expanduser()
    if path.is_dir():
        raise DataError(f"{path} is a folder. Give a file of reports: JSONL, CSV, TSV or Parquet, one case a row.")
    if path.is_file() and path.stat().st_size == 0:
        raise DataError(f"{path} is empty. Give a file with at least one report.")
    present = columns(path)
    if not present:
        raise DataError(f"{path} has no rows. Give a file with at least one report.")
    return str(path), present, read_rows(path)


def _report(value: Any, where: str, column: str, number: int) -> Report:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    raise DataError(
        f"{where}, row {number}, column {column!r}: a report (text) was expected, found {type(value).__name__}. "
        "Name the column that holds the reports."
    )


def _name(value: Any, where: str, column: str, number: int) -> str:
    if isinstance(value, list | dict | bytes):
        raise DataError(
            f"{where}, row {number}, column {column!r}: a text or a number was expected, found {type(value).__name__}. "
            "Name another column."
        )
    name = text(value)
    if not name:
        raise DataError(f"{where}, row {number}, column {column!r}: it is empty. Fill it in, or name another column.")
    return name
