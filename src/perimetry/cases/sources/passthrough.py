"""Whether a file may be sent to a model as it is."""

from __future__ import annotations

import io

from perimetry.cases.sources.decode import orientation, pixel_limit

__all__ = ["has_no_orientation", "media_type"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_END = b"IEND\xaeB`\x82"
PNG_BIT_DEPTH = 24
JPEG_START = b"\xff\xd8\xff"
JPEG_END = b"\xff\xd9"
# Where a PNG can say how it is turned: a chunk, or the key of a text chunk; keys are never compressed.
PNG_ORIENTATION_MARKS = (b"eXIf", b"Raw profile type", b"XML:com.adobe.xmp")


def media_type(data: bytes) -> str | None:
    """Media type of an 8-bit grey or RGB JPEG or PNG whose plain decoding is what `decode` gives, else None.

    Only the header and the end mark are looked at: a file that is damaged between them passes.

    Examples
    --------
    >>> media_type(b"GIF89a") is None
    True
    """
    if data.startswith(JPEG_START):
        expected, kind, complete = "JPEG", "image/jpeg", data.endswith(JPEG_END)
    elif data.startswith(PNG_SIGNATURE):
        complete = data.endswith(PNG_END) and data[PNG_BIT_DEPTH] == 8
        expected, kind = "PNG", "image/png"
    else:
        return None
    return kind if complete and _is_plain(data, expected) else None


def _is_plain(data: bytes, expected: str) -> bool:
    from PIL import Image as PillowImage

    try:
        with PillowImage.open(io.BytesIO(data)) as image:
            # An MPO or an animated PNG is told by its format or frame count.
            return (
                image.format == expected
                and image.mode in ("L", "RGB")
                and not image.has_transparency_data
                and getattr(image, "n_frames", 1) == 1
                and image.width * image.height <= pixel_limit()
                and (has_no_orientation(data, expected) or orientation(image) == 1)
            )
    except (OSError, SyntaxError, ValueError, PillowImage.DecompressionBombError):
        return False


def has_no_orientation(data: bytes, expected: str) -> bool:
    """Whether a PNG certainly carries no orientation; asking Pillow would decode all of it, for it may stand last."""
    return expected == "PNG" and not any(mark in data for mark in PNG_ORIENTATION_MARKS)
