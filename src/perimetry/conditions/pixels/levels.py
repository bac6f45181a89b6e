"""Grey levels in fixed point, and the statistics of an image that a matched fill is made with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["FRACTION", "ONE", "WHITE", "Levels", "trimmed_levels"]

FRACTION = 16
"""Binary places of a grey level in fixed point."""

ONE = 1 << FRACTION
"""One grey level in fixed point."""

WHITE = 255 * ONE

_LOW, _HIGH = 1, 99  # percentiles


@dataclass(frozen=True, slots=True)
class Levels:
    """Statistics of an image's pixels between their 1st and 99th percentile, in units of 1/65536 grey level.

    Parameters
    ----------
    mean, median, deviation : int
        The deviation is that of the population (divided by n), rounded down.
    """

    mean: int
    median: int
    deviation: int

    def center(self, name: str) -> int:
        """The mean, or the median."""
        return self.median if name == "median" else self.mean


def trimmed_levels(pixels: Pixels) -> Levels:
    """Mean, median and standard deviation of the pixels from the 1st to the 99th percentile, both included.

    Percentiles are interpolated as numpy does by default; all channels count alike. Everything follows from the
    histogram in whole numbers, so that no machine adds in another order.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)

    Examples
    --------
    >>> levels = trimmed_levels(np.array([[10, 20], [20, 30]], np.uint8))
    >>> levels.mean / ONE, levels.deviation
    (20.0, 0)
    """
    counts = np.bincount(pixels.ravel(), minlength=256)
    total = int(counts.sum())
    ranks = np.cumsum(counts)
    values = np.arange(256)
    low, high = (_percentile(ranks, total, percent) for percent in (_LOW, _HIGH))
    inside = np.where((values * 100 >= low) & (values * 100 <= high), counts, 0)
    if not inside.any():
        # Two values and nothing between them: there is nothing to trim.
        inside = counts
    number = int(inside.sum())
    first = int(inside @ values)
    second = int(inside @ (values * values))
    variance = number * second - first * first  # times number squared
    return Levels(
        mean=(2 * first * ONE + number) // (2 * number),
        median=_median(inside, number),
        deviation=math.isqrt(variance * ONE * ONE // (number * number)),
    )


def _percentile(ranks: NDArray[np.int64], total: int, percent: int) -> int:
    """A percentile of ranked values, times 100."""
    whole, hundredths = divmod((total - 1) * percent, 100)
    below = int(np.searchsorted(ranks, whole, side="right"))
    above = int(np.searchsorted(ranks, min(whole + 1, total - 1), side="right"))
    return below * 100 + (above - below) * hundredths


def _median(counts: NDArray[np.int64], number: int) -> int:
    ranks = np.cumsum(counts)
    middle = [int(np.searchsorted(ranks, at, side="right")) for at in ((number - 1) // 2, number // 2)]
    return sum(middle) * ONE // 2
