"""Features of pictures: a thumbnail, its gradients, and what stands in the corners."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Image, Pixels

__all__ = ["DENSE", "NO_PICTURE", "Picture", "PictureCache", "picture_of"]

THUMBNAIL = 16
CELLS = 4
DIRECTIONS = 8
CORNER_SHARES = (32, 16, 8)  # a corner patch is one such share of the shorter side
LEVELS = 16
FLAT = 3.0
DENSE = THUMBNAIL * THUMBNAIL + CELLS * CELLS * DIRECTIONS
CACHED = 4096  # pictures: about 2 kB each


@dataclass(frozen=True, slots=True)
class Picture:
    """Features of one picture.

    Parameters
    ----------
    dense : float32 array, (DENSE,)
        Thumbnail and gradient histograms, each with mean 0 and variance 1 within the picture; zeros if there is none.
    tokens : tuple of str
        Grey level and flatness of each corner at three sizes, shape, or that there is no picture.
    """

    dense: NDArray[np.float32]
    tokens: tuple[str, ...]


NO_PICTURE = Picture(np.zeros(DENSE, dtype=np.float32), ("no image",))


def _standard(values: NDArray[np.float32]) -> NDArray[np.float32]:
    spread = float(values.std())
    centred = values - values.mean()
    return np.asarray(centred / spread if spread > 1e-6 else centred * 0.0, dtype=np.float32)


def _grey(pixels: Pixels) -> NDArray[np.float32]:
    if pixels.ndim == 2:
        return pixels.astype(np.float32)
    return np.asarray(pixels.astype(np.float32) @ np.array([0.299, 0.587, 0.114], dtype=np.float32))


def _resized(grey: NDArray[np.float32], edge: int) -> NDArray[np.float32]:
    """Box means over an edge x edge grid; pictures smaller than the grid repeat pixels."""
    height, width = grey.shape
    rows = (np.arange(edge) * height) // edge
    columns = (np.arange(edge) * width) // edge
    if height < edge or width < edge:
        return grey[np.ix_(rows, columns)]
    sums = np.add.reduceat(np.add.reduceat(grey, rows, axis=0), columns, axis=1)
    sizes = np.outer(np.diff(np.append(rows, height)), np.diff(np.append(columns, width)))
    return np.asarray(sums / sizes, dtype=np.float32)


def _gradients(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Histograms of gradient direction in CELLS x CELLS cells, weighted by strength."""
    down, right = np.gradient(_resized(grey, 64))
    strength = np.hypot(down, right)
    turn = (np.arctan2(down, right) + np.pi) / (2 * np.pi)
    direction = np.minimum((turn * DIRECTIONS).astype(int), DIRECTIONS - 1)
    place = np.arange(64) * CELLS // 64
    cell = place[:, None] * CELLS + place[None, :]
    index = (cell * DIRECTIONS + direction).ravel()
    return np.bincount(index, strength.ravel(), CELLS * CELLS * DIRECTIONS).astype(np.float32)


def _corners(grey: NDArray[np.float32]) -> list[str]:
    tokens = []
    for share in CORNER_SHARES:
        edge = max(1, min(grey.shape) // share)
        for name, patch in (
            ("tl", grey[:edge, :edge]),
            ("tr", grey[:edge, -edge:]),
            ("bl", grey[-edge:, :edge]),
            ("br", grey[-edge:, -edge:]),
        ):
            level = int(patch.mean()) * LEVELS // 256
            tokens.append(f"{name}/{share}:{level}{' flat' if patch.std() < FLAT else ''}")
    return tokens


def picture_of(images: tuple[Image, ...]) -> Picture:
    """Features of the first picture, and how many there are; raises `ImageError` where it cannot be read."""
    if not images:
        return NO_PICTURE
    grey = _grey(images[0].pixels())
    dense = np.concatenate([_standard(_resized(grey, THUMBNAIL).ravel()), _standard(_gradients(grey))])
    shape = round(4 * np.log2(grey.shape[1] / grey.shape[0]))
    return Picture(dense, (*_corners(grey), f"shape:{shape}", f"images:{len(images)}"))


class PictureCache:
    """Features by image recipe, the least recently used ones dropped beyond some thousands.

    A data set asks several questions about each image; an image under a condition is another recipe.
    """

    def __init__(self, size: int = CACHED) -> None:
        self._size = size
        self._held: OrderedDict[tuple[str, ...], Picture] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def get(self, images: tuple[Image, ...]) -> Picture:
        """`picture_of`, remembered."""
        key = tuple(image.recipe for image in images)
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        picture = picture_of(images)
        self._held[key] = picture
        if len(self._held) > self._size:
            self._held.popitem(last=False)
        return picture

    def get_or_none(self, images: tuple[Image, ...]) -> Picture | None:
        """As `get`; None for a picture that cannot be read."""
        try:
            return self.get(images)
        except ImageError:
            return None
