"""What every engine is given, and what it tells back."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from perimetry.cases.errors import UsageError
from perimetry.inference.counts import Counts
from perimetry.inference.drive import drive
from perimetry.inference.errors import Problem
from perimetry.inference.monitor import Monitor
from perimetry.inference.plan import RequestPlan
from perimetry.inference.settings import Settings
from perimetry.inference.shard import ShardTask
from perimetry.inference.store import RequestStore
from perimetry.models.model import EndpointModel, Model
from perimetry.models.request import Request

__all__ = ["Execution", "Job", "shard_tasks"]


# Seconds: what a machine that dies may take along of the journals it wrote to a folder that others share.
_SHARED_FOLDER_SYNC = 1.0


@dataclass(frozen=True, slots=True)
class Execution:
    """One model's asking, as engines see it.

    Parameters
    ----------
    model : Model
    build : callable, int -> Request
    tasks : iterator of ShardTask
        Made as they are drawn: the whole plan is never spelt out.
    store : RequestStore
    settings : Settings
    report : callable, Counts -> None
        To be told of responses, some times a second.
    should_stop : callable, () -> int
        True once Ctrl-C came or the run is only failing.
    worker_died : callable, (ShardTask, str) -> ShardTask or None
        To be told of a shard whose worker died, and why; gives the task to be taken up instead, or None when the
        shard is to be left.
    """

    model: Model
    build: Callable[[int], Request]
    tasks: Iterator[ShardTask]
    store: RequestStore
    settings: Settings
    report: Callable[[Counts], None]
    should_stop: Callable[[], int]
    worker_died: Callable[[ShardTask, str], ShardTask | None]

    def run_here(self) -> None:
        """Ask in this process."""
        monitor = Monitor(self.report, self.should_stop, self.settings.max_failures)
        Job(self.model, self.build, self.store.folder, self.settings).run(self.tasks, monitor, self.store.on_problem)


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker keeps between its shards: the model (with its weights) and how to build requests."""

    model: Model
    build: Callable[[int], Request]
    folder: Path
    settings: Settings

    def run(self, tasks: Iterator[ShardTask], monitor: Monitor, on_problem: Callable[[Problem], None]) -> None:
        """Ask some shards."""
        in_flight = self.settings.in_flight(self.model.concurrency) if isinstance(self.model, EndpointModel) else 1
        sync = _SHARED_FOLDER_SYNC if self.settings.engine == "ray" else None
        store = RequestStore(self.folder, on_problem, sync)
        drive(self.model, self.build, tasks, store, monitor, in_flight, self.settings.grace)

    def pickled(self) -> bytes:
        """The job as another process takes it.

        Raises
        ------
        UsageError
            When the model or the builder cannot be pickled.
        """
        try:
            return pickle.dumps(self, protocol=5)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"{self.model.name} cannot be handed to worker processes ({error}). Use one worker and the local "
                "engine, or make the model and the plan's builder picklable (no lambdas, no open connections)."
            ) from error


def shard_tasks(plan: RequestPlan, missing: pl.Series, attempt: int, size: int) -> Iterator[ShardTask]:
    """Tasks over what is missing of a plan, in the plan's order.

    Parameters
    ----------
    plan : RequestPlan
    missing : polars.Series of UInt32
        Positions, ascending.
    attempt : int
    size : int
        Requests of a task.
    """
    for shard, start in enumerate(range(0, len(missing), size)):
        positions = missing.slice(start, size)
        yield ShardTask(shard, attempt, positions.to_list(), plan.ids.gather(positions).to_list())
