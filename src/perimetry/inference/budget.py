"""How many requests one invocation may ask, over all its models and stages."""

from __future__ import annotations

__all__ = ["Budget"]


class Budget:
    """A purse that every `ask` of an invocation draws from (``--max-requests``).

    Parameters
    ----------
    limit : int or None
        Requests that may be asked; None is no bound.

    Examples
    --------
    >>> budget = Budget(10)
    >>> budget.take(7), budget.take(7), budget.left
    (7, 3, 0)
    """

    def __init__(self, limit: int | None) -> None:
        self._left = limit
        self._closed = False

    @property
    def left(self) -> int | None:
        """Requests that may still be asked; None is no bound."""
        return self._left

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Grant nothing from now on: what was asked last was only failing.

        Examples
        --------
        >>> budget = Budget(None)
        >>> budget.close()
        >>> budget.take(7), budget.closed
        (0, True)
        """
        self._left, self._closed = 0, True

    def take(self, wanted: int) -> int:
        """Draw up to `wanted` requests; returns how many were granted."""
        if self._left is None:
            return wanted
        granted = min(wanted, self._left)
        self._left -= granted
        return granted
