"""What a writer puts in order before it asks: leftovers of a killed run, and files that cannot be read."""

from __future__ import annotations

from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.journal import write_error
from perimetry.inference.part import COLUMNS, PartError, read_part
from perimetry.inference.shard import finish_shard
from perimetry.inference.store import RequestStore

__all__ = ["quarantine", "tidy"]


def tidy(store: RequestStore, model_name: str) -> None:
    """Put a model's files in order; the caller holds the lock.

    Journals that a part has superseded are removed (the process was killed between the two steps), other journals
    become parts, half-written temporary files are removed, and parts whose keys cannot be read are set aside.
    """
    quarantine(store, model_name, whole=False)  # first: a damaged part has superseded nothing
    files = store.files(model_name)
    parts: dict[int, int] = {}
    for file in files:
        if file.kind == "part":
            parts[file.shard] = max(parts.get(file.shard, 0), file.attempt)
    latest: dict[int, int] = {}
    try:
        for file in files:
            if file.kind == "journal":
                if file.attempt <= parts.get(file.shard, 0):
                    store.path(file).unlink(missing_ok=True)
                else:
                    latest[file.shard] = max(latest.get(file.shard, 0), file.attempt)
        for leftover in store.folder.glob(".part-*.tmp"):
            leftover.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(store.folder, error) from error
    for shard, attempt in latest.items():
        finish_shard(store, model_name, shard, attempt)


def quarantine(store: RequestStore, model_name: str, whole: bool = True) -> list[Problem]:
    """Set unreadable parts aside under the ending ``.damaged``, so that their requests are asked again.

    Parameters
    ----------
    store : RequestStore
    model_name : str
    whole : bool, default True
        Read every column; False reads only what tells which requests are answered, as each run does.

    Returns
    -------
    list of Problem
        One a file.
    """
    problems = []
    columns = COLUMNS if whole else ("request_id", "failure_kind", "attempt")
    for file in store.files(model_name):
        if file.kind != "part":
            continue
        path = store.path(file)
        try:
            read_part(path, columns)
        except PartError as error:
            aside = path.with_name(f"{path.name}.damaged")
            try:
                path.replace(aside)
            except OSError as failed:
                raise StoreError(f"{path}: {error} It cannot be set aside either ({failed.strerror}).") from failed
            problem = Problem(
                path,
                0,
                f"{error} Set aside as {aside.name}; its requests are asked again. Restore it from a copy if "
                "there is one, else delete it.",
            )
            store.on_problem(problem)
            problems.append(problem)
    return problems
