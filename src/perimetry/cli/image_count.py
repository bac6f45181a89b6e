"""How far a long look at images (or at whatever is counted) is, on standard error."""

from __future__ import annotations

import time

import typer

__all__ = ["ImageCount"]

EVERY = 5.0
"""Seconds between two lines; work that ends sooner says nothing."""


class ImageCount:
    """Called with how many of how many images are done; prints a line now and then: rate and time left.

    Parameters
    ----------
    what, done : str
        The words for what is counted and for what was done with it.
    """

    def __init__(self, what: str = "images", done: str = "looked at") -> None:
        self._what, self._done = what, done
        self._start = self._last = time.monotonic()
        self._before = 0

    def __call__(self, done: int, total: int) -> None:
        """Print if it is time."""
        now = time.monotonic()
        if done <= self._before:  # the next data set
            self._start, self._last = now, now
        self._before = done
        if now - self._last < EVERY:
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        left = (total - done) / rate
        typer.echo(f"{self._what}: {done:,} of {total:,} {self._done}, {rate:.1f}/s, {left:,.0f} s left", err=True)
