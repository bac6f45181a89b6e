"""The Ray engine: the same shards in actors, over a run folder that all nodes share."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any

from perimetry.cases.errors import PerimetryError, UsageError
from perimetry.inference.counts import Counts, Tally
from perimetry.inference.errors import Problem
from perimetry.inference.execution import Execution, Job
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import ShardTask

__all__ = ["run_ray"]

_POLL = 0.2
_MOST_STILLBORN = 3


@dataclass(slots=True)
class ShardReport:
    """What an actor tells after a shard."""

    counts: Counts = field(default_factory=Counts)
    problems: list[Problem] = field(default_factory=list)
    error: PerimetryError | None = None


class ShardActor:
    """Runs in a Ray actor: holds the model, so that its weights are loaded once, and asks shard after shard."""

    def __init__(self, payload: bytes) -> None:
        self._job: Job = pickle.loads(payload)  # noqa: S301  made by the driver a moment ago

    def ready(self) -> bool:
        """Whether the actor has been placed."""
        return True

    def run(self, task: ShardTask) -> ShardReport:
        """Ask one shard; everything it heard stands in the shared folder before this returns."""
        tally, report = Tally(), ShardReport()
        monitor = Monitor(tally.merge, _never, self._job.settings.max_failures)
        try:
            self._job.run(iter([task]), monitor, report.problems.append)
        except PerimetryError as error:
            report.error = error
        report.counts = tally.counts()
        return report


def _never() -> bool:
    return False


def run_ray(execution: Execution) -> None:
    """Ask with `Settings.workers` actors.

    The run folder must be the same folder on every node. When a node dies, its shards are taken up again elsewhere:
    the retry reads what earlier attempts have journalled and asks the rest. Ctrl-C ends the actors at once; what they
    had heard stands in the journals. An endpoint's window is shared out among the actors in equal parts.

    Raises
    ------
    UsageError
        When Ray is not installed or the cluster cannot be reached.
    StoreError
        When the store cannot be written.
    """
    try:
        import ray
        from ray.exceptions import RayError
    except ImportError as error:
        raise UsageError('The Ray engine needs Ray. Install the extra: pip install "perimetry[ray]".') from error
    settings = execution.settings
    # By absolute path: actors start in a folder of their own.
    folder = execution.store.folder.resolve()
    payload = Job(execution.model, execution.build, folder, settings).pickled()
    own = not ray.is_initialized()
    if own:
        try:
            ray.init(address=settings.ray_address or None, log_to_driver=False, include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = settings.ray_address or "this machine"
            raise UsageError(f"No Ray cluster could be reached or started at {where} ({error}).") from error
    try:
        _Fleet(ray, RayError, execution, payload).run()
    finally:
        if own:
            ray.shutdown()


class _Fleet:
    """The actors of one asking, and what each has in hand."""

    def __init__(self, ray: Any, ray_error: type[Exception], execution: Execution, payload: bytes) -> None:
        self.ray, self.ray_error, self.execution = ray, ray_error, execution
        self.payload = ray.put(payload)
        self.kind = ray.remote(num_cpus=1, num_gpus=execution.settings.gpus_per_worker, max_restarts=0)(ShardActor)
        self.waiting: list[ShardTask] = []
        self.stillborn = 0
        self.hands: dict[Any, tuple[Any, ShardTask | None]] = {}

    def run(self) -> None:
        try:
            for _ in range(self.execution.settings.workers):
                self.launch()
            while self.hands and not self.execution.should_stop():
                ready, _ = self.ray.wait(list(self.hands), num_returns=1, timeout=_POLL)
                for reference in ready:
                    self.take(reference)
                if not self.waiting and all(task is None for _, task in self.hands.values()):
                    # Only actors that wait for a place are left, as after the death of a node: is there work for them?
                    task = next(self.execution.tasks, None)
                    if task is None:
                        return
                    self.waiting.append(task)
        finally:
            for actor, _ in self.hands.values():
                self.ray.kill(actor)

    def launch(self) -> None:
        actor = self.kind.remote(self.payload)
        self.hands[actor.ready.remote()] = (actor, None)

    def take(self, reference: Any) -> None:
        """Handle what an actor has told, and give it the next shard."""
        actor, task = self.hands.pop(reference)
        try:
            told = self.ray.get(reference)
        except self.ray_error as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            self.ray.kill(actor)
            if task is None:
                self.stillborn += 1
                if self.stillborn >= _MOST_STILLBORN:
                    raise UsageError(f"Ray actors cannot be started: {reason}") from error
            else:
                again = self.execution.worker_died(task, reason)
                if again is not None:
                    self.waiting.append(again)
            self.launch()
            return
        self.stillborn = 0
        if isinstance(told, ShardReport):
            self.execution.report(told.counts)
            for problem in told.problems:
                self.execution.store.on_problem(problem)
            if told.error is not None:
                raise told.error
        following = self.waiting.pop() if self.waiting else next(self.execution.tasks, None)
        if following is None:
            self.ray.kill(actor)
        else:
            self.hands[actor.run.remote(following)] = (actor, following)
