"""Files of generated reports: one column a system, or one row a report."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError, UnknownNameError, UsageError
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text
from perimetry.protocols.score.ids import id_advice, sample, spelling_advice
from perimetry.scoring.report_metric import Report

__all__ = ["SystemReports", "absolute_systems", "read_systems"]

_IDS = ("id", "study_id", "case_id", "case")
_NAMES = ("system", "model")
_REPORTS = ("report", "response", "text", "output", "prediction")
_NOT_A_SYSTEM = frozenset({*_IDS, *_NAMES, "dataset", "group", "patient", "split", "reference", "references"})


@dataclass(frozen=True, slots=True, eq=False)
class SystemReports:
    """Reports of some systems by data set and study.

    Parameters
    ----------
    source : str
        For messages.
    reports : mapping of system to (mapping of (dataset, id) to str or None)
        ``dataset`` is empty where the file names none.
    identity : str
        Column of the ids; empty where there is no file.
    """

    source: str
    reports: Mapping[str, Mapping[tuple[str, str], Report]]
    identity: str = ""

    def taken(self, ids: Collection[str]) -> str:
        """For messages: where the ids come from, what they look like, and which column may hold the wanted ones."""
        if not self.identity:
            return f"{self.source} are of other studies."
        path = Path(self.source)
        held = dict.fromkeys(identity for reports in self.reports.values() for _, identity in reports)
        told = f"The ids of {path} were read from its column {echo(self.identity)}, and are such as {sample(held)}."
        spelled = spelling_advice(held, ids)
        if spelled:
            return f"{told} {spelled}"
        others = [name for name in columns(path) if name != self.identity]
        return id_advice(told, read_rows(path), others, ids).whole


def read_systems(spelling: str, id_column: str = "") -> SystemReports:
    """Read ``FILE`` or ``FILE:COLUMN,COLUMN``.

    A file has one column a system, which are named behind the colon, or one row a report, with the columns ``system``
    (or ``model``) and ``report`` (or ``response``, ``text``, ``output``, ``prediction``). One column that is neither an
    id nor a name needs no mention.

    Parameters
    ----------
    spelling : str
    id_column : str, default ""
        The first of ``id``, ``study_id``, ``case_id`` and ``case`` that the file has, if empty.

    Raises
    ------
    DataError, UsageError
        For a file or column that is not there, columns that may or may not be systems, and a study that comes twice.
    """
    path, wanted = _parted(spelling)
    if not _is_file(path):
        raise DataError(
            f"--systems {spelling}: {path} is not a file. Give a table of reports: FILE, or FILE:COLUMN,COLUMN."
        )
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty. Give a file with at least one report.")
    present = columns(path)
    identity = _id_of(path, present, id_column)
    for column in wanted:
        if column not in present:
            raise UnknownNameError(f"column in {path}", column, present)
    named = next((name for name in _NAMES if name in present), "")
    said = next((name for name in _REPORTS if name in present), "")
    if not wanted and named and said:
        return SystemReports(str(path), _long(path, identity, named, said), identity)
    return SystemReports(str(path), _wide(path, identity, wanted or _only(path, present, identity)), identity)


def absolute_systems(spelling: str) -> str:
    """The same with the file's path from the root.

    Examples
    --------
    >>> absolute_systems("/data/reports.jsonl:ours,theirs")
    '/data/reports.jsonl:ours,theirs'
    """
    path, wanted = _parted(spelling)
    return ":".join([str(path.resolve()), *([",".join(wanted)] if wanted else [])])


def _parted(spelling: str) -> tuple[Path, tuple[str, ...]]:
    whole = Path(spelling).expanduser()
    if ":" not in spelling or _is_file(whole):
        return whole, ()
    head, _, tail = spelling.rpartition(":")
    if head == "recorded":
        return Path(tail).expanduser(), ()
    head = head.removeprefix("recorded:")
    wanted = tuple(part.strip() for part in tail.split(",") if part.strip())
    if len(set(wanted)) != len(wanted):
        raise UsageError(f"--systems {spelling} names a column twice. Name every system once.")
    return Path(head).expanduser(), wanted


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that is too long for the disk (many columns behind a colon) is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _id_of(path: Path, present: Sequence[str], asked: str) -> str:
    if asked:
        if asked not in present:
            raise UnknownNameError(f"column (--id, of every file of --systems) in {path}", asked, present)
        return asked
    for name in _IDS:
        if name in present:
            return name
    raise DataError(
        f"{path} has no column of the studies' ids: {', '.join(_IDS)} were looked for, found {echo_list(present)}. "
        "Name it with --id COLUMN."
    )


def _only(path: Path, present: Sequence[str], identity: str) -> tuple[str, ...]:
    others = [name for name in present if name not in _NOT_A_SYSTEM and name != identity]
    if len(others) == 1:
        return (others[0],)
    raise UsageError(
        f"{path} has the columns {echo_list(present)}. Say which of them are systems: --systems {path}:COLUMN,COLUMN."
    )


def _long(path: Path, identity: str, named: str, said: str) -> dict[str, dict[tuple[str, str], Report]]:
    found: dict[str, dict[tuple[str, str], Report]] = {}
    for number, row in enumerate(read_rows(path), start=1):
        system = text(row.get(named))
        if not system:
            raise DataError(f"{path}, row {number}, column {named!r}: it is empty. Name the system.")
        _put(found.setdefault(system, {}), row, path, number, identity, said)
    return found


def _wide(path: Path, identity: str, wanted: Sequence[str]) -> dict[str, dict[tuple[str, str], Report]]:
    found: dict[str, dict[tuple[str, str], Report]] = {
        path.stem if name in _REPORTS and len(wanted) == 1 else name: {} for name in wanted
    }
    for number, row in enumerate(read_rows(path), start=1):
        for held, column in zip(found.values(), wanted, strict=True):
            _put(held, row, path, number, identity, column)
    return found


def _put(
    held: dict[tuple[str, str], Report], row: Mapping[str, object], path: Path, number: int, identity: str, column: str
) -> None:
    key = (text(row.get("dataset")) or "", text(row.get(identity)) or "")
    value = row.get(column)
    if isinstance(value, float) and math.isnan(value):
        value = None
    if not key[1]:
        raise DataError(f"{path}, row {number}, column {identity!r}: it is empty. Every report needs its study's id.")
    if key in held:
        raise DataError(f"{path}, row {number}: the study {key[1]!r} has a report of this system already.")
    if value is not None and not isinstance(value, str):
        raise DataError(
            f"{path}, row {number}, column {column!r}: a report (text) was expected, found {type(value).__name__}. "
            "Name the column that holds the reports."
        )
    held[key] = value
