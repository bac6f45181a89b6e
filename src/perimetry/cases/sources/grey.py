"""Deep grey values to 8 bits, by a percentile range."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["HIGH_PERCENTILE", "LOW_PERCENTILE", "rescale", "stretch"]

LOW_PERCENTILE = 0.5
HIGH_PERCENTILE = 99.5


def rescale(values: NDArray[Any], low: float, high: float) -> Pixels:
    """Map low..high linearly to 0..255 and clip; a range of no width gives 0 up to `low` and 255 above.

    Examples
    --------
    >>> rescale(np.array([[0, 50, 100, 200]]), 0, 100).tolist()
    [[0, 128, 255, 255]]
    """
    width = high - low
    if width <= 0:
        return np.where(values > low, 255, 0).astype(np.uint8)
    scaled = (values.astype(np.float64) - low) * 255.0 / width
    return np.floor(np.clip(scaled, 0.0, 255.0) + 0.5).astype(np.uint8)


def stretch(values: NDArray[Any], *, inverted: bool = False) -> tuple[Pixels, str]:
    """Map the 0.5 to 99.5 percentile range of grey values to 0..255.

    Parameters
    ----------
    values : array of integers or floats, (height, width)
        Values that are not finite count as the smallest finite one.
    inverted : bool, default False
        Whether small values are white (MONOCHROME1, TIFF photometric 0).

    Returns
    -------
    pixels : uint8 array, (height, width)
    note : str
        What was done, with the range.
    """
    kind = f"{values.dtype.itemsize * 8}-bit grey"
    if values.dtype.kind == "f":
        finite = values[np.isfinite(values)]
        values = np.where(np.isfinite(values), values, finite.min() if finite.size else 0.0)
    low, high = (float(cut) for cut in np.percentile(values, (LOW_PERCENTILE, HIGH_PERCENTILE)))
    if low == high:
        low, high = float(values.min()), float(values.max())
    pixels = rescale(values, low, high)
    if inverted:
        pixels = np.subtract(255, pixels, dtype=np.uint8)
    note = f"{kind}, {low:g}..{high:g} ({LOW_PERCENTILE} to {HIGH_PERCENTILE} percentile) to 0..255"
    return pixels, note + (", inverted" if inverted else "")
