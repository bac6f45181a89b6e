"""Shapes of connected pixels: frames, bright shapes that stand out, and how they fit boxes, circles and arrows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from perimetry.screening.images.luma import Grey
from perimetry.screening.images.reading import Frame

__all__ = ["EVERY_SIDE", "Mask", "ellipse_likeness", "frame_of", "standing_out", "width_profile"]

Mask = NDArray[np.bool_]

EVERY_SIDE: Mask = np.ones((3, 3), bool)
"""Pixels that touch by a corner belong together."""


def frame_of(inside: Mask, place: tuple[slice, slice]) -> Frame:
    """Frame of the true pixels of a cutout that lies at `place`."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not rows.size:
        return Frame(int(place[1].start), int(place[0].start), 1, 1)
    return Frame(
        int(place[1].start + columns[0]),
        int(place[0].start + rows[0]),
        int(columns[-1] - columns[0] + 1),
        int(rows[-1] - rows[0] + 1),
    )


def standing_out(grey: Grey, thickness: int, *, level: int, contrast: int) -> Mask:
    """Bright pixels of structures thinner than `thickness` that stand out from what is around (a white top-hat).

    Parameters
    ----------
    grey : uint8 array, (height, width)
    thickness : int
        Structures at least this thick in both directions are left out.
    level : int
        Least grey level.
    contrast : int
        Least difference to the surroundings.
    """
    around = ndimage.grey_opening(grey, size=(thickness, thickness))
    return np.asarray((grey >= level) & (grey.astype(np.int16) - around >= contrast))


def ellipse_likeness(filled: Mask) -> float:
    """Intersection over union of a filled shape and the ellipse inscribed in its cutout, 0 to 1.

    Examples
    --------
    >>> ellipse_likeness(np.ones((40, 40), bool)) < 0.8
    True
    """
    height, width = filled.shape
    down = (np.arange(height) - (height - 1) / 2) / (height / 2)
    across = (np.arange(width) - (width - 1) / 2) / (width / 2)
    ellipse = down[:, None] ** 2 + across[None, :] ** 2 <= 1.0
    return float((filled & ellipse).sum() / max(1, (filled | ellipse).sum()))


def width_profile(inside: Mask) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How wide a shape is along its main axis.

    Returns
    -------
    widths : float64 array
        One a pixel along the axis.
    middles : float64 array
        Distance of the middle of each cross-section from the axis.
    """
    points = np.argwhere(inside).astype(np.float64)
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    along, aside = centred @ axes[0], centred @ axes[1]
    place = np.floor(along - along.min()).astype(np.int64)
    count = int(place.max()) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, place, aside)
    np.maximum.at(high, place, aside)
    hit = np.isfinite(low)
    steps = np.arange(count)
    low, high = np.interp(steps, steps[hit], low[hit]), np.interp(steps, steps[hit], high[hit])
    return high - low + 1.0, (high + low) / 2
