"""Gaussian noise that every machine draws alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels
from perimetry.statistics.streams import raw_integers

__all__ = ["UNITS_PER_SD", "AddNoise", "normal_field", "normal_units"]

UNITS_PER_SD = 4096
"""Fixed-point resolution of a noise field: one standard deviation is this many units."""

_LEVELS = 1 << 16


@cache
def _quantiles() -> NDArray[np.int16]:
    """Normal quantiles at the midpoints of 65,536 equal shares, in units; read-only.

    Rounding to fixed point hides the last bits in which logarithms differ between machines.
    """
    normal = NormalDist()
    upper = np.array(
        [round(UNITS_PER_SD * normal.inv_cdf((2 * k + 1) / (2 * _LEVELS))) for k in range(_LEVELS // 2, _LEVELS)],
        dtype=np.int16,
    )
    table = np.concatenate([-upper[::-1], upper])
    table.flags.writeable = False
    return table


def normal_units(seed: int, name: str, digest: str, shape: tuple[int, ...]) -> NDArray[np.int16]:
    """A standard normal field in fixed point, ``UNITS_PER_SD`` units to the standard deviation.

    Parameters
    ----------
    seed : int
    name : str
        Name of the stream, for example ``"noise"``.
    digest : str
        Digest of the image that the field belongs to.
    shape : tuple of int
        Of the field; it is part of the key, so that two sizes of an image have unrelated fields.

    Returns
    -------
    int16 array of `shape`, within +-4.33 standard deviations
    """
    size = int(np.prod(shape, dtype=np.int64))
    raw = raw_integers(seed, name, digest, *shape, size=-(-size // 4))
    # Four 16-bit draws to a raw integer, the low ones first on every byte order.
    draws = raw.astype("<u8").view("<u2")[:size]
    units: NDArray[np.int16] = _quantiles()[draws].reshape(shape)
    return units


def normal_field(seed: int, name: str, digest: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """A standard normal field, bit for bit the same on every machine.

    Raw integers of a Philox stream go through a table of the inverse normal distribution with 65,536 steps; the
    values are multiples of 1/4096, which float32 holds exactly. Corruptions and occlusions draw from it, so that one
    field serves every strength.

    Parameters
    ----------
    seed : int
    name : str
        Name of the stream.
    digest : str
        Image digest.
    shape : tuple of int
        Usually (height, width): colour images get the same noise in all channels.

    Returns
    -------
    float32 array of `shape`, within +-4.33

    Examples
    --------
    >>> field = normal_field(42, "noise", "digest", (64, 64))
    >>> bool(abs(field.mean()) < 0.1 and abs(field.std() - 1) < 0.1)
    True
    """
    return normal_units(seed, name, digest, shape) * np.float32(1 / UNITS_PER_SD)


@dataclass(frozen=True, slots=True)
class AddNoise:
    """Add Gaussian noise, the same in all channels, clipped to 0..255.

    Parameters
    ----------
    sixteenths : int
        Standard deviation in sixteenths of a grey level: whole numbers keep the sum exact.
    seed : int, default 42
    """

    sixteenths: int
    seed: int = 42

    @property
    def spelling(self) -> str:
        """``noise(sd=20.375,seed=42)``."""
        return f"noise(sd={self.sixteenths / 16:g},seed={self.seed})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return the noisy image."""
        height, width = pixels.shape[:2]
        field = normal_units(self.seed, "noise", image_digest, (height, width)).astype(np.int32)
        field *= self.sixteenths
        field += 1 << 15  # rounds half up in the shift below
        if pixels.ndim == 3:
            field = field[:, :, None]
        noisy = (pixels.astype(np.int32) << 16) + field
        noisy >>= 16
        clipped: Pixels = np.clip(noisy, 0, 255).astype(np.uint8)
        return clipped
