"""Keeps requests under a rate."""

from __future__ import annotations

import asyncio
import time

__all__ = ["Pace"]


class Pace:
    """Spaces the starts of requests evenly, at most so many a minute.

    Even spacing rather than bursts: a provider that counts by the second is not overrun either.

    Parameters
    ----------
    per_minute : float or None
        None for no limit.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    async def wait(self) -> None:
        """Wait for this request's turn."""
        if not self._interval:
            return
        now = time.monotonic()
        turn = max(now, self._next)
        self._next = turn + self._interval
        if turn > now:
            await asyncio.sleep(turn - now)
