"""Fields that were drawn last: all conditions of a study are rendered one after another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["KeptFields"]

KEPT_BYTES = 64_000_000
"""Twelve fields of 1,024 x 1,024 with the pixels they were made of, or four of 2,000 x 1,500."""


class KeptFields:
    """Fixed-point fields by key and by the very pixels they were made of; what was asked for longest ago goes.

    Nothing depends on it but time: a field is given only where the pixels are equal, byte for byte.

    Parameters
    ----------
    kept_bytes : int
        Bytes that are kept; a field that is larger is made anew each time.
    """

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._held = 0
        self._known: OrderedDict[Hashable, tuple[Pixels, NDArray[np.int32]]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._known)

    @property
    def held_bytes(self) -> int:
        """Bytes that are kept now."""
        return self._held

    def get(self, key: Hashable, pixels: Pixels, make: Callable[[], NDArray[np.int32]]) -> NDArray[np.int32]:
        """The field of a key made of these pixels; `make` is called where it is not known. Read-only."""
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
        if known is not None and (known[0] is pixels or np.array_equal(known[0], pixels)):
            return known[1]
        field = make()
        field.flags.writeable = False
        # Pixels that somebody could write to later are no witness; a copy is.
        witness = pixels if not pixels.flags.writeable else pixels.copy()
        size = field.nbytes + witness.nbytes
        if size <= self._kept_bytes:
            with self._lock:
                self._let_go(key)
                self._known[key] = (witness, field)
                self._held += size
                while self._held > self._kept_bytes:
                    self._let_go(next(iter(self._known)))
        return field

    def _let_go(self, key: Hashable) -> None:
        if key in self._known:
            self._held -= sum(part.nbytes for part in self._known.pop(key))
