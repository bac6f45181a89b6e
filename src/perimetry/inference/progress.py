"""What a user sees while a model is being asked. Called a few times a second at most, whatever the rate."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TextIO

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
    """Plain lines for logs: no more than one each few seconds, and one at the end.

    Parameters
    ----------
    stream : text file, default standard error
    interval : float, default 5
        Seconds between two lines.
    clock : callable, optional
        Seconds that only grow.
    """

    def __init__(
        self, stream: TextIO | None = None, interval: float = 5.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._interval = interval
        self._clock = clock
        self._label, self._total = "", 0
        self._answered, self._failures = 0, 0
        self._began = self._said = clock()

    def start(self, label: str, total: int) -> None:
        """Remember what is being asked."""
        self._label, self._total = label, total
        self._answered, self._failures = 0, 0
        self._began = self._said = self._clock()

    def update(self, answered: int, failures: int) -> None:
        """Write a line if the last one is long enough ago."""
        self._answered, self._failures = answered, failures
        now = self._clock()
        if now - self._said >= self._interval:
            self._said = now
            self._write(self._line(now))

    def message(self, text: str) -> None:
        """Write the text as a line of its own."""
        self._write(text)

    def finish(self) -> None:
        """Write the last line."""
        if self._total:
            self._write(self._line(self._clock()))
        self._total = 0

    def _line(self, now: float) -> str:
        done = self._answered + self._failures
        rate = done / max(now - self._began, 1e-9)
        left = f", {spell_seconds((self._total - done) / rate)} left" if 0 < done < self._total else ""
        failed = f", {self._failures:,} failed" if self._failures else ""
        return f"{self._label}: {done:,} of {self._total:,} asked{failed}, {rate:,.1f}/s{left}"

    def _write(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class RichProgress:
    """A bar with rate, time left and failures, for terminals."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._bar: RichBar | None = None
        self._began = 0.0

    def start(self, label: str, total: int) -> None:
        """Draw an empty bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.finish()
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failed]}", style="red", markup=False),
            console=Console(file=self._stream),
            refresh_per_second=4,
            redirect_stdout=False,
        )
        self._began = monotonic()
        self._bar.add_task(label, total=total, rate="", failed="")
        self._bar.start()

    def update(self, answered: int, failures: int) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        done = answered + failures
        rate = done / max(monotonic() - self._began, 1e-9)
        failed = f"{failures:,} failed" if failures else ""
        self._bar.update(self._bar.task_ids[0], completed=done, rate=f"{rate:,.1f}/s", failed=failed)

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
