"""Pixels or tiles of an image in random order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perimetry.cases.image import Pixels
from perimetry.statistics.streams import permutation

__all__ = ["PatchShuffle", "Shuffle"]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Permute all pixel positions, channels together (CORAL section 3.2).

    The histogram and the size stay; every spatial structure goes. There is one permutation per seed, image digest
    and size.

    Parameters
    ----------
    seed : int, default 42

    Examples
    --------
    >>> import numpy as np
    >>> pixels = np.arange(6, dtype=np.uint8).reshape(2, 3)
    >>> sorted(Shuffle().apply(pixels, "digest").ravel().tolist())
    [0, 1, 2, 3, 4, 5]
    """

    seed: int = 42

    @property
    def spelling(self) -> str:
        """``shuffle(seed=42)``."""
        return f"shuffle(seed={self.seed})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return the image with its pixels in random order."""
        height, width = pixels.shape[:2]
        order = permutation(self.seed, "shuffle", image_digest, height, width, size=height * width)
        # Taking rows is several times faster than indexing with them where a pixel has three bytes.
        return pixels.reshape(height * width, -1).take(order, axis=0).reshape(pixels.shape)


@dataclass(frozen=True, slots=True)
class PatchShuffle:
    """Permute square tiles of an image; what is inside a tile stays together.

    The grid starts at the top left. Where the size is no multiple of the tile, the narrower tiles of the right edge
    change places among themselves, those of the bottom edge likewise, and the one remaining corner tile stays: every
    pixel is kept, none is resized. An image smaller than one tile is therefore unchanged.

    Parameters
    ----------
    patch : int, default 16
        Side of a tile in pixels.
    seed : int, default 42
    """

    patch: int = 16
    seed: int = 42

    @property
    def spelling(self) -> str:
        """``patchshuffle(patch=16,seed=42)``."""
        return f"patchshuffle(patch={self.patch},seed={self.seed})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return the image with its tiles in random order."""
        height, width = pixels.shape[:2]
        tall, wide = height - height % self.patch, width - width % self.patch
        out = pixels.copy()
        for part, rows, columns in (
            ("inner", slice(0, tall), slice(0, wide)),
            ("right", slice(0, tall), slice(wide, width)),
            ("bottom", slice(tall, height), slice(0, wide)),
        ):
            region = pixels[rows, columns]
            if region.size:
                out[rows, columns] = self._shuffled(region, part, image_digest, (height, width))
        return out

    def _shuffled(self, region: Pixels, part: str, image_digest: str, size: tuple[int, int]) -> Pixels:
        tile_height = min(self.patch, region.shape[0])
        tile_width = min(self.patch, region.shape[1])
        down, across = region.shape[0] // tile_height, region.shape[1] // tile_width
        channels = region.shape[2:]
        tiles = region.reshape(down, tile_height, across, tile_width, *channels).swapaxes(1, 2)
        flat = tiles.reshape(down * across, tile_height, tile_width, *channels)
        order = permutation(self.seed, "patchshuffle", image_digest, part, self.patch, *size, size=down * across)
        moved = flat[order].reshape(down, across, tile_height, tile_width, *channels).swapaxes(1, 2)
        return np.ascontiguousarray(moved).reshape(region.shape)
