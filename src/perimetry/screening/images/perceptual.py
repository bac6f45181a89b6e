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

HASHED = 32
LOW = 8
SIDE = 64
BLOCKS = 4
COARSE = 1.0
DIFFERENT_BITS = 16
"""Bits of 64 in which two hashes may differ."""
FINE_ALIKE = 0.96
"""Correlation of the fine structure that 40% of the blocks of a picture must reach."""
PERCENTILE = 60
FAINT = 0.02
"""Blocks whose structure is fainter than this share of the strongest say nothing."""


@dataclass(frozen=True, eq=False, slots=True)
class Fingerprint:
    """A picture's hash and fine structure.

    Parameters
    ----------
    bits : int
        64 bits.
    fine : int8 array, (64, 64)
        The picture at 64 x 64 without what is coarse, its largest deviation at 127; all 0 for an even picture.
    """

    bits: int
    fine: NDArray[np.int8] = field(repr=False)

    def alike(self, other: Fingerprint) -> bool:
        """Whether both show the same picture.

        The fine structure is compared block by block, so that a mark or a line of text, which touches few blocks,
        changes nothing.
        """
        if (self.bits ^ other.bits).bit_count() > DIFFERENT_BITS:
            return False
        if not self.fine.any() or not other.fine.any():
            return not self.fine.any() and not other.fine.any()
        mine, its = _blocks(self.fine), _blocks(other.fine)
        strength, its_strength = np.linalg.norm(mine, axis=1), np.linalg.norm(its, axis=1)
        strong = np.maximum(strength, its_strength) > FAINT * float(strength.max())
        correlation = (mine * its).sum(axis=1) / np.maximum(strength * its_strength, 1e-6)
        return float(np.percentile(correlation[strong], PERCENTILE)) >= FINE_ALIKE


def fingerprint(pixels: Pixels) -> Fingerprint:
    """The fingerprint of pixels.

    Examples
    --------
    >>> picture = (np.add.outer(np.arange(64) ** 2, np.arange(64) ** 3) % 251).astype(np.uint8)
    >>> fingerprint(picture).alike(fingerprint(picture // 2 + 40))
    True
    """
    picture = Picture.fromarray(np.ascontiguousarray(grey_levels(pixels)))
    small = np.asarray(picture.resize((HASHED, HASHED), Picture.Resampling.BOX), np.float32)
    low = fft.dctn(small, norm="ortho")[:LOW, :LOW].ravel()
    low[0] = np.median(low[1:])
    bits = int.from_bytes(np.packbits(low > np.median(low)).tobytes(), "big")
    levels = np.asarray(picture.resize((SIDE, SIDE), Picture.Resampling.BOX), np.float32)
    fine = levels - ndimage.gaussian_filter(levels, COARSE, mode="nearest")
    most = float(np.abs(fine).max())
    return Fingerprint(
        bits, np.rint(fine * (127.0 / most)).astype(np.int8) if most > 1.0 else np.zeros_like(fine, np.int8)
    )


def _blocks(fine: NDArray[np.int8]) -> NDArray[np.float32]:
    """The blocks of a picture, one a row, each of mean 0."""
    size = SIDE // BLOCKS
    cut = fine.astype(np.float32).reshape(BLOCKS, size, BLOCKS, size).transpose(0, 2, 1, 3).reshape(BLOCKS**2, -1)
    return np.asarray(cut - cut.mean(axis=1, keepdims=True), np.float32)


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
