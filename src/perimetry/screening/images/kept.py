"""Facts of images kept in a file, by digest: an image is looked at once, whatever shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from perimetry.screening.images.facts import FACTS_VERSION, ImageFacts, decode_facts, encode_facts

__all__ = ["KeptFacts"]


class KeptFacts:
    """A file of JSON lines, one an image; lines of another version, or cut short, are passed over.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.
    version : str
        Of the reader; that of the facts is added.
    """

    def __init__(self, path: Path | None, version: str) -> None:
        self.path = path
        self.version = f"{version}/{FACTS_VERSION}"
        self._facts = dict(self._read())

    def get(self, recipe: str) -> ImageFacts | None:
        """Facts of an image by `Image.recipe`, if they are kept."""
        return self._facts.get(recipe)

    def add(self, recipe: str, facts: ImageFacts) -> None:
        """Keep the facts of an image. An image that could not be read is looked at again next time."""
        if self.path is None or facts.error or facts.reading.error:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"image": recipe, "version": self.version, **encode_facts(facts)}, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8") as file:
            # Begins with a line end, so that a line cut short by a kill spoils no other.
            file.write(f"\n{line}")

    def _read(self) -> Iterator[tuple[str, ImageFacts]]:
        if self.path is None or not self.path.is_file():
            return
        with self.path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row = json.loads(line)
                    if row["version"] == self.version:
                        yield row["image"], decode_facts(row)
                except (ValueError, KeyError, TypeError):
                    continue
