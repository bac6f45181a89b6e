"""What was found last for the very same objects: a plan asks for one study under one condition after another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Recent"]

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """Values by a name and by the identity of the immutable objects that they follow from.

    Hashing a study, or the box sizes of a data set, would cost more than what is saved; the objects are held, so that
    an identity cannot pass to another object.

    Parameters
    ----------
    kept : int, default 256
        Values that are kept; what was asked for longest ago goes.

    Examples
    --------
    >>> recent = Recent[int]()
    >>> owner = ("study",)
    >>> recent.get((owner,), "name", lambda: 1), recent.get((owner,), "name", lambda: 2)
    (1, 1)
    """

    def __init__(self, kept: int = 256) -> None:
        self._kept = kept
        self._known: OrderedDict[tuple[object, ...], tuple[tuple[object, ...], Value]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, owners: tuple[object, ...], name: str, make: Callable[[], Value]) -> Value:
        """The value, made where it is not known; what `make` raises is kept by nobody."""
        key = (name, *map(id, owners))
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known[1]
        value = make()
        with self._lock:
            self._known[key] = (owners, value)
            while len(self._known) > self._kept:
                self._known.popitem(last=False)
        return value
