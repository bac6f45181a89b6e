"""One grey level instead of an image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from perimetry.cases.image import Pixels

__all__ = ["Blank"]


@dataclass(frozen=True, slots=True)
class Blank:
    """Replace an image by one grey level; size and number of channels stay (CORAL section 3.2).

    Parameters
    ----------
    level : int in 0..255 or "mean", default 127
        ``"mean"`` is the mean over all pixels and channels of the image, half rounded up.

    Examples
    --------
    >>> import numpy as np
    >>> Blank("mean").apply(np.array([[10, 21]], np.uint8), "digest")
    array([[16, 16]], dtype=uint8)
    """

    level: int | Literal["mean"] = 127

    @property
    def spelling(self) -> str:
        """``blank(127)``: the level is always spelled in a recipe."""
        return f"blank({self.level})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:  # noqa: ARG002 - part of the Operation contract
        """Return an image of one level."""
        if self.level == "mean":
            total = int(pixels.sum(dtype=np.int64))
            level = (2 * total + pixels.size) // (2 * pixels.size)
        else:
            level = self.level
        return np.full(pixels.shape, level, dtype=np.uint8)
