"""Local features of a picture on cells of 4 x 4 pixels, and which cells are readable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels
from perimetry.phantoms.detection.normal import SIDE, normalised

__all__ = ["CELL", "CELLS", "FEATURES", "CellFeatures", "cell_features"]

CELL = 4
CELLS = SIDE // CELL

FEATURES = ("level", "spread", "across", "down", "bright_thin", "dark_thin", "bright_line", "dark_line")
"""Mean grey level, its spread, mean gradients, and mean response to thin (5 px) structures lying either way."""

# A cell of white noise with the contrast of a picture has a mean second difference of about 50 grey levels;
# the grain of a phantom has 3, its sharpest edges 25.
_NOISE = 13.0
_FLAT = 0.25


@dataclass(frozen=True, slots=True)
class CellFeatures:
    """Features of one picture.

    Attributes
    ----------
    values : float32 array, (64, 64, 8)
        Per cell, in the order of `FEATURES`, in grey levels.
    readable : bool array, (64, 64)
        False where a cell is flat or noise.
    """

    values: NDArray[np.float32]
    readable: NDArray[np.bool_]


def cell_features(pixels: Pixels) -> CellFeatures:
    """Features of a picture of any size and kind.

    Examples
    --------
    >>> bool(cell_features(np.full((300, 200), 127, dtype=np.uint8)).readable.any())
    False
    """
    grey = normalised(pixels)
    right = np.zeros_like(grey)
    right[:, 1:-1] = (grey[:, 2:] - grey[:, :-2]) * np.float32(0.5)
    below = np.zeros_like(grey)
    below[1:-1] = (grey[2:] - grey[:-2]) * np.float32(0.5)
    thin_x = np.zeros_like(grey)
    thin_x[:, 3:-3] = grey[:, 3:-3] - (grey[:, :-6] + grey[:, 6:]) * np.float32(0.5)
    thin_y = np.zeros_like(grey)
    thin_y[3:-3] = grey[3:-3] - (grey[:-6] + grey[6:]) * np.float32(0.5)
    zero = np.float32(0.0)
    level = _cells(grey)
    square = _cells(grey * grey)
    spread = np.sqrt(np.maximum(square - level * level, zero))
    values = np.stack(
        (
            level,
            spread,
            _cells(np.abs(right)),
            _cells(np.abs(below)),
            _cells(np.maximum(thin_x, zero)),
            _cells(np.maximum(-thin_x, zero)),
            _cells(np.maximum(thin_y, zero)),
            _cells(np.maximum(-thin_y, zero)),
        ),
        axis=2,
    )
    return CellFeatures(values, _readable(grey, spread))


def _cells(field: NDArray[np.float32]) -> NDArray[np.float32]:
    rows = field.reshape(CELLS, CELL, SIDE).sum(axis=1)
    # Additions one by one, in the order of a sum: ten times as fast as a sum along a last axis of four.
    total = ((rows[:, ::CELL] + rows[:, 1::CELL]) + rows[:, 2::CELL]) + rows[:, 3::CELL]
    return np.asarray(total * np.float32(1.0 / CELL**2), dtype=np.float32)


def _readable(grey: NDArray[np.float32], spread: NDArray[np.float32]) -> NDArray[np.bool_]:
    rough = np.zeros_like(grey)
    rough[:, 1:-1] = np.abs(grey[:, 1:-1] - (grey[:, :-2] + grey[:, 2:]) * np.float32(0.5))
    down = np.zeros_like(grey)
    down[1:-1] = np.abs(grey[1:-1] - (grey[:-2] + grey[2:]) * np.float32(0.5))
    # An edge is rough one way, noise is rough both ways.
    noisy = np.minimum(_cells(rough), _cells(down)) > _NOISE
    flat = spread < _FLAT
    return ~(_mostly(noisy) | _mostly(flat))


def _mostly(marks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Marks that have enough marked neighbours to be an area, grown by one cell."""
    area = marks & (_around(marks) >= 4)
    return _around(area) > 0


def _around(marks: NDArray[np.bool_]) -> NDArray[np.int8]:
    own = marks.astype(np.int8)
    rows = own.copy()
    rows[1:] += own[:-1]
    rows[:-1] += own[1:]
    around = rows.copy()
    around[:, 1:] += rows[:, :-1]
    around[:, :-1] += rows[:, 1:]
    return around
