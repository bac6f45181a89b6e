"""Worker processes on this machine: each asks whole shards, one after another."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TypeAlias

from perimetry.cases.errors import PerimetryError
from perimetry.inference.counts import Counts
from perimetry.inference.errors import Problem
from perimetry.inference.execution import Execution, Job
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import ShardTask

__all__ = ["run_workers"]

_POLL = 0.2
_START = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Done:
    """A worker has nothing in hand and takes the next shard; `error` ends the run."""

    error: PerimetryError | None = None


Message: TypeAlias = Counts | Problem | Done


@dataclass(slots=True)
class Worker:
    """A process, the pipe to it, and what it has in hand."""

    process: SpawnProcess
    pipe: Connection
    task: ShardTask | None = None


def run_workers(execution: Execution) -> None:
    """Ask with `Settings.workers` processes.

    A worker that dies (killed, out of memory, a crash below Python) is replaced and its shard taken up again from its
    journal.

    Raises
    ------
    UsageError
        When the model or the builder cannot be pickled.
    StoreError
        When the store cannot be written; the other workers are ended.
    """
    settings = execution.settings
    payload = Job(execution.model, execution.build, execution.store.folder, settings).pickled()
    waiting: list[ShardTask] = []
    workers: list[Worker] = []

    def feed(worker: Worker) -> None:
        if execution.should_stop():
            worker.task = None
        else:
            worker.task = waiting.pop() if waiting else next(execution.tasks, None)
        _send(worker, worker.task)

    def bury(worker: Worker) -> None:
        workers.remove(worker)
        worker.process.join()
        if worker.task is None:
            return
        again = execution.worker_died(worker.task, f"exit code {worker.process.exitcode}")
        if again is not None:
            waiting.append(again)
        if not execution.should_stop():
            workers.append(_launch(payload))

    try:
        workers.extend(_launch(payload) for _ in range(settings.workers))
        told = False
        while workers:
            ready = wait([worker.pipe for worker in workers], timeout=_POLL)
            if not told and execution.should_stop():
                told = True
                for worker in workers:
                    _send(worker, None)
            for worker in [worker for worker in workers if worker.pipe in ready]:
                try:
                    message: Message = worker.pipe.recv()
                except (EOFError, OSError):
                    bury(worker)
                    continue
                if isinstance(message, Counts):
                    execution.report(message)
                elif isinstance(message, Problem):
                    execution.store.on_problem(message)
                elif message.error is not None:
                    raise message.error
                else:
                    worker.task = None
                    feed(worker)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


def _launch(payload: bytes) -> Worker:
    here, there = _START.Pipe()
    process = _START.Process(target=_work, args=(payload, there, os.getpid()), daemon=True)
    process.start()
    there.close()
    return Worker(process, here)


def _send(worker: Worker, task: ShardTask | None) -> None:
    try:
        worker.pipe.send(task)
    except OSError:  # it has just ended; its pipe's end tells so in a moment
        return


def _work(payload: bytes, pipe: Connection, parent: int) -> None:
    """Main function of a worker process."""
    # Ctrl-C reaches the whole process group; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job: Job = pickle.loads(payload)  # noqa: S301  made by the parent a moment ago
    orphaned = _orphan_check(parent)

    def should_stop() -> bool:
        # While a shard is under way the only thing that can arrive is the word to stop.
        return pipe.poll() or orphaned()

    try:
        pipe.send(Done())
        while True:
            task: ShardTask | None = pipe.recv()
            if task is None:
                break
            monitor = Monitor(pipe.send, should_stop, job.settings.max_failures)
            job.run(iter([task]), monitor, pipe.send)
            pipe.send(Done())
    except PerimetryError as error:
        pipe.send(Done(error))
    except (EOFError, BrokenPipeError):
        return
    finally:
        job.model.close()


def _orphan_check(parent: int) -> Callable[[], bool]:
    return lambda: os.getppid() != parent
