"""A regular grid of grey squares over an image."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["GridMask"]


@dataclass(frozen=True, slots=True)
class GridMask:
    """Cover a share of an image with a regular grid of grey boxes (occlusion of CORAL section 4.2).

    The grid has `cells` cells along the shorter side and about as large ones along the longer side. In each cell, a
    box with the cell's proportions covers the share; borders are rounded so that rows and columns covered differ
    from the square root of the share by less than one pixel over the whole image.

    Parameters
    ----------
    fraction : float in 0..1
        Share of the area that is covered.
    cells : int, default 8
    level : int in 0..255, default 127
    """

    fraction: float
    cells: int = 8
    level: int = 127

    @property
    def spelling(self) -> str:
        """``gridmask(fraction=0.5,cells=8,level=127)``."""
        return f"gridmask(fraction={self.fraction:.12g},cells={self.cells},level={self.level})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:  # noqa: ARG002 - part of the Operation contract
        """Return the image behind the grid."""
        height, width = pixels.shape[:2]
        short = min(height, width)
        down = max(1, (2 * self.cells * height + short) // (2 * short))
        across = max(1, (2 * self.cells * width + short) // (2 * short))
        side = math.sqrt(self.fraction)
        out = pixels.copy()
        out[np.ix_(_covered(height, down, side), _covered(width, across, side))] = self.level
        return out


def _covered(length: int, cells: int, side: float) -> NDArray[np.intp]:
    """Positions along one axis that the boxes cover, centred in their cells."""
    border = [cell * length // cells for cell in range(cells + 1)]
    # Running totals are rounded, not each box, so that the error does not add up.
    total = [math.floor(side * edge + 0.5) for edge in border]
    covered = np.zeros(length, dtype=bool)
    for cell in range(cells):
        size = total[cell + 1] - total[cell]
        start = border[cell] + (border[cell + 1] - border[cell] - size) // 2
        covered[start : start + size] = True
    return np.flatnonzero(covered)
