"""An image of a case: a lazy reference to pixels and the operations that a condition laid on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Image", "ImageSource", "Operation", "Pixels"]

Pixels = NDArray[np.uint8]
"""Pixels as every part of the project passes them: uint8, (height, width) for grey or (height, width, 3) for RGB."""


class ImageSource(Protocol):
    """Where an image comes from. Reading is repeatable and has no side effect.

    Implementations are small and picklable (a path, not a buffer, wherever that is possible): a plan may hold a
    hundred thousand of them.
    """

    @property
    def digest(self) -> str:
        """Content digest. An unreadable source still has one (of its name), so that a plan can be made."""
        ...

    @property
    def name(self) -> str:
        """What an error message calls this image: a path, or a row of a table."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of what `read` gives, told without decoding; raises `ImageError` as `read` does."""
        ...

    def read(self) -> Pixels:
        """Decode the pixels; raises `ImageError` when that cannot be done."""
        ...

    def encoded(self) -> tuple[bytes, str] | None:
        """The file's own bytes and media type, if a model may be sent them as they are.

        Only for 8-bit grey or RGB JPEG and PNG without an orientation mark, whose decoding equals `read()`;
        otherwise None.
        """
        ...


@runtime_checkable
class Operation(Protocol):
    """A pure change of pixels with a stable spelling; part of a request's recipe.

    Randomness comes from a Philox stream keyed by (seed, stream name, image digest): the same source image gives
    the same pixels in any process and any order.
    """

    @property
    def spelling(self) -> str:
        """Canonical spelling with every parameter that matters, seed included if it draws at random."""
        ...

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        """Return changed pixels; never writes to its input."""
        ...


@dataclass(frozen=True, slots=True)
class Image:
    """A lazy image: a source, and the operations to lay on its pixels when they are asked for.

    Parameters
    ----------
    source : ImageSource
        Where the pixels come from.
    operations : tuple of Operation, default ()
        Applied in order by `pixels`.
    view : str, default ""
        Projection or modality when the data set gives one, for example ``"PA"``.
    """

    source: ImageSource
    operations: tuple[Operation, ...] = ()
    view: str = ""

    @property
    def digest(self) -> str:
        """Content digest of the source, before any operation."""
        return self.source.digest

    @property
    def recipe(self) -> str:
        """Source digest and operations: equal recipes give equal pixels."""
        return "|".join((self.source.digest, *(operation.spelling for operation in self.operations)))

    def pixels(self) -> Pixels:
        """Decode and apply the operations.

        Returns
        -------
        uint8 array, (height, width) or (height, width, 3)

        Raises
        ------
        ImageError
            When the source cannot be read.
        """
        pixels = self.source.read()
        for operation in self.operations:
            pixels = operation.apply(pixels, self.source.digest)
        return pixels

    def with_operations(self, *operations: Operation) -> Image:
        """The same image with further operations laid on."""
        return replace(self, operations=(*self.operations, *operations))


def recipes(images: Sequence[Image]) -> tuple[str, ...]:
    """Recipes of several images, in order."""
    return tuple(image.recipe for image in images)
