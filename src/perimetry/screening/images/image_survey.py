"""The pass over the images of all items that goes before the image screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from perimetry.cases import Image
from perimetry.screening.images.facts import ImageFacts, Reader, look
from perimetry.screening.images.kept import KeptFacts
from perimetry.screening.images.perceptual import near_duplicates
from perimetry.screening.images.provenance import Provenance, Sheet, provenance, split_lines
from perimetry.screening.images.reading import TextLine
from perimetry.screening.item import Item

__all__ = ["ImageSurvey", "survey"]

NAMED = 3


@dataclass(frozen=True, eq=False)
class ImageSurvey:
    """What is known of all images of a data set.

    Parameters
    ----------
    facts : mapping of image recipe to ImageFacts
    provenance : tuple of Provenance
        Text that repeats over the data set.
    duplicates : mapping of image recipe to tuple of recipes
        Images that show nearly the same.
    holders : mapping of image recipe to str
        An item that shows it, the first by id.
    """

    facts: Mapping[str, ImageFacts] = field(repr=False)
    provenance: tuple[Provenance, ...] = ()
    duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    holders: Mapping[str, str] = field(default_factory=dict, repr=False)

    def of(self, image: Image) -> ImageFacts | None:
        """Facts of an image, if it was looked at and can be read."""
        found = self.facts.get(image.recipe)
        return None if found is None or found.error else found

    def own_lines(self, image: Image) -> tuple[TextLine, ...]:
        """Lines of an image that belong to no provenance layer."""
        found = self.of(image)
        return split_lines(found.reading.lines, self.provenance)[1] if found else ()

    def source_lines(self, image: Image) -> tuple[TextLine, ...]:
        """Lines of an image that belong to a provenance layer."""
        found = self.of(image)
        return split_lines(found.reading.lines, self.provenance)[0] if found else ()

    @property
    def unreadable(self) -> dict[str, str]:
        """Why images, or their text, cannot be read, by recipe."""
        told = {recipe: facts.error or facts.reading.error for recipe, facts in self.facts.items()}
        return {recipe: reason for recipe, reason in told.items() if reason}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the page says of the images as a whole; no text of an image is quoted."""
        if not self.facts:
            return ("No item has an image that could be looked at: image screens found nothing to look for.",)
        kinds = Counter(facts.kind for facts in self.facts.values() if not facts.error)
        told = [
            f"{len(self.facts):,} images looked at: {', '.join(f'{kinds[kind]:,} {kind}' for kind in sorted(kinds))}."
        ]
        reasons = self.unreadable
        if reasons:
            named = "; ".join(list(dict.fromkeys(reasons.values()))[:NAMED])
            told.append(f"{len(reasons):,} of them, or their text, could not be read: {named}.")
        if self.provenance:
            counts = ", ".join(f"{layer.images:,}" for layer in self.provenance)
            layers = "1 layer" if len(self.provenance) == 1 else f"{len(self.provenance)} layers"
            told.append(f"Repeated source text is kept apart: {layers}, on {counts} images.")
        return tuple(told)


Progress: TypeAlias = Callable[[int, int], None]
"""Told how many of how many images were looked at."""


def survey(
    items: Callable[[], Iterable[Item]],
    *,
    kept: Path | None = None,
    reader: Reader | None = None,
    progress: Progress | None = None,
) -> ImageSurvey:
    """Look at every image of a data set once.

    Parameters
    ----------
    items : callable returning an iterable of Item
    kept : Path, optional
        File of earlier facts, by digest; new ones are added.
    reader : Reader, optional
        Default: RapidOCR with one thread.
    progress : callable, optional
        Told after every image how many of how many were looked at.

    Returns
    -------
    ImageSurvey

    Raises
    ------
    UsageError
        If the extra ``ocr`` is not installed.
    """
    if reader is not None:
        return _surveyed(items, kept, reader, progress)
    from perimetry.screening.images.ocr import open_reader

    with closing(open_reader()) as opened:
        return _surveyed(items, kept, opened, progress)


def _surveyed(
    items: Callable[[], Iterable[Item]], kept: Path | None, reader: Reader, progress: Progress | None
) -> ImageSurvey:
    known = KeptFacts(kept, reader.version)
    total = len({image.recipe for item in items() for image in item.images}) if progress else 0
    facts: dict[str, ImageFacts] = {}
    holders: dict[str, str] = {}
    for item in items():
        for image in item.images:
            recipe = image.recipe
            holders[recipe] = min(item.id, holders.get(recipe, item.id))
            if recipe in facts:
                continue
            found = known.get(recipe)
            if found is None:
                found = look(image, reader)
                known.add(recipe, found)
            facts[recipe] = found
            if progress:
                progress(len(facts), total)
    facts = dict(sorted(facts.items()))
    sheets = {
        recipe: Sheet(found.height, found.width, found.reading.lines)
        for recipe, found in facts.items()
        if not found.error
    }
    prints = {recipe: found.fingerprint for recipe, found in facts.items() if found.fingerprint is not None}
    return ImageSurvey(facts, provenance(sheets), near_duplicates(prints), holders)
