"""Pairs of an original and its alternative: what a review is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from perimetry.cases.dataset import DataUse
from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.layout import found_in
from perimetry.cases.plain_files import read_json
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text

__all__ = ["LeftOut", "Pair", "read_pairs", "terms_of", "variations"]

FILES = ("alternatives.jsonl", "pairs.jsonl", "pairs.csv", "alternatives.parquet", "alternatives.csv")
SPELLINGS = {
    "case_id": ("case_id", "case", "study_id", "id"),
    "variation": ("variation", "target", "kind", "axis"),
    "original": ("original", "reference"),
    "alternative": ("alternative", "rewritten"),
}
"""Columns that hold a field, in order of preference."""
OPTIONAL = ("dataset", "group", "status", "axis")
SECTIONS = ("findings", "impression")


@dataclass(frozen=True, slots=True)
class Pair:
    """An original and its alternative.

    Parameters
    ----------
    case_id : str
    variation : str
        What was changed, ``axis:variation``.
    original, alternative : str
    dataset : str
    group : str
        Unit of resampling; the case where nothing else is known.
    more : mapping
        Every other field of the record (verdicts, rounds): goes into the released set as it is.
    """

    case_id: str
    variation: str
    original: str
    alternative: str
    dataset: str = ""
    group: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells pairs apart."""
        return self.dataset, self.case_id, self.variation


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Records that are no pair to rate.

    Parameters
    ----------
    reason : str
    count : int
    examples : tuple of str
        Cases, three at most.
    """

    reason: str
    count: int
    examples: tuple[str, ...]


def read_pairs(path: Path) -> tuple[tuple[Pair, ...], tuple[LeftOut, ...]]:
    r"""Read pairs from a table, or from the folder that `perimetry rewrite` leaves.

    A record has ``case_id``, ``variation`` (or ``axis`` and ``variation``), ``original`` and ``alternative``; a text
    is a string, a mapping of sections, or columns ``original_findings``, ``original_impression`` and so on. Where there
    is ``status``, only accepted records are pairs. ``dataset`` and ``group`` may be left out.

    Parameters
    ----------
    path : Path

    Returns
    -------
    tuple of Pair, tuple of LeftOut

    Raises
    ------
    DataError
        For a missing file or column, a record without a case, a pair that stands twice, or no pair at all.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = file.write_text("case_id,variation,original,alternative\n1,hedging,may be,could be\n")
    >>> read_pairs(file)[0][0].alternative
    'could be'
    """
    file = _file(path)
    names = _names(file)
    found: dict[tuple[str, str, str], Pair] = {}
    out: dict[str, list[str]] = {}
    for number, row in enumerate(read_rows(file), start=1):
        case = text(row.get(names["case_id"]))
        if not case:
            raise DataError(f"{file}, record {number}, {names['case_id']}: found nothing, expected the case's id.")
        status = text(row.get("status"))
        if status and status != "accepted":
            out.setdefault(f"status {echo(status)}", []).append(case)
            continue
        pair = _pair(row, names, case)
        if not pair.original or not pair.alternative:
            out.setdefault(f"no {'alternative' if pair.original else 'original'}", []).append(case)
        elif pair.original == pair.alternative:
            out.setdefault("alternative is the original", []).append(case)
        elif pair.key in found:
            raise DataError(
                f"{file}, record {number}: {echo(case)} has a second alternative under {echo(pair.variation)!r}. "
                "Keep one."
            )
        else:
            found[pair.key] = pair
    left = tuple(LeftOut(reason, len(cases), tuple(cases[:3])) for reason, cases in out.items())
    if not found:
        told = "; ".join(f"{one.count} of {one.reason}" for one in left)
        raise DataError(f"{file} holds no pair to rate{f': {told}' if told else ''}. Expected accepted alternatives.")
    return tuple(found.values()), left


def _pair(row: Mapping[str, Any], names: Mapping[str, str], case: str) -> Pair:
    axis, variation = text(row.get("axis")), text(row.get(names["variation"]))
    if axis and ":" not in variation and "+" not in variation and variation != axis:
        variation = f"{axis}:{variation}" if variation else axis
    used = {*names.values(), *OPTIONAL}
    return Pair(
        case,
        variation or "all",
        _report(row, names["original"]),
        _report(row, names["alternative"]),
        text(row.get("dataset")),
        text(row.get("group")) or case,
        {name: value for name, value in row.items() if name not in used and not _is_text(name) and value is not None},
    )


def _is_text(column: str) -> bool:
    return column.startswith(("original_", "alternative_"))


def _report(row: Mapping[str, Any], column: str) -> str:
    """A text, or the sections of a report, each under its name; in a table each section may have its own column."""
    value = row.get(column)
    if value is None:
        prefix = f"{column}_"
        value = {name.removeprefix(prefix): part for name, part in row.items() if name.startswith(prefix)}
    if not isinstance(value, Mapping):
        return text(value)
    sections = [*SECTIONS, *(name for name in value if name not in SECTIONS)]
    held = [(name, text(value.get(name))) for name in sections]
    return "\n\n".join(f"{name.upper()}:\n{body}" for name, body in held if body)


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    for name in FILES:
        if (path / name).is_file():
            return path / name
    raise DataError(f"{path} has none of {', '.join(FILES)}. {found_in(path)}")


def _names(file: Path) -> dict[str, str]:
    present = columns(file)
    found = {}
    for wanted, spellings in SPELLINGS.items():
        name = next((one for one in spellings if one in present), None)
        if name is None and any(column.startswith(f"{wanted}_") for column in present):
            name = wanted
        if name is None:
            raise DataError(
                f"{file} has no column {wanted!r}; it has {echo_list(present) or 'none'}. Expected case_id, variation, "
                "original and alternative."
            )
        found[wanted] = name
    return found


def terms_of(path: Path) -> str:
    """The data-use class that ``funnel.json`` beside the pairs names; empty where there is none.

    Raises
    ------
    DataError
        When that file cannot be read.
    """
    file = (path if path.is_dir() else path.parent) / "funnel.json"
    if not file.is_file():
        return ""
    value = read_json(file)
    found = text(value.get("data_use")) if isinstance(value, Mapping) else ""
    return found if found in get_args(DataUse) else ""


def variations(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Variations in order of first occurrence."""
    return tuple(dict.fromkeys(pair.variation for pair in pairs))
