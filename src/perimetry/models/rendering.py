"""From a lazy image to the bytes that a model is sent."""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.png import Effort

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

    from perimetry.models.decoded import DecodedImages

__all__ = ["ImagePolicy", "Rendered", "as_it_is", "data_url", "data_url_pieces", "fit", "render"]


@dataclass(frozen=True, slots=True)
class ImagePolicy:
    """What images a model takes.

    Parameters
    ----------
    format : {"png", "jpeg"}, default "png"
        Encoding of images that have to be encoded. PNG keeps every pixel; JPEG does not.
    quality : int, default 95
        JPEG quality, 1 to 100.
    max_edge : int or None
        Longest side in pixels; larger images are reduced, never enlarged.
    max_pixels : int or None
        Area in pixels; larger images are reduced.
    max_count : int or None
        Images a request may hold; a request with more is refused, none is dropped in silence.
    pass_through : bool, default True
        Whether an image that no condition changed may be sent as the file's own bytes (PNG or JPEG).
    """

    format: Literal["png", "jpeg"] = "png"
    quality: int = 95
    max_edge: int | None = None
    max_pixels: int | None = None
    max_count: int | None = None
    pass_through: bool = True

    def __post_init__(self) -> None:
        if self.format not in ("png", "jpeg"):
            raise UsageError(f"Image policy: format is {self.format!r}, expected 'png' or 'jpeg'.")
        if not 1 <= self.quality <= 100:
            raise UsageError(f"Image policy: quality is {self.quality}, expected 1 to 100.")
        for name in ("max_edge", "max_pixels", "max_count"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"Image policy: {name} is {value}, expected a positive number.")

    def size(self, width: int, height: int) -> tuple[int, int]:
        """The size at which an image of that size is sent.

        Examples
        --------
        >>> ImagePolicy(max_edge=100).size(400, 200)
        (100, 50)
        """
        scale = 1.0
        if self.max_edge is not None:
            scale = min(scale, self.max_edge / max(width, height))
        if self.max_pixels is not None:
            scale = min(scale, (self.max_pixels / (width * height)) ** 0.5)
        if scale >= 1.0:
            return width, height
        return max(1, int(width * scale + 1e-9)), max(1, int(height * scale + 1e-9))


@dataclass(frozen=True, slots=True)
class Rendered:
    """An encoded image and its media type."""

    data: bytes
    media_type: str


def fit(pixels: Pixels, policy: ImagePolicy) -> Pixels:
    """Reduce pixels to what a policy allows (Lanczos); returns its input where it fits already."""
    height, width = pixels.shape[:2]
    size = policy.size(width, height)
    if size == (width, height):
        return pixels
    from PIL import Image as Pillow

    resized: PillowImage = Pillow.fromarray(pixels).resize(size, Pillow.Resampling.LANCZOS)
    return np.asarray(resized, dtype=np.uint8)


def render(
    image: Image,
    policy: ImagePolicy = ImagePolicy(),
    decoded: DecodedImages | None = None,
    effort: Effort = "fast",
) -> Rendered:
    """Encode one image for a model.

    An image that no condition changed is passed through as the file's own bytes where the policy and the file
    allow it: nothing is decoded, and the model sees what it would see outside an audit. All else is decoded,
    changed, reduced where it is too large, and encoded.

    Parameters
    ----------
    image : Image
    policy : ImagePolicy, optional
    decoded : DecodedImages, optional
        Where pixels that were decoded for another request are found; changes no byte.
    effort : {"none", "fast", "small"}, default "fast"
        Of the PNG writer. ``none`` is for a server on this machine, where bytes cost less than compressing them; the
        pixels are the same.

    Raises
    ------
    ImageError
        When the image cannot be read.
    """
    own = as_it_is(image, policy)
    if own is not None:
        return own
    from perimetry.cases.png import encode_jpeg, encode_png

    pixels = fit(image.pixels() if decoded is None else decoded.pixels(image), policy)
    if policy.format == "jpeg":
        return Rendered(encode_jpeg(pixels, policy.quality), "image/jpeg")
    return Rendered(encode_png(pixels, effort), "image/png")


def as_it_is(image: Image, policy: ImagePolicy) -> Rendered | None:
    """The image's own file where it may be sent unchanged, else None; costs no more than reading the file."""
    if not policy.pass_through or image.operations:
        return None
    own = image.source.encoded()
    return Rendered(*own) if own is not None and _fits(own[0], policy) else None


def _fits(data: bytes, policy: ImagePolicy) -> bool:
    if policy.max_edge is None and policy.max_pixels is None:
        return True
    from io import BytesIO

    from PIL import Image as Pillow

    with Pillow.open(BytesIO(data)) as opened:  # reads the header only
        return policy.size(*opened.size) == opened.size


def data_url_pieces(rendered: Rendered) -> tuple[bytes, bytes]:
    """Head and payload of the ``data:`` URL, apart: a caller that joins more lays them in without a further copy."""
    head = b"data:" + rendered.media_type.encode("ascii") + b";base64,"
    return head, binascii.b2a_base64(rendered.data, newline=False)


def data_url(rendered: Rendered) -> bytes:
    """The ``data:`` URL of an encoded image, as ASCII bytes; needs no escaping inside a JSON string.

    Examples
    --------
    >>> data_url(Rendered(b"lung", "image/png"))
    b'data:image/png;base64,bHVuZw=='
    """
    return b"".join(data_url_pieces(rendered))
