"""Gaussian blur with whole-number weights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["Blur"]

_ONE = 1 << 16
_REFERENCE_SIDE = 224


@dataclass(frozen=True, slots=True)
class Blur:
    """Gaussian blur; edges are mirrored.

    The weights are 16-bit whole numbers, so that every sum is exact whatever its order.

    Parameters
    ----------
    sigma : int
        Standard deviation in pixels of an image whose short side is 224; it grows in proportion with larger images
        and shrinks with smaller ones, so that one value takes the same anatomical detail from both.
    """

    sigma: int

    @property
    def spelling(self) -> str:
        """``blur(sigma=3/224)``."""
        return f"blur(sigma={self.sigma}/{_REFERENCE_SIDE})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:  # noqa: ARG002 - part of the Operation contract
        """Return the blurred image."""
        from scipy.ndimage import correlate1d

        weights = _weights(self.sigma * min(pixels.shape[:2]) / _REFERENCE_SIDE)
        # At most 255 * 2**32: float64 holds every partial sum exactly.
        blurred = correlate1d(pixels.astype(np.float64), weights, axis=0, mode="reflect")
        blurred = correlate1d(blurred, weights, axis=1, mode="reflect")
        rounded: Pixels = np.floor(blurred / float(_ONE * _ONE) + 0.5).astype(np.uint8)
        return rounded


def _weights(sigma: float) -> NDArray[np.float64]:
    """Whole-number Gaussian weights that sum to 2**16."""
    radius = max(1, math.ceil(3 * sigma))
    shape = [math.exp(-0.5 * (offset / sigma) ** 2) for offset in range(radius + 1)]
    total = shape[0] + 2 * sum(shape[1:])
    half = [round(_ONE * value / total) for value in shape[1:]]
    centre = _ONE - 2 * sum(half)
    return np.array([*half[::-1], centre, *half], dtype=np.float64)
