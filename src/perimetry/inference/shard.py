"""One shard: from its task, over its journal, to its Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from perimetry.inference.errors import Problem
from perimetry.inference.files import StoreFile, list_files, model_slug
from perimetry.inference.journal import Journal, write_error
from perimetry.inference.line import accept
from perimetry.inference.part import PartError, is_final, write_part
from perimetry.inference.store import RequestStore
from perimetry.models.request import Response

__all__ = ["Shard", "ShardTask", "finish_shard", "open_shard"]


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What a worker is given: the missing requests of a contiguous range of the plan.

    Parameters
    ----------
    shard : int
    attempt : int
    positions : sequence of int
        In the plan.
    ids : sequence of str
        Of the same length.
    retried : bool
        Whether an earlier attempt of this invocation may have journalled some of them.
    """

    shard: int
    attempt: int
    positions: Sequence[int]
    ids: Sequence[str]
    retried: bool = False

    def again(self) -> ShardTask:
        """The same task after its worker died."""
        return ShardTask(self.shard, self.attempt + 1, self.positions, self.ids, retried=True)


class Shard:
    """A shard that is being asked. Made by `open_shard`."""

    def __init__(self, store: RequestStore, model_name: str, file: StoreFile, todo: list[tuple[int, str]]) -> None:
        self._store = store
        self._model_name = model_name
        self._file = file
        self.todo = todo
        self.left = len(todo)
        self._journal = Journal(store.path(file), model_name, store.sync_every)

    def write(self, response: Response, request_id: str) -> Response:
        """Journal one response; returns it as it was stored."""
        stored = accept(response, request_id)
        self._journal.append(stored)
        self.left -= 1
        return stored

    def close(self) -> None:
        """Leave the journal as it is: a later run goes on from it."""
        self._journal.close()

    def finish(self) -> None:
        """Turn the shard's journals into a part."""
        self._journal.close()
        finish_shard(self._store, self._model_name, self._file.shard, self._file.attempt)


def open_shard(store: RequestStore, model_name: str, task: ShardTask) -> Shard:
    """Claim a journal for a task; a retry leaves out what earlier attempts have stored."""
    attempt = task.attempt
    todo = list(zip(task.positions, task.ids, strict=True))
    if task.retried:
        done, latest = _stored(store, model_name, task.shard)
        attempt = max(attempt, latest + 1)
        todo = [(position, request_id) for position, request_id in todo if request_id not in done]
    while True:
        try:
            return Shard(store, model_name, StoreFile("journal", model_slug(model_name), task.shard, attempt), todo)
        except FileExistsError:
            attempt += 1


def finish_shard(store: RequestStore, model_name: str, shard: int, attempt: int) -> None:
    """Merge a shard's journals up to an attempt into one part, then remove them.

    A process that ends between the two steps leaves journals whose rows stand in the part as well: they count once,
    and the next run removes them. Journals of later attempts are another worker's and are left alone. A journal with
    damaged lines is set aside, not removed.

    Raises
    ------
    StoreError
        When the part cannot be written; the journals stay.
    """
    damaged: set[str] = set()

    def note(problem: Problem) -> None:
        damaged.add(problem.path.name)
        store.on_problem(problem)

    reader = RequestStore(store.folder, note)
    frames, merged = [], []
    for file in _files_of(store, model_name, shard):
        if file.kind != "journal" or file.attempt > attempt:
            continue
        try:
            frames.append(reader.read(file, model_name))
        except FileNotFoundError:
            continue
        merged.append(file)
    if not merged:
        return
    rows = pl.concat(frames)
    part = StoreFile("part", merged[-1].slug, shard, merged[-1].attempt)
    try:
        if len(rows):
            write_part(rows, store.path(part))
        for file in merged:
            path = store.path(file)
            if file.name in damaged:
                path.replace(path.with_name(f"{path.name}.damaged"))
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(store.path(part), error) from error


def _files_of(store: RequestStore, model_name: str, shard: int) -> list[StoreFile]:
    return [file for file in list_files(store.folder, model_slug(model_name)) if file.shard == shard]


def _stored(store: RequestStore, model_name: str, shard: int) -> tuple[set[str], int]:
    """Ids that a shard's files hold a final row of, and the latest attempt among them."""
    done: set[str] = set()
    latest = 0
    files = _files_of(store, model_name, shard)
    while files:
        file = files.pop(0)
        latest = max(latest, file.attempt)
        try:
            rows = store.read(file, model_name, ("request_id", "failure_kind"))
        except FileNotFoundError:  # finished by a worker that was thought dead: its part is there now
            files = _files_of(store, model_name, shard)
            continue
        except PartError as error:
            store.on_problem(Problem(store.path(file), 0, str(error)))
            continue
        done.update(rows.filter(is_final()).get_column("request_id"))
    return done, latest
