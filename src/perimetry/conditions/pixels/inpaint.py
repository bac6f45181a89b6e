"""A smooth surface through the pixels around a hole."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["inpainted"]

_STEPS = 24
"""Relaxation steps at each resolution."""


def inpainted(values: NDArray[np.float64], hole: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fill a hole with a nearly harmonic surface: every value tends to the mean of its four neighbours.

    Laplace's equation is solved from coarse to fine: at half the resolution first, then relaxed at this one. The
    result stays within the range of the pixels around. Only element-wise arithmetic is used, in a fixed order.

    Parameters
    ----------
    values : float64 array, (height, width) or (height, width, 3)
        Nothing of them inside the hole is looked at.
    hole : bool array, (height, width)

    Returns
    -------
    float64 array, the shape of `values`
        0 everywhere where the hole takes in everything.

    Examples
    --------
    >>> ramp = np.tile(np.arange(9.0), (9, 1))
    >>> hole = np.zeros((9, 9), bool)
    >>> hole[3:6, 3:6] = True
    >>> bool(np.abs(inpainted(ramp, hole) - ramp).max() < 0.01)
    True
    """
    planes = values if values.ndim == 3 else values[:, :, None]
    return _solved(np.where(hole[:, :, None], 0.0, planes), hole[:, :, None]).reshape(values.shape)


def _solved(planes: NDArray[np.float64], hole: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Planes (height, width, channels) with the hole (height, width, 1) filled; they hold 0 there before."""
    if not hole.any():
        return planes
    height, width = hole.shape[:2]
    if height == width == 1:
        return planes
    known = _halved(np.where(hole, 0.0, 1.0))
    coarse_hole = known == 0
    coarse = _solved(_halved(planes) / np.where(coarse_hole, 1.0, known), coarse_hole)
    fine = np.repeat(np.repeat(coarse, 2, axis=0), 2, axis=1)[:height, :width]
    filled = np.where(hole, fine, planes)
    for _ in range(_STEPS):
        around = np.pad(filled, ((1, 1), (1, 1), (0, 0)), mode="edge")
        mean = (around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]) * 0.25
        filled = np.where(hole, mean, filled)
    return filled


def _halved(planes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over blocks of two by two; nothing is beyond the edge."""
    height, width = planes.shape[:2]
    even = np.pad(planes, ((0, height % 2), (0, width % 2), (0, 0)))
    return even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
