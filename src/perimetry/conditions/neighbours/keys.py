"""Recipes and digests of images, each image looked at once a build."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.cases.image import Image

__all__ = ["Keys"]


class Keys:
    """Keeps what images say of themselves while neighbours are built, however many cases show them.

    A file asks its modification time whenever its digest is wanted: a hundred thousand cases would ask a million times.

    Examples
    --------
    >>> from pathlib import Path
    >>> from perimetry.cases.sources import FileSource
    >>> image = Image(FileSource("nowhere/a.png", key="a.png"))
    >>> keys = Keys()
    >>> keys.of((image,)) == image.recipe, keys.digest(image) == image.digest
    (True, True)
    """

    def __init__(self) -> None:
        # The image is held, so that its id stays its own.
        self._known: dict[int, tuple[Image, str, str]] = {}

    def of(self, images: Sequence[Image]) -> str:
        """Identity of an image set: the recipes of its images."""
        return "+".join([self._facts(image)[1] for image in images])

    def digest(self, image: Image) -> str:
        """`Image.digest`."""
        return self._facts(image)[2]

    def _facts(self, image: Image) -> tuple[Image, str, str]:
        known = self._known.get(id(image))
        if known is None:
            known = self._known[id(image)] = (image, image.recipe, image.digest)
        return known
