"""Filled-in sheets: CSV and other tables, and Label Studio's exports, as rows of one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.plain_files import read_json
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text

__all__ = ["NEEDED", "Row", "read_sheet"]

NEEDED = ("study", "task", "item", "rating")
"""Columns without which a sheet cannot be told from any other table."""


TEXTS = ("report", "report_a", "report_b")
"""Columns with what is rated."""


@dataclass(frozen=True, slots=True)
class Row:
    """One answer as it stands in a file, not checked yet.

    Parameters
    ----------
    place : str
        Where it stands, for messages.
    study, task, item : str
    rater : str
        Empty where the file does not say.
    rating : str
        Empty where the rater skipped the item.
    comment : str
    texts : mapping of str to str
        What the file says was rated, by column; only the columns that it has.
    """

    place: str
    study: str
    task: str
    item: str
    rater: str
    rating: str
    comment: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)


def read_sheet(path: Path) -> list[Row]:
    r"""Read a sheet; Label Studio's JSON is told from a table by its annotations.

    Parameters
    ----------
    path : Path
        CSV, TSV, JSONL or Parquet with the columns `NEEDED`, and ``rater`` and ``comment`` where there are; Label
        Studio's CSV, JSON-MIN and JSON.

    Raises
    ------
    DataError
        When the file cannot be read, or has other columns.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "sheet.csv"
    >>> _ = file.write_text("study,task,item,rating\ns1,realism,realism-001,3\n")
    >>> read_sheet(file)[0].rating
    '3'
    """
    if path.suffix.lower() == ".json":
        value = read_json(path) if path.is_file() else None
        if isinstance(value, list) and any(isinstance(each, dict) and "annotations" in each for each in value):
            return list(_annotated(path, value))
    present = columns(path)
    absent = [name for name in NEEDED if name not in present]
    if absent:
        raise DataError(
            f"{path} has no column {echo_list(absent)}; it has {echo_list(present) or 'none'}. A sheet of "
            f"`perimetry review export` was expected, filled in, with {', '.join(NEEDED)} and, where several people "
            "wrote in it, rater."
        )
    return [_row(number, values) for number, values in enumerate(read_rows(path), start=1)]


def _row(number: int, values: Mapping[str, Any]) -> Row:
    rating = values.get("rating")
    if isinstance(rating, Mapping):  # several choices of Label Studio's JSON-MIN and CSV
        rating = rating.get("choices")
    place = f"record {number} ({echo(values.get('item'))})"
    return Row(
        place,
        text(values.get("study")),
        text(values.get("task")),
        text(values.get("item")),
        text(values.get("rater")) or _person(values.get("annotator")),
        _joined(rating),
        _joined(values.get("comment")),
        _texts(values),
    )


def _annotated(path: Path, tasks: Sequence[Any]) -> Iterator[Row]:
    for number, task in enumerate(tasks, start=1):
        data = task.get("data") if isinstance(task, Mapping) else None
        if not isinstance(data, Mapping) or any(name not in data for name in NEEDED[:3]):
            held = echo_list(data) if isinstance(data, Mapping) else type(data).__name__
            raise DataError(
                f"{path}, task {number}, data: found {held or 'nothing'}, expected {', '.join(NEEDED[:3])}: the tasks "
                "of `perimetry review export`, exported again by Label Studio as JSON."
            )
        annotations = task.get("annotations") or []
        if not isinstance(annotations, list):
            raise DataError(f"{path}, task {number}, annotations: found {echo(annotations)!r}, expected a list.")
        ordered = sorted(
            annotations, key=lambda each: text(each.get("created_at")) if isinstance(each, Mapping) else ""
        )
        for annotation in ordered or [{}]:
            yield _annotation(path, number, data, annotation)


def _annotation(path: Path, number: int, data: Mapping[str, Any], annotation: Any) -> Row:
    place = f"task {number} ({echo(data['item'])})"
    results = annotation.get("result", []) if isinstance(annotation, Mapping) else None
    if not isinstance(results, list) or not all(isinstance(each, Mapping) for each in results):
        raise DataError(f"{path}, {place}: found an annotation without a list of results. Export it again as JSON.")
    found: dict[str, list[str]] = {"rating": [], "comment": []}
    for result in results:
        value, name = result.get("value"), text(result.get("from_name"))
        if name in found and isinstance(value, Mapping):
            said = value.get("choices", value.get("text", []))
            found[name] += [text(one) for one in (said if isinstance(said, list) else [said])]
    skipped = bool(annotation.get("was_cancelled"))
    return Row(
        place,
        text(data["study"]),
        text(data["task"]),
        text(data["item"]),
        text(data.get("rater")) or _person(annotation.get("completed_by")),
        "" if skipped else ", ".join(found["rating"]),
        " ".join(found["comment"]),
        _texts(data),
    )


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: text(values[name]) for name in TEXTS if values.get(name) is not None}


def _person(value: Any) -> str:
    """Name of an annotator: Label Studio gives a number, an address, or a record with either."""
    if isinstance(value, Mapping):
        value = value.get("email") or value.get("id")
    name = text(value)
    return f"annotator-{name}" if name.isdigit() else name


def _joined(value: Any) -> str:
    return ", ".join(text(one) for one in value) if isinstance(value, list) else text(value)
