"""The grid a phantom is drawn on, and the few curves that everything is drawn with.

Only additions, multiplications, divisions, square roots, comparisons and look-ups are used on arrays: IEEE 754 fixes
their results, so that every machine draws the same float32 values. Exponentials and sines are left out, because
libraries differ in their last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from perimetry.statistics.streams import Part, raw_integers

__all__ = ["UNITS", "Field", "Grid", "as_field", "bump", "edge", "grid", "lattice", "pixel_noise", "ramp"]

Field = NDArray[np.float32]

UNITS = 256.0
"""Side of the drawing in units, whatever its size in pixels."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Coordinates of the pixel centres in units, 0 at the top left and 256 at the bottom right.

    `x` has shape (1, size), `y` has shape (size, 1): they broadcast against each other.
    """

    size: int
    x: Field
    y: Field

    def pixel(self, units: float) -> int:
        """The pixel border nearest to a coordinate, inside the picture."""
        return min(max(int(units * self.size / UNITS + 0.5), 0), self.size)


@lru_cache(maxsize=8)
def grid(size: int) -> Grid:
    """Coordinates of a picture of size x size pixels; shared and read-only."""
    centres = ((np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(UNITS / size)).astype(np.float32)
    centres.flags.writeable = False
    return Grid(size, centres[None, :], centres[:, None])


def as_field(values: object) -> Field:
    """Values as a float32 field; copies only where it must."""
    return np.asarray(values, dtype=np.float32)


def ramp(value: Field) -> Field:
    """0 below 0, 1 above 1, smooth between (3t^2 - 2t^3)."""
    t = np.clip(value, 0.0, 1.0)
    return as_field(t * t * (np.float32(3.0) - np.float32(2.0) * t))


def edge(distance: Field, width: float) -> Field:
    """1 where a signed distance is well above zero, 0 well below, smooth over `width` units between."""
    return ramp(distance * np.float32(1.0 / width) + np.float32(0.5))


def bump(squared: Field) -> Field:
    """(1 - s)^2 for a squared radius s under 1, else 0: a bell without an exponential."""
    t = np.maximum(np.float32(1.0) - squared, np.float32(0.0))
    return as_field(t * t)


def _axis(size: int, cells: int) -> tuple[NDArray[np.intp], Field]:
    position = (np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(cells / size)
    low = np.minimum(position.astype(np.intp), cells - 1)
    fraction = position - low.astype(np.float32)
    return low, ramp(fraction)


@lru_cache(maxsize=64)
def _axes(height: int, width: int, rows: int, columns: int) -> tuple[NDArray[np.intp], Field, NDArray[np.intp], Field]:
    below, down = _axis(height, rows)
    left, across = _axis(width, columns)
    return below, down[:, None], left, across[None, :]


def lattice(shape: tuple[int, int], cells: tuple[int, int], seed: int, name: str, *parts: Part) -> Field:
    """Smooth noise between -1 and 1: random values on a lattice, blended between.

    Parameters
    ----------
    shape : (height, width) in pixels
    cells : (rows, columns)
        Lattice cells; more cells, finer noise.
    seed, name, *parts
        Stream of the lattice values.
    """
    rows, columns = max(cells[0], 1), max(cells[1], 1)
    raw = raw_integers(seed, name, *parts, size=(rows + 1) * (columns + 1))
    values = (raw >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-23) - np.float32(1.0)
    knots = values.reshape(rows + 1, columns + 1)
    low_y, down, low_x, across = _axes(*shape, rows, columns)
    lines = knots[low_y] + (knots[low_y + 1] - knots[low_y]) * down
    left = lines[:, low_x]
    return as_field(left + (lines[:, low_x + 1] - left) * across)


def pixel_noise(size: int, seed: int, name: str, *parts: Part) -> Field:
    """White noise with mean 0 and standard deviation 1: the standardised sum of four random bytes a pixel."""
    count = size * size
    raw = raw_integers(seed, name, *parts, size=(count + 1) // 2).astype("<u8", copy=False)
    bytes_ = raw.view(np.uint8)[: 4 * count].reshape(count, 4)
    total = bytes_[:, 0].astype(np.int16)
    for column in range(1, 4):
        total += bytes_[:, column]
    # Four uniform bytes: mean 4 * 127.5, variance 4 * (256^2 - 1) / 12.
    scaled = (total.astype(np.float32) - np.float32(510.0)) * np.float32(1.0 / 147.8)
    return scaled.reshape(size, size)
