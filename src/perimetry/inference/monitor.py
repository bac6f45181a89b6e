"""Between the responses and the rest of the run: counting, telling and stopping, a few times a second."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from time import perf_counter

from perimetry.inference.counts import Counts, Tally
from perimetry.models.request import Response

__all__ = ["Monitor", "Stop"]

_INTERVAL = 0.1


class Stop(IntEnum):
    """Whether to go on asking: yes; no, but finish what is in flight; no, and leave that too."""

    NO = 0
    FINISH = 1
    AT_ONCE = 2


class Monitor:
    """Counts responses where they arrive. Costs well under a microsecond for most of them.

    Parameters
    ----------
    sink : callable, Counts -> None
        Handed what was counted since last time, about ten times a second and on `flush`.
    should_stop : callable, () -> int
        Asked as often; see `Stop` (False and True are its first two).
    max_failures : int
        `Settings.max_failures`: a longer streak stops at once, without waiting for the next telling.
    """

    def __init__(self, sink: Callable[[Counts], None], should_stop: Callable[[], int], max_failures: int) -> None:
        self._sink = sink
        self._should_stop = should_stop
        self._max_failures = max_failures
        self._tally = Tally()
        self._streak = 0
        self._next = perf_counter() + _INTERVAL
        self._stopping = False
        self._hurried = False

    def record(self, response: Response) -> None:
        """Count one response that has been journalled."""
        self._tally.add(response)
        if response.failure is None:
            self._streak = 0
        elif self._max_failures and self._streak + self._tally.streak >= self._max_failures:
            self._stopping = True
            self.flush()
        if perf_counter() >= self._next:
            self.flush()

    def flush(self) -> None:
        """Tell what was counted, and look whether to stop."""
        counts = self._tally.drain()
        self._streak = counts.streak if counts.answered else self._streak + counts.streak
        if counts.total:
            self._sink(counts)
        wish = self._should_stop()
        if wish:
            self._stopping = True
        self._hurried = self._hurried or wish >= Stop.AT_ONCE
        self._next = perf_counter() + _INTERVAL

    def stopping(self) -> bool:
        """Whether to ask nothing more."""
        return self._stopping

    def hurried(self) -> bool:
        """Whether not even to wait for what is in flight."""
        return self._hurried
