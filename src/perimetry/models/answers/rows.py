"""Rows of a file of recorded answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_records
from perimetry.cases.values import text

__all__ = ["AnswerRow", "answer_rows"]

REQUIRED = ("case_id", "condition", "response")
FIELDS = (*REQUIRED, "repeat", "model", "dataset")

# Fields that cannot be the same for every row: a constant there is a misspelt column.
VARYING = ("case_id", "response")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One recorded answer.

    Parameters
    ----------
    number : int
        Row of the file, from 1, headings not counted.
    case_id, condition : str
    response : str or None
        None where the file holds no answer: null, NaN, or an empty cell of a CSV file.
    repeat : int
    model, dataset : str
        Empty where the file does not say.
    """

    number: int
    case_id: str
    condition: str
    response: str | None
    repeat: int = 0
    model: str = ""
    dataset: str = ""


def answer_rows(path: Path, mapping: Path | None = None) -> Iterator[AnswerRow]:
    """Stream the answers of a JSONL, CSV or Parquet file.

    Parameters
    ----------
    path : Path
        Needs the columns ``case_id``, ``condition`` and ``response``; ``repeat``, ``model``, ``dataset`` are optional.
    mapping : Path, optional
        TOML file that says which column, formula or constant each of these fields is.

    Raises
    ------
    DataError
        When a field is missing or a value cannot be one, naming file, row and field; when the mapping file names
        a column that is not there.
    """
    fields = _fields(path, mapping)
    for record in read_records(path):
        yield _row(path, record.row + 1, fields(record.values), mapped=mapping is not None)


def _fields(path: Path, mapping: Path | None) -> Callable[[dict[str, Any]], Mapping[str, Any]]:
    if mapping is None:
        return lambda values: values
    from perimetry.cases.mapping import Mapping as Rules
    from perimetry.cases.own_table import MAPPED_FIELDS

    rules = Rules.read(mapping)
    rules.refuse_unknown(MAPPED_FIELDS)
    # One file serves the data and the answers of a run: rules that name no field of an answer are the data's.
    if not rules.rules.keys() & set(REQUIRED):
        return lambda values: values
    rules, known = rules.only(FIELDS), columns(path)
    # A file without rows has no columns; what to say of it is the reader's affair.
    return (rules.bind(known, varying=VARYING) if known else rules).row


def _row(path: Path, number: int, values: Mapping[str, Any], *, mapped: bool) -> AnswerRow:
    for name in REQUIRED:
        if name not in values:
            found = ", ".join(sorted(values)) or "none"
            advice = (
                f"Add a line for {name} to the mapping file."
                if mapped
                else f"Rename a column, or give a mapping file (--map) with a line such as {_EXAMPLES[name]}."
            )
            raise DataError(f"{path}, row {number}: there is no field {name!r}; found {found}. {advice}")
    return AnswerRow(
        number=number,
        case_id=_word(path, number, "case_id", values["case_id"]),
        condition=_word(path, number, "condition", values["condition"]),
        response=_text(path, number, values["response"]),
        repeat=_repeat(path, number, values.get("repeat")),
        model=text(values.get("model")),
        dataset=text(values.get("dataset")),
    )


_EXAMPLES = {
    "case_id": 'case_id = "{id}"',
    "condition": 'condition = "full"',
    "response": 'response = "{prediction}"',
}


def _word(path: Path, number: int, field: str, value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise DataError(f"{path}, row {number}: {field} is {value!r}, expected a text or a whole number.")
    return str(value).strip()


def _text(path: Path, number: int, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):  # how tables write that nothing is there
        return None
    if isinstance(value, bool | int | float):
        return str(value)
    raise DataError(
        f"{path}, row {number}: response is a {type(value).__name__}, expected the model's answer as one text. "
        "Write one row for each repeat."
    )


def _repeat(path: Path, number: int, value: object) -> int:
    if text(value) == "":
        return 0
    try:
        repeat = int(text(value))
    except ValueError:
        repeat = -1
    if repeat < 0:
        raise DataError(f"{path}, row {number}: repeat is {value!r}, expected a whole number from 0.")
    return repeat
