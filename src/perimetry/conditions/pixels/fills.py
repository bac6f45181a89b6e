"""What a covered region is filled with, in fixed point so that a blend is rounded once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels
from perimetry.cases.regions import Rectangle
from perimetry.conditions.pixels.blur import smoothed, weights_of
from perimetry.conditions.pixels.inpaint import inpainted
from perimetry.conditions.pixels.kept import KeptFields
from perimetry.conditions.pixels.levels import FRACTION, ONE, WHITE, trimmed_levels
from perimetry.conditions.pixels.noise import UNITS_PER_SD, normal_units
from perimetry.conditions.regions.rectangles import clusters
from perimetry.statistics.streams import permutation

__all__ = ["DEFAULT_DEPTH", "Fill", "pixels_at"]

DEFAULT_DEPTH = 12.0
"""Standard deviation of the fill ``blur`` where none is given, in pixels at a short side of 224."""

_REFERENCE_SIDE = 224
_RING = 8  # pixels around a hole that are looked at to fill it
_FIELDS = KeptFields()


@dataclass(frozen=True, slots=True)
class Fill:
    """A fill and its parameters; those that it has no use for are not spelled.

    Parameters
    ----------
    kind : {"noise", "black", "white", "mean", "blur", "shuffle", "inpaint"}, default "noise"
        ``noise``: Gaussian, with the centre and standard deviation of the image's pixels between their 1st and 99th
        percentile, clipped to 0..255, the same in all channels; one field per seed, image digest and size.
        ``mean``: that centre. ``blur``: the image blurred. ``shuffle``: the pixels of each region that hangs together
        in random order. ``inpaint``: a smooth surface through the pixels around.
    blur : float, default 0
        Standard deviation in pixels at a short side of 224. Noise keeps its own standard deviation and becomes
        coarser; for ``blur`` 0 stands for `DEFAULT_DEPTH`.
    center : {"mean", "median"}, default "mean"
    seed : int, default 42

    Examples
    --------
    >>> Fill().spelling, Fill("black", seed=7).spelling, Fill("noise", 1.5, "median").spelling
    ('noise(seed=42)', 'black', 'noise(blur=1.5/224,center=median,seed=42)')
    """

    kind: str = "noise"
    blur: float = 0.0
    center: str = "mean"
    seed: int = 42

    @property
    def spelling(self) -> str:
        """Kind and the parameters that matter for it."""
        parts = []
        if self.kind == "blur" or (self.kind == "noise" and self.blur):
            parts.append(f"blur={self._depth:.12g}/{_REFERENCE_SIDE}")
        if self.kind in ("noise", "mean") and self.center != "mean":
            parts.append(f"center={self.center}")
        if self.kind in ("noise", "shuffle"):
            parts.append(f"seed={self.seed}")
        return f"{self.kind}({','.join(parts)})" if parts else self.kind

    @property
    def _depth(self) -> float:
        return self.blur if self.blur or self.kind != "blur" else DEFAULT_DEPTH

    def field(self, pixels: Pixels, digest: str, regions: tuple[Rectangle, ...]) -> NDArray[np.int32]:
        """The fill for some regions, in units of 1/65536 grey level from 0 to 255.

        Fields of the whole image and of the last regions are kept, so that they are drawn once for all strengths.

        Parameters
        ----------
        pixels : uint8 array, (height, width) or (height, width, 3)
        digest : str
            Of the image.
        regions : tuple of Rectangle
            Nothing outside of them is asked for.

        Returns
        -------
        int32 array
            (height, width) where all channels are filled alike, else the shape of `pixels`; (1, 1) for one level.
            Meaningless outside `regions`.
        """
        if self.kind in ("black", "white"):
            return np.array([[0 if self.kind == "black" else WHITE]], dtype=np.int32)
        bound = regions if self.kind in ("shuffle", "inpaint") else ()
        key = (self.spelling, digest, pixels.shape, bound)
        return _FIELDS.get(key, pixels, lambda: self._made(pixels, digest, bound))

    def _made(self, pixels: Pixels, digest: str, regions: tuple[Rectangle, ...]) -> NDArray[np.int32]:
        if self.kind == "noise":
            return self._noise(pixels, digest)
        if self.kind == "mean":
            return np.array([[trimmed_levels(pixels).center(self.center)]], dtype=np.int32)
        if self.kind == "blur":
            return smoothed(pixels, self._depth * min(pixels.shape[:2]) / _REFERENCE_SIDE, FRACTION).astype(np.int32)
        if self.kind == "shuffle":
            return _shuffled(pixels, digest, regions, self.seed)
        return _inpainted(pixels, regions, trimmed_levels(pixels).center(self.center))

    def _noise(self, pixels: Pixels, digest: str) -> NDArray[np.int32]:
        levels = trimmed_levels(pixels)
        height, width = pixels.shape[:2]
        units: NDArray[np.int64] = normal_units(self.seed, "occlusion", digest, (height, width)).astype(np.int64)
        if self.blur:
            units = _coarsened(units, self.blur * min(height, width) / _REFERENCE_SIDE)
        units *= levels.deviation
        units += levels.center(self.center) * UNITS_PER_SD + UNITS_PER_SD // 2
        units //= UNITS_PER_SD
        return np.clip(units, 0, WHITE).astype(np.int32)


def pixels_at(rectangle: Rectangle) -> tuple[slice, slice]:
    """Index of a rectangle's pixels."""
    return slice(rectangle.top, rectangle.bottom), slice(rectangle.left, rectangle.right)


def _coarsened(units: NDArray[np.int64], sigma: float) -> NDArray[np.int64]:
    """Noise of a coarser grain and, away from the edges, of the same standard deviation."""
    blurred = smoothed(units, sigma, FRACTION)
    # White noise comes out of both passes with this share of its deviation.
    share = float((weights_of(sigma) ** 2).sum()) / float(1 << 32)
    return np.floor(blurred / (share * ONE) + 0.5).astype(np.int64)


def _shuffled(pixels: Pixels, digest: str, regions: tuple[Rectangle, ...], seed: int) -> NDArray[np.int32]:
    """The pixels of each region that hangs together in random order, channels together."""
    field = pixels.astype(np.int32)
    for cluster in clusters(regions):
        inside = np.zeros(pixels.shape[:2], dtype=np.bool_)
        for one in cluster:
            inside[pixels_at(one)] = True
        own = field[inside]
        name = "+".join(",".join(str(edge) for edge in one) for one in cluster)
        field[inside] = own[permutation(seed, "occlusion/shuffle", digest, name, size=len(own))]
    field <<= FRACTION
    return field


def _inpainted(pixels: Pixels, regions: tuple[Rectangle, ...], otherwise: int) -> NDArray[np.int32]:
    """A smooth surface through the pixels around each region that hangs together; a level where there are none."""
    height, width = pixels.shape[:2]
    inside = np.zeros((height, width), dtype=np.bool_)
    for one in regions:
        inside[pixels_at(one)] = True
    if inside.all():
        return np.array([[otherwise]], dtype=np.int32)
    field = pixels.astype(np.int32) << FRACTION
    for cluster in clusters(regions):
        frame = Rectangle(
            max(min(one.top for one in cluster) - _RING, 0),
            max(min(one.left for one in cluster) - _RING, 0),
            min(max(one.bottom for one in cluster) + _RING, height),
            min(max(one.right for one in cluster) + _RING, width),
        )
        at = pixels_at(frame)
        surface = inpainted(pixels[at].astype(np.float64), inside[at])
        filled = np.floor(surface * ONE + 0.5).astype(np.int32)
        hole = inside[at]
        field[at][hole] = filled[hole]
    return field
