"""Everything that the image screens know of one image."""

from __future__ import annotations

from base64 import b64decode, b64encode
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from perimetry.cases import Image, ImageError, Pixels
from perimetry.screening.images.luma import PictureKind, grey_levels, picture_kind
from perimetry.screening.images.markers import Marker, markers
from perimetry.screening.images.marks import Mark, drawn_marks, in_text
from perimetry.screening.images.panels import Panel, burnt_in_panels
from perimetry.screening.images.perceptual import SIDE, Fingerprint, fingerprint
from perimetry.screening.images.reading import Frame, Reading, TextLine

__all__ = ["FACTS_VERSION", "ImageFacts", "Reader", "decode_facts", "encode_facts", "look"]

FACTS_VERSION = "1"
"""Raised with every change of marks, panels, kinds or fingerprints."""


class Reader(Protocol):
    """Reads the text of an image, somewhere else than in the thread that asks."""

    @property
    def version(self) -> str:
        """What its readings are kept under."""
        ...

    def begin(self, pixels: Pixels) -> Future[Reading]:
        """Begin to read pixels, uint8 (height, width) or (height, width, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What was found in one image.

    Parameters
    ----------
    height, width : int
        0 for an image that cannot be read.
    kind : PictureKind
    reading : Reading
    marks : tuple of Mark
    panels : tuple of Panel
    fingerprint : Fingerprint or None
    error : str, default ""
        Why the image cannot be read.
    """

    height: int
    width: int
    kind: PictureKind = "grey"
    reading: Reading = Reading()
    marks: tuple[Mark, ...] = ()
    panels: tuple[Panel, ...] = ()
    fingerprint: Fingerprint | None = None
    error: str = ""

    @property
    def markers(self) -> tuple[Marker, ...]:
        """Projection markers among the lines."""
        return markers(self.reading.lines)


def look(image: Image, reader: Reader) -> ImageFacts:
    """Find everything in one image; the text is read while this thread looks for the rest.

    Parameters
    ----------
    image : Image
    reader : Reader

    Returns
    -------
    ImageFacts
        With `error` where the image cannot be read, with `Reading.error` where only its text cannot.
    """
    try:
        pixels = image.pixels()
    except ImageError as error:
        return ImageFacts(0, 0, error=str(error))
    pending = reader.begin(pixels)
    marks, panels, prints = drawn_marks(pixels), burnt_in_panels(grey_levels(pixels)), fingerprint(pixels)
    reading = pending.result()
    text = [line.frame for line in reading.lines]
    height, width = pixels.shape[:2]
    return ImageFacts(
        height,
        width,
        picture_kind(pixels),
        reading,
        tuple(mark for mark in marks if not in_text(mark.frame, text)),
        panels,
        prints,
    )


def encode_facts(facts: ImageFacts) -> dict[str, Any]:
    """Facts as JSON values; `decode_facts` gives them back."""
    prints = facts.fingerprint
    return {
        "size": [facts.height, facts.width],
        "kind": facts.kind,
        "lines": [[line.text, *_numbers(line.frame), line.score] for line in facts.reading.lines],
        "unread": facts.reading.error,
        "marks": [[mark.kind, *_numbers(mark.frame)] for mark in facts.marks],
        "panels": [[panel.kind, *_numbers(panel.frame)] for panel in facts.panels],
        "bits": None if prints is None else f"{prints.bits:016x}",
        "fine": None if prints is None else b64encode(prints.fine.tobytes()).decode("ascii"),
        "error": facts.error,
    }


def decode_facts(row: dict[str, Any]) -> ImageFacts:
    """Facts from `encode_facts`.

    Examples
    --------
    >>> decode_facts(encode_facts(ImageFacts(2, 3, "page"))).kind
    'page'
    """
    prints = None
    if row["bits"] is not None:
        fine = np.frombuffer(b64decode(row["fine"]), np.int8).reshape(SIDE, SIDE)
        prints = Fingerprint(int(row["bits"], 16), fine)
    height, width = row["size"]
    return ImageFacts(
        height,
        width,
        row["kind"],
        Reading(tuple(TextLine(text, Frame(*place), score) for text, *place, score in row["lines"]), row["unread"]),
        tuple(Mark(kind, Frame(*place)) for kind, *place in row["marks"]),
        tuple(Panel(kind, Frame(*place)) for kind, *place in row["panels"]),
        prints,
        row["error"],
    )


def _numbers(frame: Frame) -> tuple[int, int, int, int]:
    return frame.x, frame.y, frame.width, frame.height
