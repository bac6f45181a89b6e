"""JPEG compression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Pixels

__all__ = ["Jpeg"]


@dataclass(frozen=True, slots=True)
class Jpeg:
    """Compress an image as JPEG and decode it again.

    The one operation whose pixels depend on a library: the JPEG codec that Pillow carries. They are the same for
    one version of it.

    Parameters
    ----------
    quality : int in 1..95
        As libjpeg counts it; colour is subsampled 4:2:0.
    """

    quality: int

    @property
    def spelling(self) -> str:
        """``jpeg(quality=15)``."""
        return f"jpeg(quality={self.quality})"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return the compressed and decoded image."""
        import io

        from PIL import Image as PillowImage

        buffer = io.BytesIO()
        subsampling = 2 if pixels.ndim == 3 else 0
        try:
            PillowImage.fromarray(pixels).save(buffer, "JPEG", quality=self.quality, subsampling=subsampling)
        except OSError as error:
            raise ImageError(
                f"Image {image_digest}: {pixels.shape[1]}x{pixels.shape[0]} pixels cannot be a JPEG ({error}); "
                "expected at most 65,500 along each side. Leave the condition jpeg out for this image."
            ) from error
        with PillowImage.open(buffer) as decoded:
            return np.array(decoded, dtype=np.uint8)
