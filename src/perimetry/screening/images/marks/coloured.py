"""Coloured marks on grey pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import ndimage

from perimetry.cases import Pixels
from perimetry.screening.images.luma import COLOURED, chroma, picture_kind
from perimetry.screening.images.marks.mark import Mark, in_text
from perimetry.screening.images.marks.shapes import frame_of
from perimetry.screening.images.reading import Frame

__all__ = ["coloured_marks"]

FEWEST_PIXELS = 12
SHORTEST = 6
GAP = 3
AREA = 0.01
FILLED = 0.5
THICK = 10


def coloured_marks(pixels: Pixels, text: Sequence[Frame] = ()) -> tuple[Mark, ...]:
    """Coloured shapes on a picture that is grey otherwise; none on colour pictures and pages.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
    text : sequence of Frame
        Lines of text: a coloured letter is no mark.

    Returns
    -------
    tuple of Mark
        ``coloured mark``, or ``coloured area`` for filled shapes of at least 1% of the picture (an overlay, Doppler).

    Examples
    --------
    >>> picture = np.full((64, 64, 3), 80, np.uint8)
    >>> picture[20:22, 10:40] = (255, 0, 0)
    >>> [mark.kind for mark in coloured_marks(picture)]
    ['coloured mark']
    """
    if pixels.ndim == 2 or picture_kind(pixels) not in ("grey", "grey with colour"):
        return ()
    mask = chroma(pixels) >= COLOURED
    if not mask.any():
        return ()
    near = ndimage.binary_dilation(mask, np.ones((2 * GAP + 1, 2 * GAP + 1), bool))
    labels, _ = ndimage.label(near, np.ones((3, 3), bool))
    found = []
    for number, place in enumerate(ndimage.find_objects(labels), start=1):
        inside = mask[place] & (labels[place] == number)
        count = int(inside.sum())
        frame = frame_of(inside, place)
        if count < FEWEST_PIXELS or max(frame.width, frame.height) < SHORTEST or in_text(frame, text):
            continue
        thick = min(frame.width, frame.height) >= THICK
        filled = thick and count >= FILLED * frame.area and count >= AREA * mask.size
        found.append(Mark("coloured area" if filled else "coloured mark", frame))
    return tuple(found)
