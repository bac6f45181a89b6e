"""Where a phantom's pixels come from: they are drawn when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from perimetry.cases.digest import digest_parts
from perimetry.cases.image import Pixels
from perimetry.phantoms.radiograph import DRAWING, RadiographSpec, radiograph

__all__ = ["PhantomSource"]

_KEPT = 32


@dataclass(frozen=True, slots=True)
class PhantomSource:
    """An `ImageSource` that draws. It holds the recipe only, so that a hundred thousand of them are small.

    Parameters
    ----------
    spec : RadiographSpec
    size : int, default 256
    seed : int, default 0

    Examples
    --------
    >>> source = PhantomSource(RadiographSpec(("Cardiomegaly",)), seed=3)
    >>> source.read().shape
    (256, 256)
    """

    spec: RadiographSpec
    size: int = 256
    seed: int = 0

    @property
    def digest(self) -> str:
        """Digest of the recipe and of the version of the drawing."""
        return digest_parts(
            ["phantom", str(DRAWING), str(self.size), str(self.seed), str(self.spec.overlap), *self.spec.findings]
        )

    @property
    def name(self) -> str:
        """What an error message calls this image."""
        return f"phantom {self.seed} ({', '.join(self.spec.findings) or 'no finding'})"

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width, which are equal."""
        return self.size, self.size

    def read(self) -> Pixels:
        """Draw the picture, rounded to grey levels; uint8, (size, size), read-only."""
        return _drawn(self)

    def encoded(self) -> None:
        """A phantom has no file."""
        return


@lru_cache(maxsize=_KEPT)
def _drawn(source: PhantomSource) -> Pixels:
    pixels = np.rint(radiograph(source.spec, source.size, source.seed).pixels).astype(np.uint8)
    pixels.flags.writeable = False
    return pixels
