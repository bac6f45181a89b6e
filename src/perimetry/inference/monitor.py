"""Between the responses and the rest of the run: counting, telling and stopping, a few times a second."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from perimetry.inference.counts import Counts, Tally
from perimetry.models.request import Response

__all__ = ["Monitor"]

_INTERVAL = 0.1


class Monitor:
    """Counts responses where they arrive. Costs well under a microsecond for most of them.

    Parameters
    ----------
    sink : callable, Counts -> None
        Handed what was counted since last time, about ten times a second and on `flush`.
    should_stop : callable, () -> bool
        Asked as often.
    max_failures : int
        `Settings.max_failures`: a longer streak stops at once, without waiting for the next telling.
    """

    def __init__(self, sink: Callable[[Counts], None], should_stop: Callable[[], bool], max_failures: int) -> None:
        self._sink = sink
        self._should_stop = should_stop
        self._max_failures = max_failures
        self._tally = Tally()
        self._streak = 0
        self._next = perf_counter() + _INTERVAL
        self._stopping = False

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
        if self._should_stop():
            self._stopping = True
        self._next = perf_counter() + _INTERVAL

    def stopping(self) -> bool:
        """Whether to ask nothing more."""
        return self._stopping
