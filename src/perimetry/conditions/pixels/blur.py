"""Gaussian blur with whole-number weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["Blur", "smoothed", "weights_of"]

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
        blurred = smoothed(pixels, self.sigma * min(pixels.shape[:2]) / _REFERENCE_SIDE)
        rounded: Pixels = blurred.astype(np.uint8)
        return rounded


def smoothed(values: NDArray[np.integer[Any]], sigma: float, fraction: int = 0) -> NDArray[np.float64]:
    """Values after a Gaussian blur over rows and columns, rounded to whole numbers, half up.

    Parameters
    ----------
    values : integer array, (height, width) or (height, width, 3)
        Of magnitude below 2**20, so that float64 holds every partial sum exactly.
    sigma : float
        Standard deviation in pixels, above 0.
    fraction : int, default 0
        Binary places to keep: the result is in units of ``2**-fraction``.

    Returns
    -------
    float64 array, the shape of `values`
    """
    from scipy.ndimage import correlate1d

    weights = weights_of(sigma)
    blurred = correlate1d(values.astype(np.float64), weights, axis=0, mode="reflect")
    blurred = correlate1d(blurred, weights, axis=1, mode="reflect")
    rounded: NDArray[np.float64] = np.floor(blurred / float(_ONE * _ONE >> fraction) + 0.5)
    return rounded


def weights_of(sigma: float) -> NDArray[np.float64]:
    """Whole-number Gaussian weights that sum to 2**16."""
    radius = max(1, math.ceil(3 * sigma))
    shape = [math.exp(-0.5 * (offset / sigma) ** 2) for offset in range(radius + 1)]
    total = shape[0] + 2 * sum(shape[1:])
    half = [round(_ONE * value / total) for value in shape[1:]]
    centre = _ONE - 2 * sum(half)
    return np.array([*half[::-1], centre, *half], dtype=np.float64)
