"""What a user sees while a model is being asked. Called a few times a second at most, whatever the rate."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TextIO

from perimetry.inference.meter import Meter

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar

__all__ = ["LineProgress", "Progress", "RichProgress", "SilentProgress", "choose_progress"]


class Progress(Protocol):
    """Told how a run goes on. Implementations write to standard error, never to standard output."""

    def start(self, label: str, total: int) -> None:
        """One model's asking begins, with so many requests to ask."""
        ...

    def update(self, answered: int, failures: int) -> None:
        """So many so far."""
        ...

    def message(self, text: str) -> None:
        """Something the user should know now."""
        ...

    def finish(self) -> None:
        """The asking has ended; also called after an error."""
        ...


class SilentProgress:
    """Says nothing; the library's default."""

    def start(self, label: str, total: int) -> None:
        """Nothing to do."""

    def update(self, answered: int, failures: int) -> None:
        """Nothing to do."""

    def message(self, text: str) -> None:
        """Nothing to do."""

    def finish(self) -> None:
        """Nothing to do."""


class LineProgress:
    """Plain lines for logs: no more than one each few seconds, one at the end, and a sign of life while nothing comes.

    Parameters
    ----------
    stream : text file, default standard error
    interval : float, default 5
        Least seconds between two lines.
    silence : float, default 15
        Seconds without a line after which one says that the run is waiting.
    clock : callable, optional
        Seconds that only grow.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        interval: float = 5.0,
        clock: Callable[[], float] = monotonic,
        silence: float = 15.0,
    ) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._interval, self._silence = interval, silence
        self._clock = clock
        self._label, self._total = "", 0
        self._answered, self._failures = 0, 0
        self._meter = Meter()
        self._said = self._moved = clock()
        self._lock = Lock()
        self._ended = Event()

    def start(self, label: str, total: int) -> None:
        """Remember what is being asked, and begin to watch over the silence."""
        self._ended.set()
        with self._lock:
            self._label, self._total = label, total
            self._answered, self._failures = 0, 0
            self._meter = Meter()
            self._said = self._moved = self._clock()
            self._ended = Event()
        # A thread of its own: a model in this process keeps the main one busy for minutes at a time.
        Thread(target=self._watch, args=(self._ended,), name="progress", daemon=True).start()

    def update(self, answered: int, failures: int) -> None:
        """Write a line if the last one is long enough ago."""
        with self._lock:
            now = self._clock()
            if (answered, failures) != (self._answered, self._failures):
                self._moved = now
            self._answered, self._failures = answered, failures
            self._meter.see(answered + failures, now)
            if now - self._said >= self._interval:
                self._say(now)

    def beat(self) -> None:
        """Write a line if there was none for as long as `silence` says."""
        with self._lock:
            now = self._clock()
            if self._total and now - self._said >= self._silence:
                self._say(now)

    def message(self, text: str) -> None:
        """Write the text as a line of its own."""
        self._write(text)

    def finish(self) -> None:
        """Write the last line."""
        self._ended.set()
        with self._lock:
            if self._total:
                self._write(self._line(self._clock()))
            self._total = 0

    def _watch(self, ended: Event) -> None:
        while not ended.wait(self._silence / 5):
            self.beat()

    def _say(self, now: float) -> None:
        self._said = now
        waited = now - self._moved
        what = "new" if self._answered + self._failures else "yet"
        waiting = f", nothing {what} for {spell_seconds(waited)}" if waited >= self._silence else ""
        self._write(self._line(now) + waiting)

    def _line(self, now: float) -> str:
        done = self._answered + self._failures
        rate = self._meter.rate(now)
        left = f", {spell_seconds((self._total - done) / rate)} left" if rate and done < self._total else ""
        speed = f", {rate:,.1f}/s" if rate else ""
        failed = f", {self._failures:,} failed" if self._failures else ""
        return f"{self._label}: {done:,} of {self._total:,} asked{failed}{speed}{left}"

    def _write(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class RichProgress:
    """A bar with rate, times and failures, for terminals; the time that has passed moves also while nothing comes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._bar: RichBar | None = None
        self._meter = Meter()

    def start(self, label: str, total: int) -> None:
        """Draw an empty bar."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self.finish()
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeElapsedColumn(),
            TextColumn("left", markup=False),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failed]}", style="red", markup=False),
            console=Console(file=self._stream),
            refresh_per_second=4,
            redirect_stdout=False,
        )
        self._meter = Meter()
        self._bar.add_task(label, total=total, rate="", failed="")
        self._bar.start()

    def update(self, answered: int, failures: int) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        done, now = answered + failures, monotonic()
        self._meter.see(done, now)
        rate = self._meter.rate(now)
        failed = f"{failures:,} failed" if failures else ""
        speed = f"{rate:,.1f}/s" if rate else ""
        self._bar.update(self._bar.task_ids[0], completed=done, rate=speed, failed=failed)

    def message(self, text: str) -> None:
        """Print above the bar."""
        if self._bar is None:
            print(text, file=self._stream, flush=True)
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def finish(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def spell_seconds(seconds: float) -> str:
    """Short spelling of a duration.

    Examples
    --------
    >>> spell_seconds(75), spell_seconds(7260)
    ('1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def choose_progress(stream: TextIO | None = None, quiet: bool = False) -> Progress:
    """A bar on a terminal, lines elsewhere, nothing when told to be quiet."""
    target = stream if stream is not None else sys.stderr
    if quiet:
        return SilentProgress()
    return RichProgress(target) if target.isatty() else LineProgress(target)
