"""Exact resampling in whole numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["box_average", "box_sums", "enlarge"]


def box_sums(pixels: Pixels, height: int, width: int) -> NDArray[np.int64]:
    """Sums of an image over an even grid of boxes, pixels that a border cuts counted by their share.

    Parameters
    ----------
    pixels : uint8 array, (H, W) or (H, W, C)
    height, width : int
        Boxes down and across; may be larger than the image.

    Returns
    -------
    int64 array, (height, width) or (height, width, C)
        Sums scaled by ``height * width``: divided by ``H * W`` they are the mean of each box, exactly.
    """
    return _along_rows(_along_rows(pixels, height).swapaxes(0, 1), width).swapaxes(0, 1)


def _along_rows(values: NDArray[np.integer], parts: int) -> NDArray[np.int64]:
    """Box sums along the first axis, in units of 1/parts of a row."""
    rows = values.shape[0]
    # Border j lies at j * rows / parts: `whole` rows and `rest` parts of the next one.
    whole, rest = np.divmod(np.arange(parts + 1, dtype=np.int64) * rows, parts)
    # The narrowest type that holds a band's sum: adding bytes in 16 bits is ten times faster than in 64.
    exact: type[np.integer] = np.int64
    if values.dtype == np.uint8:
        exact = np.uint16 if int(np.diff(whole).max()) <= 257 else np.uint32
    bands = np.empty((parts, *values.shape[1:]), dtype=exact)
    for band in range(parts):
        np.add.reduce(values[whole[band] : whole[band + 1]], axis=0, dtype=exact, out=bands[band])
    cut = rest.reshape(-1, *([1] * (values.ndim - 1))) * values[np.minimum(whole, rows - 1)]
    sums: NDArray[np.int64] = bands.astype(np.int64) * parts + np.diff(cut, axis=0)
    return sums


def box_average(pixels: Pixels, height: int, width: int) -> NDArray[np.float64]:
    """Mean of an image over an even grid of boxes.

    The sums are whole numbers, so that the result is the same on every machine: one correctly rounded division.

    Parameters
    ----------
    pixels : uint8 array, (H, W) or (H, W, C)
    height, width : int

    Returns
    -------
    float64 array, (height, width) or (height, width, C), in 0..255

    Examples
    --------
    >>> import numpy as np
    >>> box_average(np.array([[0, 10, 20]], np.uint8), 1, 2)
    array([[ 3.33333333, 16.66666667]])
    """
    return box_sums(pixels, height, width) / np.float64(pixels.shape[0] * pixels.shape[1])


def enlarge(pixels: Pixels, height: int, width: int) -> Pixels:
    """Nearest-neighbour resize: each target pixel takes the box that its centre lies in."""
    rows = (2 * np.arange(height) + 1) * pixels.shape[0] // (2 * height)
    columns = (2 * np.arange(width) + 1) * pixels.shape[1] // (2 * width)
    return np.ascontiguousarray(pixels[rows][:, columns])
