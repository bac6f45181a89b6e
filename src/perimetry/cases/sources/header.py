"""Height and width of an encoded image from its header, as `decode` would give them."""

from __future__ import annotations

import io

from perimetry.cases.errors import ImageError
from perimetry.cases.sources.decode import orientation
from perimetry.cases.sources.passthrough import has_no_orientation

__all__ = ["header_shape"]

TIFF_WIDTH = 256
TIFF_HEIGHT = 257

_LYING = 5
"""EXIF orientations from here on change height and width."""


def header_shape(data: bytes, name: str) -> tuple[int, int]:
    """Height and width of the upright image; the pixels are not decoded.

    A file that is damaged behind its header has a shape, and fails when it is read.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What an error message calls the image.

    Raises
    ------
    ImageError
        When the header cannot be read.

    Examples
    --------
    >>> from perimetry.cases.png import encode_png
    >>> import numpy as np
    >>> header_shape(encode_png(np.zeros((2, 3), np.uint8)), "made")
    (2, 3)
    """
    if data[128:132] == b"DICM":
        return _dicom_shape(data, name)
    from PIL import Image as PillowImage

    try:
        with PillowImage.open(io.BytesIO(data)) as image:
            tags = getattr(image, "tag_v2", None)
            # Newer versions of Pillow give the upright size of a TIFF, older ones that of its rows.
            width, height = image.size if tags is None else (int(tags[TIFF_WIDTH]), int(tags[TIFF_HEIGHT]))
            lying = not has_no_orientation(data, image.format or "") and orientation(image) >= _LYING
    except (OSError, SyntaxError, ValueError, KeyError, PillowImage.DecompressionBombError) as error:
        raise ImageError(
            f"{name} ({len(data):,} bytes) has no header that can be read: {str(error) or type(error).__name__}. An "
            "image was expected: copy or download it again."
        ) from error
    return (width, height) if lying else (height, width)


def _dicom_shape(data: bytes, name: str) -> tuple[int, int]:
    try:
        import pydicom
    except ImportError as error:
        raise ImageError(
            f"{name} is a DICOM file, which needs the extra 'dicom'. Install it (pip install 'perimetry[dicom]') or "
            "convert the images to PNG."
        ) from error
    try:
        header = pydicom.dcmread(io.BytesIO(data), stop_before_pixels=True, specific_tags=["Rows", "Columns"])
        return int(header.Rows), int(header.Columns)
    except Exception as error:
        raise ImageError(
            f"{name} is a DICOM file whose header cannot be read: {error}. Copy or download it again."
        ) from error
