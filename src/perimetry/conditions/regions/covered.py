"""What a region condition covers on an examined study: pixels of its images, and how much of B_c's area that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.regions import Rectangle, Shape, pixel_rectangle, union_area
from perimetry.cases.study import Box, Examined, Study
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.regions.controls import matched_control, random_control
from perimetry.conditions.regions.recent import Recent
from perimetry.conditions.regions.rectangles import canonical

__all__ = ["REGIONS", "Covered", "Regions", "UnreadableError", "covered", "find_regions"]

Regions = Mapping[int, tuple[Rectangle, ...]]
"""Image index to the pixels that are covered."""

_RECENT: Recent[Regions | None] = Recent()

REGIONS = ("oco", "doco", "ro", "romatched")


class UnreadableError(Exception):
    """An image that regions lie on cannot be read, so that their pixels are not known."""


@dataclass(frozen=True, slots=True)
class Covered:
    """How much a region condition covers.

    Parameters
    ----------
    area_share : float
        Pixels covered, as a share of the pixels of the disease boxes' union: 1 for ``oco``, and for ``romatched``
        where there was room.
    boxes : int
        Rectangles that are covered, without those inside another.
    """

    area_share: float
    boxes: int


def covered(study: Study, regions: Regions) -> Covered:
    """Measure regions against the disease boxes of an examined study."""
    assert study.examined is not None
    disease = sum(union_area(own) for own in _pixels(study.examined.boxes, _shapes(study)).values())
    reached = sum(union_area(own) for own in regions.values())
    return Covered(reached / disease if disease else 0.0, sum(len(own) for own in regions.values()))


def find_regions(name: str, study: Study, surroundings: Surroundings) -> Regions | None:
    """The pixels that one of `REGIONS` covers on an examined study.

    Nothing is decoded: image sizes come from headers. Placements are drawn once for a study and a class, and kept for
    the other strengths.

    Parameters
    ----------
    name : {"oco", "doco", "ro", "romatched"}
    study : Study
        With a class under examination.
    surroundings : Surroundings
        `seed`, and for ``ro`` `box_sizes` of the study's data set.

    Returns
    -------
    mapping of int to tuple of Rectangle, or None
        None where there is nothing to cover, or the control finds no room.

    Raises
    ------
    UnreadableError
        When the size of an image is not known.
    UsageError
        When the box sizes of the data set are missing.
    """
    return _RECENT.get((study, surroundings), name, lambda: _found(name, study, surroundings))


def _found(name: str, study: Study, surroundings: Surroundings) -> Regions | None:
    examined = study.examined
    assert examined is not None
    chosen = examined.others if name == "doco" else examined.boxes
    if not chosen:
        return None
    shapes = _shapes(study)
    own = _pixels(chosen, shapes)
    if name in ("oco", "doco"):
        return own or None
    control: dict[int, tuple[Rectangle, ...]] = {}
    obstacles = _pixels((*examined.boxes, *examined.others), shapes)
    for image, boxes in own.items():
        placed = (
            matched_control(
                surroundings.seed, study.images[image].digest, examined.finding, shapes[image], boxes, obstacles[image]
            )
            if name == "romatched"
            else random_control(
                surroundings.seed,
                study.images[image].digest,
                examined.finding,
                shapes[image],
                obstacles[image],
                _number(study, examined, image),
                _sizes(study, surroundings),
            )
        )
        if placed is not None:
            control[image] = placed
    return control or None


def _number(study: Study, examined: Examined, image: int) -> int:
    """Boxes of the image: its own, and those that were laid on it."""
    every = {box for box in study.boxes if box.image == image}
    return len(every | {box for box in examined.boxes if box.image == image})


def _sizes(study: Study, surroundings: Surroundings) -> tuple[tuple[float, float], ...]:
    sizes = surroundings.box_sizes.get(study.dataset, ())
    if not sizes:
        held = ", ".join(sorted(surroundings.box_sizes)) or "none"
        raise UsageError(
            f"Condition ro draws the sizes of its regions from the boxes of data set {study.dataset!r}; sizes found "
            f"for: {held}. Put perimetry.cases.box_sizes.box_sizes(studies) into Surroundings.box_sizes."
        )
    return sizes


def _shapes(study: Study) -> tuple[Shape, ...]:
    try:
        return tuple(image.source.shape for image in study.images)
    except ImageError as error:
        raise UnreadableError(str(error)) from error


def _pixels(boxes: Sequence[Box], shapes: Sequence[Shape]) -> dict[int, tuple[Rectangle, ...]]:
    """Boxes as pixels of each image, in canonical form."""
    images = sorted({box.image for box in boxes})
    found = {
        image: canonical(pixel_rectangle(box, shapes[image]) for box in boxes if box.image == image) for image in images
    }
    return {image: rectangles for image, rectangles in found.items() if rectangles}
