"""An image at a coarser resolution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perimetry.cases.image import Pixels
from perimetry.conditions.pixels.resample import box_sums, enlarge

__all__ = ["Resolution"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """Average an image down to a short side, then enlarge it to its own size again.

    Parameters
    ----------
    short_side : int
        Pixels of detail along the shorter side; an image that has no more is unchanged.
    """

    short_side: int

    @property
    def spelling(self) -> str:
        """``resolution(short_side=56)``."""
        return f"resolution(short_side={self.short_side})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:  # noqa: ARG002 - part of the Operation contract
        """Return the coarse image at its own size."""
        height, width = pixels.shape[:2]
        short = min(height, width)
        if short <= self.short_side:
            return pixels.copy()
        down = max(1, (2 * height * self.short_side + short) // (2 * short))
        across = max(1, (2 * width * self.short_side + short) // (2 * short))
        area = height * width
        coarse = (2 * box_sums(pixels, down, across) + area) // (2 * area)
        return enlarge(coarse.astype(np.uint8), height, width)
