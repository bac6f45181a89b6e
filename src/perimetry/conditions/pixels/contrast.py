"""Lower contrast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perimetry.cases.image import Pixels

__all__ = ["Contrast"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Pull every pixel towards the image's mean level.

    Parameters
    ----------
    percent : int in 0..100
        Share of the contrast that is kept.

    Examples
    --------
    >>> import numpy as np
    >>> Contrast(50).apply(np.array([[0, 100]], np.uint8), "digest")
    array([[25, 75]], dtype=uint8)
    """

    percent: int

    @property
    def spelling(self) -> str:
        """``contrast(percent=20)``."""
        return f"contrast(percent={self.percent})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:  # noqa: ARG002 - part of the Operation contract
        """Return the flatter image."""
        total, count = int(pixels.sum(dtype=np.int64)), pixels.size
        pull = (100 - self.percent) * total
        table = [(2 * (self.percent * value * count + pull) + 100 * count) // (200 * count) for value in range(256)]
        return np.array(table, dtype=np.uint8)[pixels]
