"""Boxes that cannot be what their annotator meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Image
from perimetry.cases.regions import Shape
from perimetry.cases.study import Box, Study

__all__ = ["BoxFault", "find_fault", "shape_of", "shapes_of"]

SLACK = 1.0
"""Pixels by which a box may stick out of its image: sources round."""

_TINY = 4
"""On an image with a shorter side than this a box of less than a pixel says nothing about its unit."""


@dataclass(frozen=True, slots=True)
class BoxFault:
    """Why a study with this box cannot be examined.

    Parameters
    ----------
    study : str
    kind : str
        In a few words, for counting.
    detail : str
        Which box, what was found, what was expected.
    """

    study: str
    kind: str
    detail: str


def shapes_of(study: Study) -> tuple[Shape | None, ...]:
    """Height and width of each image; None for one that cannot be read (its trials fail later, by that name)."""
    return tuple(shape_of(image) for image in study.images)


def shape_of(image: Image) -> Shape | None:
    """Height and width of an image; None for one that cannot be read."""
    try:
        return image.source.shape
    except ImageError:
        return None


def find_fault(study: Study, shapes: Sequence[Shape | None]) -> BoxFault | None:
    """The first fault of a study's boxes, or None.

    Parameters
    ----------
    study : Study
    shapes : sequence of (height, width) or None
        As `shapes_of` gives them; where it is None the box is not held against its image.

    Examples
    --------
    >>> find_fault(Study("s", "d", "g", boxes=(Box(0, 1, 1, 2, 0),)), [(10, 10)]).kind
    'box of no area'
    """
    for number, box in enumerate(study.boxes, start=1):
        found = _fault(box, shapes)
        if found is not None:
            kind, detail = found
            return BoxFault(study.id, kind, f"box {number} ({', '.join(sorted(box.classes)) or 'no class'}): {detail}")
    return None


def _fault(box: Box, shapes: Sequence[Shape | None]) -> tuple[str, str] | None:
    values = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    told = ", ".join(f"{name} {value:g}" for name, value in values.items())
    if not 0 <= box.image < len(shapes):
        return (
            "box on an image that the study has not",
            f"found image {box.image}, the study has {len(shapes)}; expected 0 to the number of images less one.",
        )
    if not all(math.isfinite(value) for value in values.values()):
        return "box that is not a number", f"found {told}; expected finite pixels."
    if box.width <= 0 or box.height <= 0:
        return "box of no area", f"found {told}; expected a width and a height above 0."
    shape = shapes[box.image]
    if shape is None:
        return None
    height, width = shape
    if box.x + box.width <= 1 and box.y + box.height <= 1 and min(box.x, box.y) >= 0 and min(shape) >= _TINY:
        return (
            "box in shares of the image where pixels are expected",
            f"found {told} on an image of {width} x {height}; multiply x and width by {width}, y and height by "
            f"{height}.",
        )
    if min(box.x, box.y) < -SLACK or box.x + box.width > width + SLACK or box.y + box.height > height + SLACK:
        return (
            "box outside its image",
            f"found {told}, which reaches from ({box.x:g}, {box.y:g}) to ({box.x + box.width:g}, "
            f"{box.y + box.height:g}) on an image of {width} x {height}; expected pixels of this very image.",
        )
    return None
