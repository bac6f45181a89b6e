"""Encoded image bytes to uint8 pixels, the same way wherever the bytes come from."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.image import Pixels
from perimetry.cases.sources.grey import stretch

if TYPE_CHECKING:
    from PIL import Image as PillowImage

__all__ = ["MAX_PIXELS", "PIXELS_VARIABLE", "Decoded", "decode", "orientation", "pixel_limit"]

MAX_PIXELS = 80_000_000
"""Images with more pixels are refused before they are decoded; a large mammogram has 14 million."""

PIXELS_VARIABLE = "PERIMETRY_MAX_PIXELS"
"""Environment variable that sets another limit than `MAX_PIXELS`."""

EXIF_ORIENTATION = 0x0112
TIFF_PHOTOMETRIC = 262


@dataclass(frozen=True, slots=True)
class Decoded:
    """Pixels, and what was done to bring them to 8 bits and an upright position.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
    conversion : str
        Empty when the file already held 8-bit grey or RGB pixels; else for example
        ``"16-bit grey, 211..60112 (0.5 to 99.5 percentile) to 0..255"``.
    """

    pixels: Pixels
    conversion: str = ""


def pixel_limit() -> int:
    """The limit in force: `MAX_PIXELS`, or what the environment variable PERIMETRY_MAX_PIXELS says."""
    given = os.environ.get(PIXELS_VARIABLE, "").replace("_", "").strip()
    if not given:
        return MAX_PIXELS
    if not given.isdecimal() or int(given) == 0:
        raise UsageError(f"{PIXELS_VARIABLE} is {given!r}; a positive whole number of pixels was expected.")
    return int(given)


def decode(data: bytes, name: str) -> Decoded:
    """Decode the first frame of an encoded image.

    EXIF orientation is applied. Palettes, CMYK and other colour models become RGB, 1-bit becomes grey. An alpha
    channel is dropped when it is opaque everywhere, else the image is laid on black. 16-bit grey (PNG, TIFF) and
    floating-point pixels are stretched from their 0.5 to 99.5 percentile range; of 16-bit colour the high bytes are
    kept. DICOM uses its own window and photometric interpretation (extra ``dicom``).

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What an error message calls the image.

    Raises
    ------
    ImageError
        When the bytes are empty, truncated, not an image, or hold more than `pixel_limit` pixels.

    Examples
    --------
    >>> from perimetry.cases.png import encode_png
    >>> import numpy as np
    >>> decode(encode_png(np.zeros((2, 3), np.uint8)), "made").pixels.shape
    (2, 3)
    """
    if not data:
        raise ImageError(f"{name} is empty (0 bytes) where an image was expected. Copy or download it again.")
    if data[128:132] == b"DICM":
        from perimetry.cases.sources.dicom import decode_dicom

        return Decoded(*decode_dicom(data, name))
    from PIL import Image as PillowImage
    from PIL import UnidentifiedImageError

    try:
        with PillowImage.open(io.BytesIO(data)) as image:
            _refuse_bomb(image.size, name)
            return _upright(image)
    except (ImageError, UsageError):
        raise
    except UnidentifiedImageError as error:
        raise ImageError(
            f"{name} is not an image that can be read: its first bytes are {data[:8]!r}; PNG, JPEG, TIFF, DICOM or "
            "another format that Pillow reads was expected. Replace the file."
        ) from error
    except PillowImage.DecompressionBombError as error:
        # Pillow's own limit stands above any that the variable sets.
        raise ImageError(f"{name} is too large: {error} Downscale the image.") from error
    except Exception as error:
        raise ImageError(
            f"{name} ({len(data):,} bytes) cannot be decoded: {str(error) or type(error).__name__}. It is "
            "probably truncated or damaged: copy or download it again."
        ) from error


def orientation(image: PillowImage.Image) -> int:
    """EXIF orientation of an opened image, 1 (upright) when it has none or an unreadable one."""
    try:
        value = image.getexif().get(EXIF_ORIENTATION, 1)
    except (SyntaxError, ValueError, KeyError, TypeError, OSError):
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _refuse_bomb(size: tuple[int, int], name: str) -> None:
    width, height = size
    if width * height > pixel_limit():
        raise ImageError(f"{name} is too large: {width} x {height} = {width * height:,} pixels. {_limit_hint()}")


def _limit_hint() -> str:
    return f"The limit is {pixel_limit():,} pixels: downscale the image, or raise {PIXELS_VARIABLE}."


def _upright(image: PillowImage.Image) -> Decoded:
    from PIL import ImageOps

    notes = []
    if (turned := orientation(image)) != 1:
        notes.append(f"EXIF orientation {turned} applied")
    deep = image.mode.startswith("I") or image.mode == "F"
    inverted = deep and _min_is_white(image)
    image.load()
    if turned != 1:
        image = ImageOps.exif_transpose(image)
    if deep:
        pixels, note = stretch(np.asarray(image), inverted=inverted)
    else:
        pixels, note = _eight_bit(image)
    return Decoded(pixels, "; ".join([*notes, note] if note else notes))


def _min_is_white(image: PillowImage.Image) -> bool:
    # Pillow inverts such TIFFs itself at 8 bits, not at 16.
    tags = getattr(image, "tag_v2", None)
    return tags is not None and tags.get(TIFF_PHOTOMETRIC) == 0


def _eight_bit(image: PillowImage.Image) -> tuple[Pixels, str]:
    if image.has_transparency_data:
        return _without_alpha(image)
    if image.mode in ("L", "RGB"):
        return np.array(image, dtype=np.uint8), ""
    target = "L" if image.mode == "1" else "RGB"
    return np.array(image.convert(target), dtype=np.uint8), f"{image.mode} to {target}"


def _without_alpha(image: PillowImage.Image) -> tuple[Pixels, str]:
    grey = image.mode in ("1", "L", "LA", "La")
    channels = np.array(image.convert("LA" if grey else "RGBA"), dtype=np.uint8)
    colour = np.ascontiguousarray(channels[..., 0] if grey else channels[..., :3])
    alpha = channels[..., -1].astype(np.uint16)
    if int(alpha.min(initial=255)) == 255:
        return colour, "opaque alpha dropped"
    weight = alpha if grey else alpha[..., None]
    return ((colour * weight + 127) // 255).astype(np.uint8), "alpha laid on black"
