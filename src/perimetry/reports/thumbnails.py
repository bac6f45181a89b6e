"""Images of cases, small enough for a page."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from perimetry.reports.browser import ImageLike

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["LARGEST_SIDE", "Thumbnails"]

LARGEST_SIDE = 256
"""Pixels of a thumbnail's longer side, at most."""

QUALITY = 82


class Thumbnails:
    """Writes thumbnails into a folder; equal images become one file.

    Parameters
    ----------
    folder : Path
        Where the files go; made with the first one.
    base : Path
        Where relative paths of images start.
    """

    def __init__(self, folder: Path, base: Path) -> None:
        self.folder = folder
        self.base = base
        self.written = 0
        self.unreadable = 0

    def add(self, image: ImageLike) -> str | None:
        """Write one thumbnail and return its file name; None when the image cannot be read (counted)."""
        from PIL import Image, UnidentifiedImageError

        try:
            picture = self.opened(image)
            picture.draft("RGB", (LARGEST_SIDE * 2, LARGEST_SIDE * 2))
            small = eight_bit(picture)
            small.thumbnail((LARGEST_SIDE, LARGEST_SIDE), Image.Resampling.LANCZOS, reducing_gap=2.0)
        except (OSError, UnidentifiedImageError, ValueError, SyntaxError, Image.DecompressionBombError):
            self.unreadable += 1
            return None
        content = small.tobytes() + repr((small.size, small.mode)).encode()
        name = f"{hashlib.sha256(content).hexdigest()[:20]}.webp"
        path = self.folder / name
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            out = io.BytesIO()
            small.save(out, "WEBP", quality=QUALITY, method=1)
            path.write_bytes(out.getvalue())
            self.written += 1
        return name

    def opened(self, image: ImageLike) -> Image.Image:
        """Open whatever form an image comes in."""
        from PIL import Image

        if isinstance(image, np.ndarray):
            return Image.fromarray(np.ascontiguousarray(image, dtype=np.uint8))
        if isinstance(image, bytes):
            return Image.open(io.BytesIO(image))
        return Image.open(self.base / image)


def eight_bit(picture: Image.Image) -> Image.Image:
    """Grey or RGB with 8 bits; 16-bit pixels are spread over their own range, so that they are not all white."""
    from PIL import Image

    if picture.mode in ("I", "I;16", "I;16B", "F"):
        wide = np.asarray(picture, dtype=np.float64)
        low, high = float(wide.min()), float(wide.max())
        return Image.fromarray(((wide - low) * (255.0 / max(high - low, 1e-9))).astype(np.uint8))
    return picture.convert("L" if picture.mode in ("1", "L", "LA") else "RGB")
