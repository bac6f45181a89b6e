"""The images of one load: one source an image, however many cases show it, and a count of those that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import isnan
from pathlib import Path
from typing import Any

from perimetry.cases.digest import digest_bytes
from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.sources import BytesSource, FileSource, TableSource
from perimetry.cases.sources.table import image_bytes
from perimetry.cases.table import Record
from perimetry.cases.values import BASE64_STARTS, SHORTEST_IMAGE, parse_list

__all__ = ["ImageShelf", "image_group"]

EXAMPLES_NAMED = 3
LONGEST_NAMED = 100
# Formats whose reader finds one row without the others; elsewhere the bytes are kept.
ROW_READABLE = (".parquet", ".jsonl", ".ndjson")


def image_group(images: Iterable[Image], fallback: str) -> str:
    """Group of the cases that show the same images; the fallback where there is none.

    Image files are told apart by the data set's names for them: digests would have to read every file at load.

    Examples
    --------
    >>> image_group([Image(FileSource("folder/a.png", key="a.png"))], "case 7")
    'a.png'
    """
    sources = (image.source for image in images)
    return "+".join(source.key if isinstance(source, FileSource) else source.digest for source in sources) or fallback


class ImageShelf:
    """Finds and shares the images of one load.

    Parameters
    ----------
    folders : sequence of Path
        Where image files may lie, tried in order; a file in none of them belongs to the first.

    Examples
    --------
    >>> shelf = ImageShelf([Path("nowhere")])
    >>> shelf.file("a.png") is shelf.file("a.png")
    True
    >>> funnel = Funnel("mine")
    >>> shelf.report(funnel)
    >>> funnel.notes
    ['1 of 1 image files are missing (looked in nowhere; a.png): their cases load, but cannot be shown']
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(dict.fromkeys(folders))
        self._images: dict[tuple[str, str], Image] = {}
        self._files = 0
        self._missing: list[str] = []

    def file(self, reference: str, view: str = "") -> Image:
        """The image of a file reference as the data set writes it (a path relative to one of the folders)."""
        key = (reference, view)
        if key not in self._images:
            self._images[key] = Image(FileSource(self._find(reference), key=reference), view=view)
        return self._images[key]

    def cell(self, record: Record, path: Path, column: str, view: str = "") -> tuple[Image, ...]:
        """The images in a cell: bytes, base64, a file reference, or a list of these; empty for an empty cell."""
        value = record.values.get(column)
        if isinstance(value, str) and value.lstrip().startswith("["):
            # A text that spells no list is a file name that begins with a bracket.
            with suppress(CaseError):
                value = parse_list(value)
        if isinstance(value, (list, tuple)):
            parts = [self._element(part, record, path, column, item, view) for item, part in enumerate(value)]
            return tuple(part for part in parts if part is not None)
        image = self._element(value, record, path, column, -1, view)
        return () if image is None else (image,)

    def report(self, funnel: Funnel) -> None:
        """Note in the funnel how many image files are missing."""
        if self._missing:
            places = " and ".join(str(folder) for folder in self.folders)
            examples = ", ".join(self._missing[:EXAMPLES_NAMED])
            funnel.note(
                f"{len(self._missing):,} of {self._files:,} image files are missing (looked in {places}; {examples}"
                f"{', ...' if len(self._missing) > EXAMPLES_NAMED else ''}): their cases load, but cannot be shown"
            )

    def _find(self, reference: str) -> Path:
        self._files += 1
        for folder in self.folders:
            # A name that is too long for any file is the name of none.
            with suppress(OSError):
                if (path := folder / reference).exists():
                    return path
        self._missing.append(reference if len(reference) <= LONGEST_NAMED else f"{reference[:LONGEST_NAMED]}...")
        return self.folders[0] / reference

    def _element(self, value: Any, record: Record, path: Path, column: str, item: int, view: str) -> Image | None:
        if isinstance(value, Mapping):
            view = str(value.get("view") or view)
            # Empty bytes beside a file name mean the file; alone they are an image that cannot be read.
            value = value.get("bytes") or value.get("path") or value.get("image_path") or value.get("bytes")
        data = image_bytes(value)
        place = f"{path}, row {record.row + 1}, column {column!r}"
        if data == b"":
            return Image(BytesSource(data, place), view=view)
        if data is not None:
            digest = digest_bytes(data)
            key = (digest, view)
            if key not in self._images:
                source = TableSource(str(path), column, record.row, digest, record.offset, item)
                if path.suffix.lower() in ROW_READABLE:
                    self._images[key] = Image(source, view=view)
                else:
                    self._images[key] = Image(BytesSource(data, source.name), view=view)
            return self._images[key]
        if value is None or (isinstance(value, float) and isnan(value)):
            return None
        if not isinstance(value, str):
            raise CaseError(f"{column}: a file name, bytes or base64 was expected, found {type(value).__name__}")
        if len(value) > SHORTEST_IMAGE and value.startswith(BASE64_STARTS):
            # Damaged base64 is an image that cannot be read, not the name of a file.
            return Image(BytesSource(value.encode(), f"{place} (damaged base64)"), view=view)
        return self.file(value, view) if value.strip() else None
