"""Burnt-in panels: strips that part a picture in several, and plates laid over it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from perimetry.screening.images.luma import Grey
from perimetry.screening.images.marks.shapes import Mask
from perimetry.screening.images.reading import Frame

__all__ = ["Panel", "burnt_in_panels"]

EVEN = 12
THINNEST = 2
THICKEST = 0.1
NEAR = 2
JUMP = 30
JUMPING_HERE = 0.3
JUMPING_THERE = 0.1
SIDE = 0.15
BLACK, WHITE = 14, 238
PLATE = 0.96
PLATE_SHORTEST = 12
PLATE_SHARE = (0.002, 0.5)
PLATE_EDGE = 0.8


@dataclass(frozen=True, slots=True)
class Panel:
    """A burnt-in panel.

    Parameters
    ----------
    kind : {"gutter", "plate"}
        ``gutter``: an even strip from edge to edge with picture on both sides; ``plate``: an even black or white
        rectangle laid over the picture, perhaps with text on it.
    frame : Frame
    """

    kind: Literal["gutter", "plate"]
    frame: Frame


def burnt_in_panels(grey: Grey) -> tuple[Panel, ...]:
    """Gutters between panels and plates over the picture.

    Parameters
    ----------
    grey : uint8 array, (height, width)

    Examples
    --------
    >>> picture = np.add.outer(np.arange(80), np.arange(100)).astype(np.uint8)
    >>> picture[:, 48:52] = 255
    >>> [panel.kind for panel in burnt_in_panels(picture)]
    ['gutter']
    """
    height, width = grey.shape
    found = [Panel("gutter", Frame(start, 0, size, height)) for start, size in _gutters(grey)]
    found += [Panel("gutter", Frame(0, start, width, size)) for start, size in _gutters(grey.T)]
    return (*found, *_plates(grey))


def _gutters(grey: Grey) -> Iterator[tuple[int, int]]:
    """Starts and widths of even strips of columns."""
    width = grey.shape[1]
    low, high = np.percentile(grey, (2, 98), axis=0)
    level = np.median(grey, axis=0)
    even = (high - low <= EVEN) & ((level <= BLACK) | (level >= WHITE))
    labels, _ = ndimage.label(even)
    for (place,) in ndimage.find_objects(labels):
        size = place.stop - place.start
        thin_enough = THINNEST <= size <= max(THINNEST, THICKEST * width)
        if not thin_enough or place.start < SIDE * width or place.stop > (1 - SIDE) * width:
            continue
        here = float(np.median(level[place]))
        jumps = sorted(
            float((np.abs(grey[:, column].astype(np.int16) - here) >= JUMP).mean())
            for column in (place.start - NEAR, place.stop - 1 + NEAR)
        )
        if jumps[0] >= JUMPING_THERE and jumps[1] >= JUMPING_HERE:
            yield place.start, size


def _plates(grey: Grey) -> Iterator[Panel]:
    for mask in (grey <= BLACK, grey >= WHITE):
        opened = ndimage.binary_opening(mask, np.ones((5, 5), bool))
        labels, _ = ndimage.label(opened)
        for number, place in enumerate(ndimage.find_objects(labels), start=1):
            if (panel := _plate(grey, labels[place] == number, place)) is not None:
                yield panel


def _plate(grey: Grey, inside: Mask, place: tuple[slice, slice]) -> Panel | None:
    high, wide = inside.shape
    low, most = (share * grey.size for share in PLATE_SHARE)
    if min(high, wide) < PLATE_SHORTEST or not low <= high * wide <= most:
        return None
    rows, columns = place
    at_edge = (
        rows.start <= NEAR,
        rows.stop >= grey.shape[0] - NEAR,
        columns.start <= NEAR,
        columns.stop >= grey.shape[1] - NEAR,
    )
    # A strip along a whole edge is the picture's border; a plate leaves two sides free at least.
    if sum(at_edge) > 2 or (at_edge[0] and at_edge[1]) or (at_edge[2] and at_edge[3]):
        return None
    filled = ndimage.binary_fill_holes(inside)
    if float(filled.mean()) < PLATE or float(inside.mean()) < 0.5:
        return None
    level = float(np.median(grey[place][inside]))
    free = [_beyond(grey, place, side) for side, edge in enumerate(at_edge) if not edge]
    sharp = [float((np.abs(line.astype(np.int16) - level) >= JUMP).mean()) for line in free]
    if min(sharp) < PLATE_EDGE:
        return None
    return Panel("plate", Frame(int(columns.start), int(rows.start), wide, high))


def _beyond(grey: Grey, place: tuple[slice, slice], side: int) -> NDArray[np.uint8]:
    """The line of pixels just beyond one side of a cutout."""
    rows, columns = place
    if side < 2:
        return grey[rows.start - NEAR if side == 0 else rows.stop - 1 + NEAR, columns]
    return grey[rows, columns.start - NEAR if side == 2 else columns.stop - 1 + NEAR]
