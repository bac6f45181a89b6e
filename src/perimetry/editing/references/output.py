"""The folder of a rewriting: alternatives and every round, written as they are made; then the funnel."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from perimetry.editing.funnel import EditFunnel
from perimetry.editing.references.alternative import Alternative, edit_row, row
from perimetry.editing.references.flat_table import FlatTable
from perimetry.runs.folder import write_atomically

__all__ = ["ALTERNATIVES", "EDITS", "AlternativeWriter"]

ALTERNATIVES = "alternatives.jsonl"
EDITS = "edits.jsonl"
_TABLE = "alternatives.parquet"


class AlternativeWriter:
    """Writes alternatives beside the old files and puts them in their place at the end: all of them, or none.

    What is held does not grow with the number of reports.

    Parameters
    ----------
    folder : Path
        Made where it is absent.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with AlternativeWriter(folder) as writer:
    ...     writer.finish((), {"dataset": "mine"})
    >>> sorted(path.name for path in folder.iterdir())
    ['alternatives.jsonl', 'alternatives.parquet', 'edits.jsonl', 'funnel.json']
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._files: dict[str, IO[bytes]] = {}
        self._table = FlatTable(folder / ".parts")

    def __enter__(self) -> Self:
        """Open the files."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._table.discard()  # of a process that was killed
        for name in (ALTERNATIVES, EDITS):
            self._files[name] = self._open.enter_context(self._part(name).open("wb"))
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Close the files, and take away what did not come to its end."""
        self._open.close()
        self._table.discard()
        for name in (ALTERNATIVES, EDITS, _TABLE):
            self._part(name).unlink(missing_ok=True)

    def add(self, alternatives: Iterable[Alternative]) -> None:
        """Write alternatives; steps that several of one call share are written once."""
        written: set[int] = set()
        for each in alternatives:
            told = row(each)
            self._write(ALTERNATIVES, told)
            self._table.add(told)
            for edit in each.edits:
                if id(edit) not in written:
                    written.add(id(edit))
                    self._write(EDITS, edit_row(edit))

    def finish(self, funnels: Sequence[EditFunnel], about: Mapping[str, Any]) -> None:
        """Put everything in its place, with the table and ``funnel.json``.

        Parameters
        ----------
        funnels : sequence of EditFunnel
        about : mapping
            What the folder was made with; stands in ``funnel.json``.
        """
        self._open.close()
        self._table.write(self._part(_TABLE))
        for name in (EDITS, _TABLE, ALTERNATIVES):
            self._part(name).replace(self._folder / name)
        told = {**about, "axes": [funnel.to_dict() for funnel in funnels]}
        text = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
        write_atomically(self._folder / "funnel.json", text.encode("utf-8", "replace"))

    def _write(self, name: str, held: Mapping[str, Any]) -> None:
        self._files[name].write((json.dumps(held, ensure_ascii=False) + "\n").encode("utf-8", "replace"))

    def _part(self, name: str) -> Path:
        return self._folder / f"{name}.part"
