"""Decoded images that are kept for a while: the conditions of one image are asked one after another."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock

from perimetry.cases.image import Image, Pixels

__all__ = ["DecodedImages"]

KEPT_BYTES = 64_000_000
"""Sixteen radiographs of 2,000 x 2,000 pixels, or 250 of 512 x 512."""


class DecodedImages:
    """Pixels of the images that were asked for last; threads that want one image decode it once.

    Nothing else depends on it: an image is found by its content digest, its pixels cannot be written to, and
    operations are laid on them anew each time.

    Parameters
    ----------
    kept_bytes : int
        Bytes of pixels that are kept; an image that is larger than that is not kept at all.

    Examples
    --------
    >>> import numpy as np
    >>> from perimetry.cases.png import encode_png
    >>> from perimetry.cases.sources import BytesSource
    >>> image = Image(BytesSource(encode_png(np.zeros((2, 3), np.uint8)), "made"))
    >>> decoded = DecodedImages()
    >>> decoded.pixels(image).shape, decoded.source(image) is decoded.source(image)
    ((2, 3), True)
    """

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._held = 0
        self._known: OrderedDict[str, Future[Pixels]] = OrderedDict()
        self._lock = Lock()

    def pixels(self, image: Image) -> Pixels:
        """The pixels of an image with its operations: what `Image.pixels` gives, and raises."""
        pixels = self.source(image)
        for operation in image.operations:
            pixels = operation.apply(pixels, image.digest)
        return pixels

    def source(self, image: Image) -> Pixels:
        """The pixels of an image without its operations, read-only; raises `ImageError`."""
        digest = image.digest
        decoding: Future[Pixels] = Future()
        with self._lock:
            known = self._known.setdefault(digest, decoding)
            self._known.move_to_end(digest)
        if known is not decoding:
            return known.result()
        try:
            pixels = image.source.read().view()
        except BaseException as error:  # whoever waits for this image gets the same error; a later request tries anew
            with self._lock:
                del self._known[digest]
            decoding.set_exception(error)
            raise
        pixels.flags.writeable = False
        decoding.set_result(pixels)
        with self._lock:
            self._held += pixels.nbytes
            self._forget()
        return pixels

    def _forget(self) -> None:
        """Let go of what was asked for longest ago, until the rest fits; what is being decoded stays."""
        for digest, known in list(self._known.items()):
            if self._held <= self._kept_bytes:
                return
            if known.done():
                self._held -= known.result().nbytes
                del self._known[digest]
