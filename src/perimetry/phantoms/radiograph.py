"""One phantom: a frontal chest radiograph drawn from a recipe, with the boxes of what was drawn into it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.study import Box
from perimetry.phantoms.anatomy import Anatomy, draw_anatomy
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings import DRAWINGS, Place, Rect
from perimetry.phantoms.grid import Field, Grid, grid, pixel_noise

__all__ = ["DRAWING", "SIZES", "Layout", "Radiograph", "RadiographSpec", "layout", "radiograph"]

DRAWING = 1
"""Version of the drawing: raised whenever any phantom's pixels change, so that no stored answer outlives them."""

SIZES = (64, 1024)
"""Smallest and largest side of a picture, in pixels."""

_MARGIN = 2.0
_GRAIN = 3.0


@dataclass(frozen=True, slots=True)
class RadiographSpec:
    """What to draw.

    Parameters
    ----------
    findings : tuple of str, default ()
        CheXpert classes in order of precedence: where there is no room for all, the first are drawn.
    overlap : bool, default False
        Whether the boxes of different findings may meet.

    Raises
    ------
    UnknownNameError
        If a class is not one of the thirteen.
    UsageError
        If a class is named twice.
    """

    findings: tuple[str, ...] = ()
    overlap: bool = False

    def __post_init__(self) -> None:
        for name in self.findings:
            if name not in DRAWINGS:
                raise UnknownNameError("phantom finding", name, DRAWINGS)
        if len(set(self.findings)) != len(self.findings):
            raise UsageError(f"Phantom findings: found {', '.join(self.findings)}, expected each at most once.")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the findings of a phantom lie, before anything is drawn.

    Attributes
    ----------
    anatomy : Anatomy
    places : tuple of (str, Place)
        Findings that found room, in order of precedence.
    absent : tuple of str
        Findings that found none.
    """

    anatomy: Anatomy
    places: tuple[tuple[str, Place], ...]
    absent: tuple[str, ...]

    def boxes(self, size: int) -> tuple[Box, ...]:
        """Boxes in pixels of a picture of that size, in the order of `places`."""
        on = grid(size)
        return tuple(_box(rect, name, place.words, on) for name, place in self.places for rect in place.boxes)


@dataclass(frozen=True, slots=True)
class Radiograph:
    """A drawn phantom.

    Attributes
    ----------
    pixels : float32 array, (size, size), grey levels 0 to 255
    boxes : tuple of Box
        Nothing that belongs to a finding lies outside its boxes.
    findings : tuple of str
        What was drawn, in order of precedence.
    absent : tuple of str
        What was asked for and found no room.
    """

    pixels: Field
    boxes: tuple[Box, ...]
    findings: tuple[str, ...]
    absent: tuple[str, ...]


def layout(spec: RadiographSpec, seed: int) -> Layout:
    """Find a place for each finding; cheap, no pixel is drawn.

    Each finding tries its places in a random order of its own. Without `overlap` it takes the first whose boxes keep
    clear of all boxes so far.

    Examples
    --------
    >>> layout(RadiographSpec(("Cardiomegaly",)), seed=1).absent
    ()
    """
    anatomy = Anatomy.draw(seed)
    taken: list[Rect] = []
    places: list[tuple[str, Place]] = []
    absent: list[str] = []
    for name in spec.findings:
        for place in DRAWINGS[name].places(anatomy, Dice(seed, "phantom/place", name)):
            if spec.overlap or not any(mine.meets(other, _MARGIN) for mine in place.boxes for other in taken):
                taken.extend(place.boxes)
                places.append((name, place))
                break
        else:
            absent.append(name)
    return Layout(anatomy, tuple(places), tuple(absent))


def radiograph(spec: RadiographSpec, size: int = 256, seed: int = 0) -> Radiograph:
    """Draw a frontal chest radiograph with the findings that were asked for.

    The same arguments give the same pixels on every machine. Anatomy and grain depend on the seed alone, so that two
    phantoms of one seed differ only inside the boxes.

    Parameters
    ----------
    spec : RadiographSpec
    size : int, default 256
        Side in pixels, 64 to 1024.
    seed : int, default 0
        Anatomy, places and grain.

    Returns
    -------
    Radiograph

    Raises
    ------
    UsageError
        If the size is out of range.

    Examples
    --------
    >>> drawn = radiograph(RadiographSpec(("Lung Lesion",)), seed=7)
    >>> drawn.pixels.shape, drawn.findings, len(drawn.boxes)
    ((256, 256), ('Lung Lesion',), 1)
    """
    if not SIZES[0] <= size <= SIZES[1]:
        raise UsageError(f"Phantom size: found {size}, expected {SIZES[0]} to {SIZES[1]} pixels.")
    plan = layout(spec, seed)
    scene = draw_anatomy(plan.anatomy, grid(size))
    for name, place in plan.places:
        DRAWINGS[name].draw(scene, place, Dice(seed, "phantom/finding", name))
    canvas = scene.canvas
    canvas -= np.float32(128.0)
    canvas *= np.float32(plan.anatomy.gain)
    canvas += np.float32(128.0)
    canvas += np.float32(_GRAIN) * pixel_noise(size, seed, "phantom/grain")
    np.clip(canvas, 0.0, 255.0, out=canvas)
    return Radiograph(canvas, plan.boxes(size), tuple(name for name, _ in plan.places), plan.absent)


def _box(rect: Rect, name: str, words: str, on: Grid) -> Box:
    rows, columns = rect.slices(on)
    return Box(
        image=0,
        x=float(columns.start),
        y=float(rows.start),
        width=float(columns.stop - columns.start),
        height=float(rows.stop - rows.start),
        classes=frozenset((name,)),
        finding=words,
    )
