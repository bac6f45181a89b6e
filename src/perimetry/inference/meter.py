"""How fast answers come in, from the first one on."""

from __future__ import annotations

__all__ = ["Meter"]

FEWEST = 10


class Meter:
    """A rate whose clock starts at the first responses: loading weights or fitting says nothing of what is to come.

    Examples
    --------
    >>> meter = Meter()
    >>> for done, now in ((0, 0.0), (1, 600.0), (21, 610.0)):
    ...     meter.see(done, now)
    >>> meter.rate(610.0)
    2.0
    """

    def __init__(self) -> None:
        self._first: tuple[int, float] | None = None
        self._done = 0

    def see(self, done: int, now: float) -> None:
        """Take note of how many responses there are, at a time in seconds."""
        self._done = done
        if self._first is None and done:
            self._first = done, now

    def rate(self, now: float) -> float | None:
        """Responses a second since the first ones; None as long as a guess from so few would mislead."""
        if self._first is None:
            return None
        done, began = self._first
        return (self._done - done) / (now - began) if self._done - done >= FEWEST and now > began else None
