"""The radiographs of a review: plain ones for the page, and ones with the box drawn."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from perimetry.cases.image import Pixels
from perimetry.cases.study import Box

if TYPE_CHECKING:
    from PIL import Image as PillowImage

__all__ = ["LARGEST_SIDE", "Picture", "picture_of"]

LARGEST_SIDE = 1024
QUALITY = 90
COLOUR = (255, 210, 0)
WIDTH = 3


@dataclass(frozen=True, slots=True)
class Picture:
    """One radiograph.

    Parameters
    ----------
    plain, drawn : bytes
        JPEG, without and with the box.
    place : tuple of four float
        Left, top, width and height of the box in percent of the image.
    """

    plain: bytes
    drawn: bytes
    place: tuple[float, float, float, float]


def picture_of(pixels: Pixels, box: Box) -> Picture:
    """The radiograph, no larger than 1024 pixels, and its box.

    Examples
    --------
    >>> picture_of(np.zeros((10, 20), np.uint8), Box(0, 5, 0, 10, 5)).place
    (25.0, 0.0, 50.0, 50.0)
    """
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    height, width = pixels.shape[:2]
    image = PillowImage.fromarray(np.ascontiguousarray(pixels)).convert("RGB")
    image.thumbnail((LARGEST_SIDE, LARGEST_SIDE), PillowImage.Resampling.LANCZOS)
    drawn = image.copy()
    scale = image.width / width
    corners = [each * scale for each in (box.x, box.y, box.x + box.width, box.y + box.height)]
    ImageDraw.Draw(drawn).rectangle(corners, outline=COLOUR, width=WIDTH)
    place = (box.x / width, box.y / height, box.width / width, box.height / height)
    return Picture(_jpeg(image), _jpeg(drawn), (100 * place[0], 100 * place[1], 100 * place[2], 100 * place[3]))


def _jpeg(image: PillowImage.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
