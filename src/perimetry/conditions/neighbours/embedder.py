"""Embedders: what makes two images similar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Pixels
from perimetry.conditions.pixels.resample import box_sums

__all__ = ["Embedder", "PixelEmbedder", "Vectors", "parse_embedder"]

Vectors = NDArray[np.float32]
"""L2-normalised rows, (images, dimensions)."""


class Embedder(Protocol):
    """Turns images into unit vectors whose inner product is their similarity."""

    @property
    def name(self) -> str:
        """Name with all that matters for the vectors; stored with every neighbour index."""
        ...

    def embed(self, images: Sequence[Pixels]) -> Vectors:
        """Embed images; each row depends on its own image alone.

        Returns
        -------
        float32 array, (images, dimensions)
            L2-normalised rows; a row of zeros for an image that has no direction (a constant one).
        """
        ...


@dataclass(frozen=True, slots=True)
class PixelEmbedder:
    """The embedded default: a z-scored thumbnail of the grey image, averaged over even boxes.

    The inner product of two such vectors is the correlation of the thumbnails: brightness and contrast do not
    matter, the aspect ratio is not kept. All sums are whole numbers, so that the vectors are the same on every
    machine. It knows nothing of medicine: it finds the same view of a similar body.

    Parameters
    ----------
    side : int, default 32
        Pixels of the thumbnail along each side.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.arange(4096, dtype=np.uint8).reshape(64, 64)
    >>> vectors = PixelEmbedder().embed([image, image // 2])
    >>> bool(vectors[0] @ vectors[1] > 0.999)
    True
    """

    side: int = 32

    @property
    def name(self) -> str:
        """``pixels`` for the default side, else for example ``pixels(side=16)``."""
        return "pixels" if self.side == 32 else f"pixels(side={self.side})"

    def embed(self, images: Sequence[Pixels]) -> Vectors:
        """Embed images; see `Embedder`."""
        vectors = np.zeros((len(images), self.side * self.side), dtype=np.float32)
        for row, pixels in enumerate(images):
            vectors[row] = self._embed(pixels)
        return vectors

    def _embed(self, pixels: Pixels) -> NDArray[np.float32]:
        area = pixels.shape[0] * pixels.shape[1]
        sums = box_sums(pixels, self.side, self.side)
        # ITU-R 601 luma in thousandths, as Pillow and most viewers take it.
        grey = sums * 1000 if sums.ndim == 2 else sums @ np.array([299, 587, 114], dtype=np.int64)
        # 1/256 of a grey level is far below the noise of any image and keeps every later sum inside 64 bits.
        levels = (grey * 256 // (1000 * area)).reshape(-1)
        centred = levels * levels.size - levels.sum()
        norm = float(np.sqrt(np.float64((centred * centred).sum())))
        if norm == 0.0:
            return np.zeros(levels.size, dtype=np.float32)
        unit: NDArray[np.float32] = (centred / norm).astype(np.float32)
        return unit


def parse_embedder(text: str) -> Embedder:
    """Read an embedder: ``pixels``, or ``clip:PATH_OR_HUB_ID`` (extra ``hf``).

    Raises
    ------
    UsageError
        When the text is neither.

    Examples
    --------
    >>> parse_embedder("pixels").name
    'pixels'
    """
    kind, _, source = text.strip().partition(":")
    if kind == "pixels" and not source:
        return PixelEmbedder()
    if kind == "clip" and source:
        from perimetry.conditions.neighbours.clip import ClipEmbedder

        return ClipEmbedder(source)
    raise UsageError(
        f"Embedder {text!r} is not known; expected pixels, or clip: with the path or hub id of a CLIP-type model, "
        "for example clip:openai/clip-vit-large-patch14."
    )
