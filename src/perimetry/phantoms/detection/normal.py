"""Any picture brought onto the detectors' grid: grey, 256 x 256, with the contrast of a phantom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["SIDE", "normalised"]

SIDE = 256
"""Side of the grid in pixels."""

_LOW, _HIGH = 0.05, 0.95
_DARK, _BRIGHT = 12.0, 168.0


def normalised(pixels: Pixels) -> NDArray[np.float32]:
    """Grey levels on the grid, stretched so that the 5th and 95th percentile are those of an average phantom.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, channels)
        Of any size from 1 x 1.

    Returns
    -------
    float32 array, (256, 256)
        A flat picture stays flat.
    """
    grey = pixels if pixels.ndim == 2 else pixels[..., :3].mean(axis=2)
    if grey.shape != (SIDE, SIDE):
        from PIL import Image as Pillow

        picture = Pillow.fromarray(np.asarray(grey, dtype=np.float32))
        shrinks = min(grey.shape) >= SIDE
        resample = Pillow.Resampling.BOX if shrinks else Pillow.Resampling.BILINEAR
        grey = np.asarray(picture.resize((SIDE, SIDE), resample), dtype=np.float32)
    levels = np.asarray(grey, dtype=np.float32)
    low, high = _percentiles(levels)
    scale = (_BRIGHT - _DARK) / max(high - low, 8.0)
    return np.asarray((levels - np.float32(low)) * np.float32(scale) + np.float32(_DARK), dtype=np.float32)


def _percentiles(levels: NDArray[np.float32]) -> tuple[float, float]:
    counts = np.bincount(np.clip(levels, 0.0, 255.0).astype(np.uint8).ravel(), minlength=256)
    share = np.cumsum(counts) / levels.size
    return float(np.searchsorted(share, _LOW)), float(np.searchsorted(share, _HIGH))
