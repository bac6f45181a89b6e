"""The request store: every response that a run has ever had, found by request id."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import polars as pl

from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.files import StoreFile, list_files, model_slug
from perimetry.inference.journal import journal_model, read_journal
from perimetry.inference.part import COLUMNS, SCHEMA, PartError, is_final, read_part
from perimetry.inference.winners import losing_rows

__all__ = ["RequestStore"]

_RELISTINGS = 20


def log_problem(problem: Problem) -> None:
    """Tell readers of a damaged file by a warning."""
    logging.getLogger(__name__).warning("%s", problem)


class RequestStore:
    """Responses of a run, kept for ever in ``part-*.parquet`` and, while a shard is under way, ``journal-*.jsonl``.

    Reading never changes the folder. Rows are never rewritten; of several rows of one request the first answer counts
    before any failure, and of failures alone the latest.

    Parameters
    ----------
    folder : Path
        ``RUN/responses``; created by the first write.
    on_problem : callable, optional
        Told of every damaged line or file that was passed over; by default a logged warning.
    sync_every : float or None, default None
        Writers wait for the disk whenever that many seconds have passed since they last did. None leaves that to the
        kernel until a shard is finished, which survives the end of the process but not of the machine.

    Examples
    --------
    >>> import tempfile
    >>> store = RequestStore(Path(tempfile.mkdtemp()))
    >>> len(store.answered("reader:copycat"))
    0
    """

    def __init__(
        self, folder: Path, on_problem: Callable[[Problem], None] = log_problem, sync_every: float | None = None
    ) -> None:
        self.folder = folder
        self.sync_every = sync_every
        self.on_problem = on_problem

    def path(self, file: StoreFile) -> Path:
        """Where a file of the store lies."""
        return self.folder / file.name

    def files(self, model_name: str) -> list[StoreFile]:
        """Files of one model, oldest attempt first."""
        return list_files(self.folder, model_slug(model_name))

    def models(self) -> list[str]:
        """Names of all models that the store holds a readable row of, sorted."""
        names: dict[str, str] = {}
        for file in list_files(self.folder):
            if file.slug not in names:
                name = self._model_of(file)
                if name:
                    names[file.slug] = name
        return sorted(names.values())

    def answered(self, model_name: str) -> pl.Series:
        """Ids of requests that need no further asking: answers, and failures that lie with the request.

        Returns
        -------
        polars.Series of str, named ``request_id``; unique, in no promised order
        """
        columns = ("request_id", "failure_kind")
        frames = [frame.filter(is_final()).select("request_id") for _, frame in self.rows(model_name, columns)]
        return pl.concat(frames).get_column("request_id").unique() if frames else _NO_IDS

    def missing(self, model_name: str, ids: pl.Series) -> pl.Series:
        """Positions of requests that are still to be asked.

        Parameters
        ----------
        model_name : str
        ids : polars.Series of str, (n,)

        Returns
        -------
        polars.Series of UInt32, ascending
        """
        frame = pl.DataFrame({"request_id": ids}).with_row_index("position")
        done = self.answered(model_name).to_frame()
        return frame.join(done, on="request_id", how="anti", maintain_order="left").get_column("position")

    def responses(self, model_name: str) -> pl.LazyFrame:
        """One row a request: what counts of all that was stored for it.

        Returns
        -------
        polars.LazyFrame with `part.SCHEMA`
            Shards are read one after another when it is collected, and only the columns that are asked for. A
            damaged part is reported and passed over.
        """
        from polars.io.plugins import register_io_source

        def source(
            with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _: int | None
        ) -> Iterator[pl.DataFrame]:
            left = n_rows
            for frame in self.batches(model_name, with_columns or COLUMNS):
                kept = frame if left is None else frame.head(left)
                left = None if left is None else left - len(kept)
                yield kept if predicate is None else kept.filter(predicate)
                if left == 0:
                    return

        return register_io_source(source, schema=SCHEMA)

    def batches(self, model_name: str, columns: Sequence[str] = COLUMNS) -> Iterator[pl.DataFrame]:
        """The rows of `responses`, one shard at a time: memory stays that of a shard, whatever the run's size."""
        keys: list[pl.DataFrame] = []
        files: list[StoreFile] = []
        journals: dict[StoreFile, pl.DataFrame] = {}
        for file, frame in self.rows(model_name, _KEYS):
            if file.kind == "journal":
                # Held from here on: a run under way may turn it into a part between the two readings.
                journals[file] = frame
            files.append(file)
            keys.append(frame.select(_KEYS).with_columns(pl.lit(file.name).alias("file")).with_row_index("row"))
        losers = losing_rows(pl.concat(keys)) if keys else {}
        del keys
        for file in files:
            held = journals.pop(file, None)
            try:
                frame = self.read(file, model_name, columns) if held is None else held.select(columns)
            except PartError as error:
                self.damaged(file, error)
                continue
            lost = losers.get(file.name)
            if lost is not None:
                numbered = frame.with_row_index("row number in file")
                frame = numbered.join(lost, on="row number in file", how="anti", maintain_order="left").select(columns)
            if len(frame):
                yield frame

    def failures(self, model_name: str) -> pl.DataFrame:
        """Kinds of failure that count, with their number and one message each.

        Returns
        -------
        polars.DataFrame with ``failure_kind, requests, example``, most frequent first
        """
        failed = self.responses(model_name).filter(pl.col("failure_kind").is_not_null())
        groups = failed.group_by("failure_kind").agg(
            pl.len().alias("requests"), pl.col("failure_message").min().alias("example")
        )
        return groups.sort("requests", "failure_kind", descending=[True, False]).collect()

    def read(self, file: StoreFile, model_name: str, columns: Sequence[str] = COLUMNS) -> pl.DataFrame:
        """All rows of one file.

        Raises
        ------
        PartError
            When a part cannot be read.
        FileNotFoundError
            When a journal became a part in the meantime.
        """
        if file.kind == "part":
            return read_part(self.path(file), columns)
        return read_journal(self.path(file), model_name, file.attempt, self.on_problem).select(columns)

    def damaged(self, file: StoreFile, error: PartError) -> None:
        """Handle a part that cannot be read: a reader tells of it and passes it over."""
        self.on_problem(Problem(self.path(file), 0, f"{error} {_REMEDY}"))

    def rows(self, model_name: str, columns: Sequence[str] = COLUMNS) -> Iterator[tuple[StoreFile, pl.DataFrame]]:
        """Rows of every readable file as they were written, file by file.

        Journals come with all columns, and those that become parts meanwhile are found again as parts.
        """
        seen: set[StoreFile] = set()
        for _ in range(_RELISTINGS):
            vanished = False
            for file in self.files(model_name):
                if file in seen:
                    continue
                try:
                    frame = self.read(file, model_name, columns if file.kind == "part" else COLUMNS)
                except FileNotFoundError:
                    vanished = True
                    continue
                except PartError as error:
                    seen.add(file)
                    self.damaged(file, error)
                    continue
                seen.add(file)
                yield file, frame
            if not vanished:
                return
        raise StoreError(f"{self.folder}: journals keep vanishing while they are read; is another program cleaning up?")

    def _model_of(self, file: StoreFile) -> str:
        if file.kind == "journal":
            return journal_model(self.path(file))
        try:
            rows = read_part(self.path(file), ("model",))
        except PartError:
            return ""
        return str(rows.get_column("model")[0]) if len(rows) else ""


_KEYS = ("request_id", "failure_kind", "attempt")
_NO_IDS = pl.Series("request_id", [], dtype=pl.String)
_REMEDY = "It was passed over; move it away and give the same command again: its requests are then asked again."
