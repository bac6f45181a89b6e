"""Width and height of an image file, from its first bytes: nothing is decoded."""

from __future__ import annotations

import os

from perimetry.cases.errors import ImageError
from perimetry.cases.sources.decode import orientation

__all__ = ["image_size"]

TURNED = (5, 6, 7, 8)


def image_size(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Width and height in pixels as `perimetry.cases.Image.pixels` will have them (EXIF orientation is applied).

    Raises
    ------
    ImageError
        When the file is not there or its header cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from perimetry.cases.png import encode_png
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.png").write_bytes(encode_png(np.zeros((2, 3), np.uint8)))
    ...     image_size(Path(folder, "a.png"))
    (3, 2)
    """
    from PIL import Image as PillowImage

    try:
        with PillowImage.open(path) as image:
            width, height = image.size
            # Only JPEG files come turned; elsewhere the question would decode the whole image.
            turned = image.format in ("JPEG", "MPO") and orientation(image) in TURNED
    except (OSError, SyntaxError, ValueError, PillowImage.DecompressionBombError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ImageError(
            f"{path}: its width and height cannot be read ({reason}). Copy or download it again."
        ) from error
    return (height, width) if turned else (width, height)
