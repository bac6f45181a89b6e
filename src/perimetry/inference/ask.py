"""Ask a model everything of a plan that the store does not hold yet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import perf_counter

import polars as pl

from perimetry.inference.budget import Budget
from perimetry.inference.counts import Counts, Tally
from perimetry.inference.errors import Problem
from perimetry.inference.execution import Execution, shard_tasks
from perimetry.inference.files import next_attempt
from perimetry.inference.interrupt import graceful_interrupt
from perimetry.inference.lock import RunLock
from perimetry.inference.monitor import Stop
from perimetry.inference.plan import RequestPlan
from perimetry.inference.progress import Progress, SilentProgress
from perimetry.inference.repair import WriterStore, tidy
from perimetry.inference.settings import Settings
from perimetry.inference.shard import ShardTask
from perimetry.inference.store import RequestStore
from perimetry.inference.summary import Stopped, Summary
from perimetry.inference.workers import run_workers
from perimetry.models.model import Model

__all__ = ["ask"]

# A shard that takes its worker down that often is left for a later run: the rest goes on.
_MOST_DEATHS = 3
_RESUME = "Give the same command again to go on from here."


def ask(
    model: Model,
    plan: RequestPlan,
    store: RequestStore,
    settings: Settings | None = None,
    progress: Progress | None = None,
    budget: Budget | None = None,
) -> Summary:
    """Ask a model everything of a plan that the store does not hold yet.

    Every response is in the kernel's hands before the next one is looked at; killing the process at any instant loses
    none that had arrived, and a further call asks nothing again but what was in flight or had failed for a reason that
    may pass. Responses do not depend on order, shards, workers or engine beyond what the model itself makes of them.

    Parameters
    ----------
    model : Model
        Answers under its `name`; stays open (the caller closes it).
    plan : RequestPlan
    store : RequestStore
    settings : Settings, optional
    progress : Progress, optional
        Silent by default.
    budget : Budget, optional
        Shared by all calls of an invocation; by default one of this call alone, of `Settings.max_requests`.

    Returns
    -------
    Summary

    Raises
    ------
    StoreError
        The store cannot be written (disk full, no permission). Nothing stored before is lost.
    UsageError
        Another process writes to this store, or the model cannot be handed to worker processes.

    Examples
    --------
    >>> import tempfile, polars as pl
    >>> from pathlib import Path
    >>> from perimetry.models.model import BatchModel
    >>> from perimetry.models.request import Prompt, Request, Response
    >>> class Yes(BatchModel):
    ...     name = "yes"
    ...     def answer(self, requests):
    ...         return (Response(request.id, "yes") for request in requests)
    >>> plan = RequestPlan.of([Request("7f", "case", "set", "real", 0, 0, Prompt(()))])
    >>> ask(Yes(), plan, RequestStore(Path(tempfile.mkdtemp()))).answered
    1
    """
    settings = settings or Settings()
    progress = progress or SilentProgress()
    budget = budget or Budget(settings.max_requests)
    with RunLock(store.folder):
        return _Asking(model, plan, store, settings, progress).run(budget)


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Failures in a row when the run was stopped, what had been asked by then, and what the latest said."""

    streak: int
    asked: int
    example: str


class _Asking:
    """State of one call of `ask`."""

    def __init__(
        self, model: Model, plan: RequestPlan, store: RequestStore, settings: Settings, progress: Progress
    ) -> None:
        self.model, self.plan, self.settings, self.progress = model, plan, settings, progress
        self.store = WriterStore(store.folder, self.note)
        self.tell = store.on_problem
        self.problems: dict[Problem, None] = {}
        self.tally = Tally()
        self.deaths: Counter[int] = Counter()
        self.lost: list[str] = []
        self.attempt = 0
        self.interrupted = False
        self.hurried = False
        self.gave_up: GaveUp | None = None

    def run(self, budget: Budget) -> Summary:
        began = perf_counter()
        name = self.model.name
        tidy(self.store, name)
        missing = self.store.missing(name, self.plan.ids)
        granted = missing.head(budget.take(len(missing)))
        if len(granted):
            self.progress.start(name, len(granted))
            try:
                with graceful_interrupt(self.interrupt, self.hurry):
                    self.execute(granted)
            except KeyboardInterrupt:
                self.interrupted = True
            finally:
                self.progress.update(self.tally.answered, self.tally.failed.total())
                self.progress.finish()
            if self.deaths:
                self.recount()
        stopped, message = self.ending(len(granted) < len(missing), len(granted))
        return Summary(
            name,
            len(self.plan),
            len(self.plan) - len(missing),
            self.tally.answered,
            tuple(sorted(self.tally.failed.items())),
            stopped,
            message,
            perf_counter() - began,
            tuple(self.problems),
            tuple(sorted(self.tally.examples.items())),
        )

    def execute(self, granted: pl.Series) -> None:
        settings = self.settings
        size = settings.shard_size
        if settings.workers > 1 or settings.engine == "ray":
            size = min(size, max(1, -(-len(granted) // (4 * settings.workers))))
        self.attempt = next_attempt(self.store.files(self.model.name))
        tasks = shard_tasks(self.plan, granted, self.attempt, size)
        execution = Execution(
            self.model, self.plan.build, tasks, self.store, settings, self.report, self.should_stop, self.worker_died
        )
        if settings.engine == "ray":
            from perimetry.inference.ray_engine import run_ray

            run_ray(execution)
        elif settings.workers > 1:
            run_workers(execution)
        else:
            execution.run_here()

    def report(self, counts: Counts) -> None:
        self.tally.merge(counts)
        if self.gave_up is None and 0 < self.settings.max_failures <= self.tally.streak:
            # Held: an answer among those in flight does not take back that the run was stopped.
            self.gave_up = GaveUp(self.tally.streak, self.tally.total, self.tally.example)
        self.progress.update(self.tally.answered, self.tally.failed.total())

    def should_stop(self) -> Stop:
        if self.hurried:
            return Stop.AT_ONCE
        return Stop.FINISH if self.interrupted or self.gave_up is not None else Stop.NO

    def hurry(self) -> None:
        self.hurried = True

    def interrupt(self) -> None:
        self.interrupted = True
        self.progress.message("Stopping: what is in flight is finished and stored. Ctrl-C once more stops at once.")

    def worker_died(self, task: ShardTask, reason: str) -> ShardTask | None:
        self.deaths[task.shard] += 1
        if self.deaths[task.shard] < _MOST_DEATHS:
            return task.again()
        self.lost.append(f"shard {task.shard} ({reason})")
        return None

    def recount(self) -> None:
        """Count from the store: what a dead worker had written but not told of would be missed otherwise."""
        self.tally = Tally()
        for rows in self.store.batches(self.model.name, ("failure_kind", "failure_message", "attempt")):
            new = rows.filter(pl.col("attempt") >= self.attempt)
            kinds = new.get_column("failure_kind")
            self.tally.answered += kinds.null_count()
            self.tally.failed.update(kinds.drop_nulls())
            self.tally.examples.update(new.drop_nulls("failure_kind").select("failure_kind", "failure_message").rows())

    def note(self, problem: Problem) -> None:
        if problem not in self.problems:
            self.problems[problem] = None
            self.tell(problem)

    def ending(self, bounded: bool, granted: int) -> tuple[Stopped, str]:
        asked = self.tally.total
        if self.gave_up is not None:
            late = asked - self.gave_up.asked
            finished = f" ({late:,} more that were in flight were let finish)" if late > 0 else ""
            return "failures", (
                f"Stopped: {self.gave_up.streak:,} requests failed in a row{finished}. "
                f"The latest said: {self.gave_up.example} "
                f"Mend the cause, then give the same command again; --max-failures sets the bound."
            )
        if self.interrupted and asked < granted:
            return "interrupted", f"Interrupted after {asked:,} of {granted:,} requests, all of them stored. {_RESUME}"
        if self.lost:
            return "workers", f"Workers kept dying on {', '.join(self.lost)}; the rest was asked. {_RESUME}"
        if bounded:
            return "budget", f"Stopped after {asked:,} requests as --max-requests says. {_RESUME}"
        return "", ""
