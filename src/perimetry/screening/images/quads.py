"""Four corners of a line of text: merged over views, cut out of the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from perimetry.screening.images.reading import Frame

__all__ = ["Quad", "merged"]

SAME_LINE = 0.6
SLANT = 3.0
LEAST_HEIGHT = 32


@dataclass(frozen=True, eq=False, slots=True)
class Quad:
    """A slanted rectangle.

    Parameters
    ----------
    corners : float64 array, (4, 2)
        x and y of the left upper, right upper, right lower and left lower corner, as the text runs.
    """

    corners: NDArray[np.float64]

    @property
    def bounds(self) -> Frame:
        """Smallest frame around it."""
        low, high = np.floor(self.corners.min(axis=0)), np.ceil(self.corners.max(axis=0))
        return Frame(int(low[0]), int(low[1]), max(1, int(high[0] - low[0])), max(1, int(high[1] - low[1])))

    @property
    def slant(self) -> float:
        """Degrees between its upper edge and the horizontal."""
        across, down = self.corners[1] - self.corners[0]
        return abs(math.degrees(math.atan2(down, across)))

    def frame(self, width: int, height: int) -> Frame:
        """The part of `bounds` that lies in a picture of that size."""
        bounds = self.bounds
        x, y = min(max(bounds.x, 0), width - 1), min(max(bounds.y, 0), height - 1)
        return Frame(x, y, max(1, min(bounds.right, width) - x), max(1, min(bounds.bottom, height) - y))

    def cut(self, picture: Picture.Image, margin: float) -> Picture.Image:
        """The line, turned upright and enlarged to at least 32 pixels of height.

        Parameters
        ----------
        picture : PIL.Image.Image
        margin : float
            Added on every side, as a share of the height.
        """
        left_top, right_top, right_bottom, left_bottom = self.corners
        across = (right_top - left_top) / max(float(np.hypot(*(right_top - left_top))), 1.0)
        down = (left_bottom - left_top) / max(float(np.hypot(*(left_bottom - left_top))), 1.0)
        wide, high = float(np.hypot(*(right_top - left_top))), float(np.hypot(*(left_bottom - left_top)))
        more = margin * min(wide, high)
        corners = (
            left_top - more * across - more * down,
            left_bottom - more * across + more * down,
            right_bottom + more * across + more * down,
            right_top + more * across - more * down,
        )
        scale = max(1.0, LEAST_HEIGHT / max(min(wide, high), 1.0))
        size = (max(1, round((wide + 2 * more) * scale)), max(1, round((high + 2 * more) * scale)))
        data = [float(value) for corner in corners for value in corner]
        return picture.transform(size, Picture.Transform.QUAD, data, resample=Picture.Resampling.BICUBIC)


def merged(quads: Iterable[Quad]) -> tuple[Quad, ...]:
    """Quads of several views, with those of one line joined.

    Level quads of one height that overlap are joined to their common rectangle: a line that two pieces cut is whole
    again. Of slanted quads that cover one another the larger stays.
    """
    kept: list[Quad] = []
    for quad in sorted(quads, key=lambda one: -one.bounds.area):
        for place, other in enumerate(kept):
            if _one_line(quad, other):
                kept[place] = _joined(quad, other)
                break
        else:
            kept.append(quad)
    return tuple(kept)


def _one_line(quad: Quad, other: Quad) -> bool:
    mine, its = quad.bounds, other.bounds
    if not mine.meet(its):
        return False
    if mine.share_in(its) >= SAME_LINE:
        return True
    common = min(mine.bottom, its.bottom) - max(mine.y, its.y)
    return quad.slant < SLANT and other.slant < SLANT and common >= SAME_LINE * max(mine.height, its.height)


def _joined(quad: Quad, other: Quad) -> Quad:
    if quad.slant >= SLANT or other.slant >= SLANT:
        return other
    frame = quad.bounds.union(other.bounds)
    x, y, right, bottom = frame.x, frame.y, frame.right, frame.bottom
    return Quad(np.array([(x, y), (right, y), (right, bottom), (x, bottom)], np.float64))
