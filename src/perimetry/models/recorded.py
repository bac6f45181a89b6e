"""The model kind ``recorded``: answers that somebody already has."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError
from perimetry.models.answers import AnswerShelf, ShelfReport, answer_rows
from perimetry.models.model import BatchModel
from perimetry.models.registry import ModelContext, ModelKind
from perimetry.models.request import Failure, Request, Response

__all__ = ["KIND", "RecordedModel", "RecordedWarning"]


class RecordedWarning(UserWarning):
    """Rows of a file of recorded answers that cannot be used."""


class RecordedModel(BatchModel):
    """Answers from a JSONL, CSV or Parquet file with ``case_id``, ``condition`` and ``response``.

    Columns ``repeat`` (from 0), ``model`` and ``dataset`` may be there. A condition that is the same request as
    another (``noimage`` and ``textonly``, ``real`` and ``full``, any occlusion at strength 0) may have either
    spelling. What the file does not hold is the failure ``not_recorded``, which says what is missing.

    Parameters
    ----------
    path : Path
    context : ModelContext, optional
        Mapping file, and the ids of the loaded cases.
    model : str, default ""
        Which model's rows to take, where a file holds several; names the model where a file says none.
    """

    def __init__(self, path: Path, context: ModelContext | None = None, model: str = "") -> None:
        context = context or ModelContext()
        self._path = path
        self._mapping = context.mapping
        self._case_ids = context.case_ids
        self._batch_size = context.batch_size or 1024
        self._model = model
        self._shelf: AnswerShelf | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shelf": None}

    @property
    def name(self) -> str:
        """``recorded:MODEL`` where a model was named, else ``recorded:`` and the file's name without its ending.

        Free of folders, so that tables are the same on every machine; `describe` has the path.
        """
        return f"recorded:{self._model or self._path.stem}"

    @property
    def batch_size(self) -> int:
        """1024 by default: a lookup is cheap."""
        return self._batch_size

    @property
    def report(self) -> ShelfReport:
        """What the file holds; reads it on first use, and warns once of rows that cannot be used."""
        return self._open().report

    def describe(self) -> dict[str, Any]:
        """Digests of the file and its mapping, what it holds, and the warning, if any."""
        report = self.report
        warning = report.warning(str(self._path))
        return {
            "name": self.name,
            "kind": "recorded",
            "file": str(self._path),
            "digest": _digest(self._path),
            "mapping": str(self._mapping) if self._mapping else "",
            "mapping_digest": _digest(self._mapping) if self._mapping else "",
            "rows": report.rows,
            "conditions": list(report.conditions),
            "warnings": [warning] if warning else [],
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Look each request up."""
        shelf = self._open()
        for request in requests:
            where = (request.dataset, request.case_id, request.condition, request.repeat)
            text = shelf.find(*where)
            if text is None:
                yield Response(request.id, None, Failure("not_recorded", shelf.missing(*where)))
            else:
                yield Response(request.id, text)

    def close(self) -> None:
        """Free what was read."""
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None

    def _open(self) -> AnswerShelf:
        if self._shelf is None:
            rows = answer_rows(self._path, self._mapping)
            self._shelf = AnswerShelf(rows, str(self._path), self._model, self._case_ids)
            warning = self._shelf.report.warning(str(self._path))
            if warning:
                warnings.warn(warning, RecordedWarning, stacklevel=3)
        return self._shelf


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _make(tail: str, context: ModelContext) -> RecordedModel:
    path, model = Path(tail).expanduser(), ""
    if not path.is_file() and "#" in tail:
        file, _, model = tail.rpartition("#")
        path = Path(file).expanduser()
    if not path.is_file():
        where = "" if path.is_absolute() else f" in {Path.cwd()}"
        raise DataError(
            f"There is no file {path}{where}. {KIND.grammar} takes a JSONL, CSV or Parquet file with the columns "
            "case_id, condition and response."
        )
    return RecordedModel(path, context, model)


KIND = ModelKind(
    name="recorded",
    grammar="recorded:FILE[#MODEL]",
    summary="Answers that somebody already has, from JSONL, CSV or Parquet.",
    make=_make,
)
