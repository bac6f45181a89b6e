"""The pool of images that neighbours come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import ImageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.question import Question
from perimetry.conditions.neighbours.embedder import Embedder, Vectors
from perimetry.conditions.neighbours.keys import Keys

__all__ = ["Embedded", "ImageSet", "Progress", "embed_sets", "image_sets", "pool_digest"]

Progress = Callable[[int, int], None]
"""Called with the number of images embedded so far and of all."""

_BATCH = 16


@dataclass(frozen=True, slots=True)
class ImageSet:
    """The images that one or more cases show together.

    Parameters
    ----------
    key : str
        Recipes of the images: equal keys are equal pixels.
    images : tuple of Image
    cases : tuple of Question
        Every case of the pool that shows exactly these images, sorted by data set and id.
    """

    key: str
    images: tuple[Image, ...]
    cases: tuple[Question, ...]

    @property
    def digests(self) -> frozenset[str]:
        """Content digests of the images."""
        return frozenset(image.digest for image in self.images)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Unit vectors of image sets, and the sets that have none.

    Parameters
    ----------
    vectors : float32 array, (sets, dimensions)
    rows : dict of str to int
        Row of each readable set by its key.
    unreadable : dict of str to str
        Name of each unreadable image, and why.
    keys : Keys
        What the images of this build say of themselves.
    """

    vectors: Vectors
    rows: dict[str, int]
    unreadable: dict[str, str] = field(default_factory=dict)
    keys: Keys = field(default_factory=Keys)


def image_sets(pool: Iterable[Question], keys: Keys | None = None) -> tuple[ImageSet, ...]:
    """Distinct image sets of a pool, sorted by key; independent of the order of the pool."""
    keys = keys or Keys()
    images: dict[str, tuple[Image, ...]] = {}
    cases: dict[str, list[Question]] = {}
    for question in sorted(pool, key=lambda question: (question.dataset, question.id)):
        if question.images:
            key = keys.of(question.images)
            images.setdefault(key, question.images)
            cases.setdefault(key, []).append(question)
    return tuple(ImageSet(key, images[key], tuple(cases[key])) for key in sorted(images))


def pool_digest(pool: Iterable[Question]) -> str:
    """Digest of what a pool offers: its cases with their images, questions and golds, in any order."""
    keys = Keys()

    def recipe(image: Image) -> str:
        return keys.of((image,))

    lines = sorted(
        digest_parts((question.dataset, question.id, question.digest_by(recipe), *question.accepted))
        for question in pool
    )
    return digest_parts(lines)


def embed_sets(
    sets: Sequence[tuple[str, tuple[Image, ...]]],
    embedder: Embedder,
    progress: Progress | None = None,
    keys: Keys | None = None,
) -> Embedded:
    """Embed image sets, each distinct image once; a set is the normalised mean of its images.

    Parameters
    ----------
    sets : sequence of (key, images)
        Keys are distinct.
    embedder : Embedder
    progress : callable or None
    keys : Keys or None
        What is known of the images already.

    Returns
    -------
    Embedded
        Rows in the order of `sets`; a set with an unreadable image has none.
    """
    distinct = {image.recipe: image for _, images in sets for image in images}
    vectors, places, unreadable = _embed_images(distinct, embedder, progress)
    readable = {
        key: [places[image.recipe] for image in images]
        for key, images in sets
        if all(image.recipe in places for image in images)
    }
    stacked = np.empty((len(readable), vectors.shape[1]), dtype=np.float32)
    for row, own in enumerate(readable.values()):
        stacked[row] = _mean(vectors[own])
    return Embedded(stacked, {key: row for row, key in enumerate(readable)}, unreadable, keys or Keys())


def _embed_images(
    images: dict[str, Image], embedder: Embedder, progress: Progress | None
) -> tuple[Vectors, dict[str, int], dict[str, str]]:
    """Vectors, the row of each recipe, and what could not be read; few decoded images are held at once."""
    vectors: Vectors = np.zeros((0, 0), dtype=np.float32)
    places: dict[str, int] = {}
    unreadable: dict[str, str] = {}
    waiting: list[tuple[str, Pixels]] = []
    for done, (recipe, image) in enumerate(sorted(images.items()), start=1):
        try:
            waiting.append((recipe, image.pixels()))
        except ImageError as error:
            unreadable[image.source.name] = str(error)
        if waiting and (len(waiting) == _BATCH or done == len(images)):
            rows = embedder.embed([pixels for _, pixels in waiting])
            if not places:
                vectors = np.empty((len(images), rows.shape[1]), dtype=np.float32)
            for (name, _), row in zip(waiting, rows, strict=True):
                vectors[len(places)] = row
                places[name] = len(places)
            waiting.clear()
        if progress is not None:
            progress(done, len(images))
    return vectors, places, unreadable


def _mean(vectors: Vectors) -> Vectors:
    """Normalised mean of a set's vectors."""
    if len(vectors) == 1:
        only: Vectors = vectors[0]
        return only
    total = vectors.astype(np.float64).sum(axis=0)
    norm = float(np.linalg.norm(total))
    mean: Vectors = (total / norm if norm > 0 else total).astype(np.float32)
    return mean
