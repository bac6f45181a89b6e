"""Regions of an image blended with a fill."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels
from perimetry.cases.regions import Rectangle, Shape
from perimetry.conditions.pixels.fills import Fill, pixels_at
from perimetry.conditions.pixels.levels import FRACTION, ONE
from perimetry.conditions.regions.rectangles import disjoint

__all__ = ["Occlude"]

BAND_PIXELS = 1 << 15

CHANNELS = ((..., 0), (..., 1), (..., 2))
GREY = ((...,),)

_REFERENCE_SIDE = 224


@dataclass(frozen=True, slots=True)
class Occlude:
    """Blend regions with a fill: ``(1 - p) * original + p * fill`` for each pixel, rounded once, half up.

    The fill is in fixed point and the blend in whole numbers, so that every machine gives the same pixels. A pixel in
    several rectangles is blended once. At strength 0 the pixels come back as they were.

    Parameters
    ----------
    rectangles : tuple of Rectangle or None
        Pixels to cover; None covers the whole image.
    strength : int in 0..100, default 100
        p in per cent.
    fill : Fill, default noise
    feather : float, default 0
        Pixels, at a short side of 224, over which the strength falls to nothing beyond the edges, in equal steps by
        the larger of the distances in rows and columns. No pixel outside changes at 0.

    Examples
    --------
    >>> import numpy as np
    >>> half = Occlude((Rectangle(0, 1, 1, 2),), 50, Fill("black"))
    >>> half.apply(np.array([[10, 21, 30]], np.uint8), "digest")
    array([[10, 11, 30]], dtype=uint8)
    """

    rectangles: tuple[Rectangle, ...] | None
    strength: int = 100
    fill: Fill = field(default_factory=Fill)
    feather: float = 0.0

    @property
    def spelling(self) -> str:
        """``occlude(10,20,50,90,p=60,noise(seed=42))``: top, left, bottom and right of each rectangle."""
        where = "all"
        if self.rectangles is not None:
            where = "+".join(",".join(str(edge) for edge in one) for one in self.rectangles)
        feather = f",feather={self.feather:.12g}/{_REFERENCE_SIDE}" if self.feather else ""
        return f"occlude({where},p={self.strength},{self.fill.spelling}{feather})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return the image with its regions covered."""
        if self.strength == 0:
            return pixels
        height, width = pixels.shape[:2]
        whole = Rectangle(0, 0, height, width)
        chosen = (whole,) if self.rectangles is None else self.rectangles
        fade = math.ceil(self.feather * min(height, width) / _REFERENCE_SIDE) if self.rectangles is not None else 0
        regions = tuple(_grown(one, fade, (height, width)) for one in chosen)
        filling = self.fill.field(pixels, image_digest, regions)
        out = pixels.copy()
        for part in (band for region in disjoint(regions) for band in _bands(region)):
            at = pixels_at(part)
            patch = filling if filling.size == 1 else filling[at]
            weights = _weights(chosen, part, fade) if fade else None
            # Channel by channel: a last axis of three is slow to go along.
            for channel in CHANNELS if pixels.ndim == 3 else GREY:
                own = patch[channel] if patch.ndim == 3 else patch
                original = pixels[at][channel]
                out[at][channel] = (
                    _blended(original, own, self.strength)
                    if weights is None
                    else _faded(original, own, self.strength, weights, fade + 1)
                )
        return out


def _bands(region: Rectangle) -> Iterator[Rectangle]:
    """The region in bands of rows that fit a processor's cache with all that is computed on them."""
    rows = max(BAND_PIXELS // region.width, 1)
    for top in range(region.top, region.bottom, rows):
        yield region._replace(top=top, bottom=min(top + rows, region.bottom))


def _blended(original: Pixels, filling: NDArray[np.int32], strength: int) -> Pixels:
    """Original and fill at one strength. The sum stays below 2**31."""
    if strength == 100:
        full = filling.astype(np.uint32)
        full += np.uint32(ONE // 2)
        full >>= np.uint32(FRACTION)
        return full.astype(np.uint8)
    share = filling.astype(np.uint32)
    share *= np.uint32(strength)
    share += np.uint32(50 * ONE)
    blend = original.astype(np.uint32)
    blend *= np.uint32((100 - strength) * ONE)
    blend += share
    # Both divisions round down: the second one need not look at what the first one dropped.
    blend >>= np.uint32(FRACTION)
    blend //= np.uint32(100)
    return blend.astype(np.uint8)


def _faded(
    original: Pixels, filling: NDArray[np.int32], strength: int, weights: NDArray[np.int64], steps: int
) -> NDArray[np.int64]:
    """Original and fill at a strength that differs from pixel to pixel: `weights` of `steps`."""
    share = weights * strength
    every = 100 * steps
    blend = original.astype(np.int64) * ((every - share) * ONE) + filling * share + every * ONE // 2
    return blend // (every * ONE)


def _weights(rectangles: tuple[Rectangle, ...], part: Rectangle, fade: int) -> NDArray[np.int64]:
    """Steps of strength at each pixel of a part: ``fade + 1`` inside a rectangle, 0 beyond the feather."""
    rows = np.arange(part.top, part.bottom)[:, None]
    columns = np.arange(part.left, part.right)[None, :]
    weights = np.zeros((part.height, part.width), dtype=np.int64)
    for one in rectangles:
        down = np.maximum(np.maximum(one.top - rows, rows - (one.bottom - 1)), 0)
        across = np.maximum(np.maximum(one.left - columns, columns - (one.right - 1)), 0)
        np.maximum(weights, fade + 1 - np.maximum(down, across), out=weights)
    return weights


def _grown(one: Rectangle, by: int, shape: Shape) -> Rectangle:
    return Rectangle(
        max(one.top - by, 0), max(one.left - by, 0), min(one.bottom + by, shape[0]), min(one.right + by, shape[1])
    )
