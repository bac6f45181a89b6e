"""Grey levels and colourfulness of pixels, and whether a picture is grey, coloured or a printed page."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from perimetry.cases import Pixels

__all__ = ["Grey", "PictureKind", "chroma", "grey_levels", "picture_kind"]

Grey: TypeAlias = NDArray[np.uint8]

PictureKind = Literal["grey", "grey with colour", "colour", "page"]
"""
``grey``              grey levels, a few coloured marks at most: radiograph, CT, MRI, ultrasound
``grey with colour``  grey levels with coloured areas: Doppler, overlays, coloured annotations
``colour``            photograph, microscopy, fundus
``page``              dark lines on a white ground: chart, drawing, document
"""

COLOURED = 40
"""Largest minus smallest channel from which a pixel is coloured; the colour noise of JPEG stays below 20."""
MARKS_AT_MOST = 0.05
AREAS_AT_MOST = 0.35
WHITE = 235
PAGE = 0.6


def grey_levels(pixels: Pixels) -> Grey:
    """Luminance (ITU-R BT.601) of pixels, uint8, (height, width).

    Examples
    --------
    >>> grey_levels(np.full((1, 1, 3), 7, np.uint8)).tolist()
    [[7]]
    """
    if pixels.ndim == 2:
        return pixels
    weights = np.array([299, 587, 114], np.uint32)
    return ((pixels.astype(np.uint32) @ weights + 500) // 1000).astype(np.uint8)


def chroma(pixels: Pixels) -> Grey:
    """Largest minus smallest channel, 0 to 255; 0 everywhere for grey pixels."""
    if pixels.ndim == 2:
        return np.zeros(pixels.shape, np.uint8)
    return np.asarray(pixels.max(axis=2) - pixels.min(axis=2), np.uint8)


def picture_kind(pixels: Pixels) -> PictureKind:
    """What kind of picture these pixels are, by the shares of coloured and of white pixels.

    Examples
    --------
    >>> picture_kind(np.full((4, 4), 90, np.uint8)), picture_kind(np.full((4, 4), 255, np.uint8))
    ('grey', 'page')
    """
    coloured = float((chroma(pixels) >= COLOURED).mean())
    if coloured <= AREAS_AT_MOST and float((grey_levels(pixels) >= WHITE).mean()) >= PAGE:
        return "page"
    if coloured <= MARKS_AT_MOST:
        return "grey"
    return "grey with colour" if coloured <= AREAS_AT_MOST else "colour"
