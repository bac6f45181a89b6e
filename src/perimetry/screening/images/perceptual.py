"""A picture's fingerprint that survives scaling, recompression and small marks, and the search for equal ones.

The hash is the sign of the lowest 64 cosine coefficients against their median (Zauner 2010, section 3.2.1). Pictures
of one kind, two frontal chest radiographs say, may share it; so those that do are held to their fine structure.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from scipy import fft, ndimage

from perimetry.cases import Pixels
from perimetry.screening.images.luma import grey_levels

__all__ = ["DIFFERENT_BITS", "Fingerprint", "fingerprint", "near_duplicates"]

SIDE = 32
LOW = 8
COARSE = 2.0
DIFFERENT_BITS = 10
"""Bits of 64 in which two hashes may differ."""
FINE_ALIKE = 0.8
"""Least correlation of the fine structure."""


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """A picture's hash and fine structure.

    Parameters
    ----------
    bits : int
        64 bits.
    fine : float16 array, (32, 32)
        The picture at 32 x 32 without what is coarse, of mean 0 and norm 1; all 0 for an even picture.
    """

    bits: int
    fine: NDArray[np.float16] = field(repr=False)

    def alike(self, other: Fingerprint) -> bool:
        """Whether both show the same picture."""
        if (self.bits ^ other.bits).bit_count() > DIFFERENT_BITS:
            return False
        if not self.fine.any() or not other.fine.any():
            return not self.fine.any() and not other.fine.any()
        return float((self.fine.astype(np.float32) * other.fine.astype(np.float32)).sum()) >= FINE_ALIKE


def fingerprint(pixels: Pixels) -> Fingerprint:
    """The fingerprint of pixels.

    Examples
    --------
    >>> picture = np.add.outer(np.arange(64), np.arange(64)).astype(np.uint8)
    >>> fingerprint(picture).alike(fingerprint(picture // 2 + 40))
    True
    """
    small = Picture.fromarray(np.ascontiguousarray(grey_levels(pixels))).resize((SIDE, SIDE), Picture.Resampling.BOX)
    levels = np.asarray(small, np.float32)
    low = fft.dctn(levels, norm="ortho")[:LOW, :LOW].ravel()
    low[0] = np.median(low[1:])
    signs = low > np.median(low)
    bits = int.from_bytes(np.packbits(signs).tobytes(), "big")
    fine = levels - ndimage.gaussian_filter(levels, COARSE, mode="nearest")
    fine -= fine.mean()
    norm = float(np.sqrt((fine**2).sum()))
    return Fingerprint(bits, (fine / norm if norm > 1.0 else np.zeros_like(fine)).astype(np.float16))


def near_duplicates(prints: dict[str, Fingerprint]) -> dict[str, tuple[str, ...]]:
    """For every image that has near duplicates their names, sorted.

    Every hash is compared with all later ones, at about a hundred million comparisons a second.

    Parameters
    ----------
    prints : dict of name to Fingerprint
    """
    names = sorted(prints)
    hashes = np.array([prints[name].bits for name in names], np.uint64)
    near: dict[str, set[str]] = defaultdict(set)
    for place, name in enumerate(names):
        different = np.bitwise_count(hashes[place + 1 :] ^ hashes[place])
        for other in np.flatnonzero(different <= DIFFERENT_BITS).tolist():
            twin = names[place + 1 + other]
            if prints[name].alike(prints[twin]):
                near[name].add(twin)
                near[twin].add(name)
    return {name: tuple(sorted(near[name])) for name in sorted(near)}
