"""What a writer puts in order before it asks: leftovers of a killed run, and files that cannot be read."""

from __future__ import annotations

from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.files import StoreFile
from perimetry.inference.journal import write_error
from perimetry.inference.part import PartError
from perimetry.inference.shard import finish_shard
from perimetry.inference.store import RequestStore

__all__ = ["WriterStore", "quarantine", "tidy"]


class WriterStore(RequestStore):
    """A store as its one writer sees it: parts that cannot be read are set aside, so that their requests are asked."""

    def damaged(self, file: StoreFile, error: PartError) -> None:
        """Rename an unreadable part, and tell."""
        path = self.path(file)
        aside = path.with_name(f"{path.name}.damaged")
        try:
            path.replace(aside)
        except OSError as failed:
            raise StoreError(f"{path}: {error} It cannot be set aside either ({failed.strerror}).") from failed
        told = f"{error} Set aside as {aside.name}; its requests are asked again unless you restore it from a copy."
        self.on_problem(Problem(path, 0, told))


def tidy(store: WriterStore, model_name: str) -> None:
    """Put a model's files in order; the caller holds the lock.

    Journals that a part has superseded are removed (the process was killed between the two steps), other journals
    become parts, and half-written temporary files are removed.
    """
    try:
        for leftover in store.folder.glob(".part-*.tmp"):
            leftover.unlink(missing_ok=True)
        files = store.files(model_name)
        journals = [file for file in files if file.kind == "journal"]
        for shard in sorted({file.shard for file in journals}):
            merged = _merged_attempt(store, model_name, [file for file in files if file.shard == shard])
            for file in journals:
                if file.shard == shard and file.attempt <= merged:
                    store.path(file).unlink(missing_ok=True)
    except OSError as error:
        raise write_error(store.folder, error) from error
    for shard in sorted({file.shard for file in journals}):
        finish_shard(store, model_name, shard, max(file.attempt for file in journals if file.shard == shard))


def _merged_attempt(store: WriterStore, model_name: str, files: list[StoreFile]) -> int:
    """Latest attempt whose rows stand in a part that can be read whole; 0 if none."""
    merged = 0
    for file in files:
        if file.kind == "part":
            try:
                store.read(file, model_name)
            except PartError as error:
                store.damaged(file, error)
            else:
                merged = max(merged, file.attempt)
    return merged


def quarantine(store: RequestStore, model_name: str) -> list[Problem]:
    """Set parts aside of which any column cannot be read, so that the next run asks their requests again.

    Each run does this by itself for the columns that tell which requests are answered; this reads the others too. The
    caller holds the lock of the store's folder.

    Returns
    -------
    list of Problem
        One a file.
    """
    problems: list[Problem] = []
    for _ in WriterStore(store.folder, problems.append).rows(model_name):
        continue
    return problems
