"""White arrows on grey pictures: a thin shaft that widens to a head, and the head runs to a tip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from perimetry.screening.images.luma import Grey
from perimetry.screening.images.marks.mark import Mark, MarkKind, in_text
from perimetry.screening.images.marks.shapes import EVERY_SIDE, Mask, frame_of, standing_out, width_profile
from perimetry.screening.images.reading import Frame

__all__ = ["white_arrows"]

THICKEST = 41
LEVEL = 215
CONTRAST = 45
FEWEST_PIXELS = 30
SHORTEST = 12
LONGEST_SHARE = 0.5
SHARP = 45
EVEN_LEVEL = 240
SHAFT = 0.62
TIP = 0.45
SAME = 0.5


def white_arrows(grey: Grey, text: Sequence[Frame] = ()) -> tuple[Mark, ...]:
    """Arrows with a shaft, and arrowheads alone, filled or of lines.

    Parameters
    ----------
    grey : uint8 array, (height, width)
    text : sequence of Frame
        Lines of text: a Y is no arrow.
    """
    found: list[Mark] = []
    for thickness, level in ((THICKEST, LEVEL), (THICKEST, 240), (15, LEVEL)):
        mask = standing_out(grey, thickness, level=level, contrast=CONTRAST)
        for mark in _arrows(grey, mask):
            if in_text(mark.frame, text) or any(mark.frame.share_in(other.frame) >= SAME for other in found):
                continue
            found.append(mark)
    return tuple(found)


def _arrows(grey: Grey, mask: Mask) -> Iterator[Mark]:
    labels, _ = ndimage.label(mask, EVERY_SIDE)
    longest = LONGEST_SHARE * max(mask.shape)
    for number, place in enumerate(ndimage.find_objects(labels), start=1):
        rows, columns = place
        length = max(rows.stop - rows.start, columns.stop - columns.start)
        if not SHORTEST <= length <= longest:
            continue
        inside = labels[place] == number
        if int(inside.sum()) < FEWEST_PIXELS or not _drawn(grey, inside, place):
            continue
        kind = _arrow_kind(inside)
        if kind:
            yield Mark(kind, frame_of(inside, place))


def _drawn(grey: Grey, inside: Mask, place: tuple[slice, slice]) -> bool:
    """Whether a shape is evenly white and falls off at once: anatomy fades."""
    margin = 4
    rows, columns = place
    top, left = max(rows.start - margin, 0), max(columns.start - margin, 0)
    cut = grey[top : rows.stop + margin, left : columns.stop + margin]
    shape = np.zeros(cut.shape, bool)
    down, across = rows.start - top, columns.start - left
    shape[down : down + inside.shape[0], across : across + inside.shape[1]] = inside
    far = ndimage.binary_dilation(shape, EVERY_SIDE, iterations=3) & ~ndimage.binary_dilation(
        shape, EVERY_SIDE, iterations=2
    )
    if not far.any():
        return False
    level = float(np.median(cut[shape]))
    return level >= EVEN_LEVEL and float(np.percentile(cut[far], 90)) <= level - SHARP


def _arrow_kind(inside: Mask) -> MarkKind | None:
    widths, middles = width_profile(inside)
    for profile, centre in ((widths, middles), (widths[::-1], middles[::-1])):
        if (kind := _headed(profile, centre)) is not None:
            return kind
    return None


def _headed(widths: NDArray[np.float64], middles: NDArray[np.float64]) -> MarkKind | None:
    """Whether a profile that begins at the tip is that of an arrow."""
    length = widths.size
    head = int(widths.argmax())
    broad = float(widths[head])
    if length < SHORTEST or broad < 5 or head < 2 or float(np.abs(middles).max()) > 0.75 * broad:
        return None
    steps = np.arange(head + 1)
    rise = widths[: head + 1]
    straight = float(np.corrcoef(steps, rise)[0, 1]) if rise.std() > 0 else 0.0
    if rise[0] > TIP * broad + 1 or straight < 0.93:
        return None
    if head >= 0.85 * length and broad >= 0.5 * length and 0.4 <= _filled(widths, length, broad) <= 0.66:
        return "white arrowhead"
    tail = widths[head + max(2, round(0.15 * length)) :]
    if tail.size < 0.25 * length or head > 0.65 * length:
        return None
    shaft = float(np.median(tail))
    steady = float(np.percentile(tail, 90) - np.percentile(tail, 10)) <= max(2.5, 0.5 * shaft)
    return "white arrow" if shaft <= SHAFT * broad and steady and length >= 1.3 * broad else None


def _filled(widths: NDArray[np.float64], length: int, broad: float) -> float:
    return float(widths.sum() / (length * broad))
