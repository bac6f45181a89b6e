"""A template: a window of cells, laid on every place where a finding may lie, with a weight for each feature in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from perimetry.phantoms.detection.features import CELL, CELLS, FEATURES, CellFeatures

__all__ = ["WINDOWS", "Template", "Views", "Window", "nearest_place", "windows_of"]

Floats = NDArray[np.float32]

# A pooled cell counts if all cells in it are readable, round-off aside.
_TOLD = 0.99


@dataclass(frozen=True, slots=True)
class Window:
    """The shape of a finding's window.

    Attributes
    ----------
    width, height : int
        In cells of 4 pixels; multiples of `pool`.
    pool : int
        Cells are averaged over pool x pool before they are weighed.
    mirrored : bool
        Whether the finding lies in either half of the chest: the patient's left is then looked at in a mirror.
    """

    width: int
    height: int
    pool: int
    mirrored: bool

    @property
    def length(self) -> int:
        """Numbers that describe one window."""
        return (self.width // self.pool) * (self.height // self.pool) * len(FEATURES)


WINDOWS: Mapping[str, Window] = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": Window(24, 16, 2, mirrored=False),
        "Cardiomegaly": Window(32, 20, 4, mirrored=False),
        "Lung Opacity": Window(12, 12, 2, mirrored=True),
        "Lung Lesion": Window(8, 8, 1, mirrored=True),
        "Edema": Window(10, 12, 2, mirrored=True),
        "Consolidation": Window(12, 12, 2, mirrored=True),
        "Pneumonia": Window(12, 12, 2, mirrored=True),
        "Atelectasis": Window(12, 8, 2, mirrored=True),
        "Pneumothorax": Window(12, 16, 2, mirrored=True),
        "Pleural Effusion": Window(12, 14, 2, mirrored=True),
        "Pleural Other": Window(6, 14, 2, mirrored=True),
        "Fracture": Window(8, 8, 1, mirrored=True),
        "Support Devices": Window(10, 10, 2, mirrored=True),
    }
)
"""By finding: a little larger than what is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class _Folded:
    """A template in the form in which it is laid on pictures.

    Attributes
    ----------
    cells : int array, (places, cells of a pooled window)
        Places in the flat 64 x 64 grid.
    weights : float32 array, (length,)
        Weights of numbers that are not scaled yet.
    middle : float32 array, (cells,)
        What each cell has to be reduced by, since its numbers are not centred yet.
    """

    cells: NDArray[np.intp]
    weights: Floats
    middle: Floats


@dataclass(frozen=True, slots=True)
class Template:
    """A linear detector of one finding.

    Attributes
    ----------
    window : Window
    places : int array, (places, 2)
        Rows and columns of the windows' top left cells, in the half of the picture that is not mirrored.
    mean, scale : float32 arrays, (length,)
        Of each number over the windows that were fitted on.
    weights : float32 array, (length,)
    bias : float
    """

    window: Window
    places: NDArray[np.int16]
    mean: Floats
    scale: Floats
    weights: Floats
    bias: float
    folded: _Folded = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        weights = np.asarray(self.scale, np.float64) * self.weights
        middle = (weights * self.mean).reshape(-1, len(FEATURES)).sum(axis=1)
        cells = _cells_of(self.window, self.places)
        folded = _Folded(cells, weights.astype(np.float32), middle.astype(np.float32))
        object.__setattr__(self, "folded", folded)

    def score(self, views: Views, needed: float = 0.6) -> float:
        """The best score over all places: above 0 the finding is stated, minus infinity if no place can be read.

        Parameters
        ----------
        views : Views
            Of one picture.
        needed : float, default 0.6
            Share of a window's cells that must be readable for it to count. Those that are not say nothing for or
            against.
        """
        folded = self.folded
        best = -np.inf
        for mirror in (False, True) if self.window.mirrored else (False,):
            told = views.told(self.window.pool, mirror)
            cells = views.counted(self.window.pool, mirror).take(folded.cells, axis=0)
            rows = cells.reshape(len(folded.cells), -1) @ folded.weights
            if told is None:
                rows -= folded.middle.sum()
            else:
                seen = told.take(folded.cells)
                usable = seen.sum(axis=1, dtype=np.float64) / seen.shape[1] >= needed
                if not usable.any():
                    continue
                rows = (rows - seen @ folded.middle)[usable]
            best = max(best, float(rows.max()) + self.bias)
        return best


class Views:
    """A picture's cells as the windows look at them: pooled, straight or in a mirror, each made once.

    Parameters
    ----------
    cells : CellFeatures
    readability : bool, default True
        Whether it is known which cells are readable; otherwise every cell is read, whatever it holds.
    """

    def __init__(self, cells: CellFeatures, readability: bool = True) -> None:
        self._values = cells.values
        # Most pictures can be read everywhere: then nothing needs to be left out.
        readable = None if not readability or cells.readable.all() else cells.readable
        self._readable = None if readable is None else readable[:, :, None].astype(np.float32)
        self._made: dict[tuple[str, int, bool], Floats] = {}

    def values(self, pool: int, mirror: bool) -> Floats:
        """Features, float32, (64, 64, 8)."""
        return self._view("values", pool, mirror, lambda: _pooled(_turned(self._values, mirror), pool))

    def told(self, pool: int, mirror: bool) -> Floats | None:
        """1 for a readable cell, else 0: float32, (4096,); None where every cell counts."""
        readable = self._readable
        if readable is None:
            return None

        def made() -> Floats:
            return (_pooled(_turned(readable, mirror), pool) > _TOLD).astype(np.float32).ravel()

        return self._view("told", pool, mirror, made)

    def counted(self, pool: int, mirror: bool) -> Floats:
        """Features of the cells that count, 0 in the others: float32, (4096, 8)."""
        values = self.values(pool, mirror).reshape(CELLS * CELLS, -1)
        told = self.told(pool, mirror)
        return values if told is None else self._view("counted", pool, mirror, lambda: values * told[:, None])

    def _view(self, kind: str, pool: int, mirror: bool, make: Callable[[], Floats]) -> Floats:
        key = (kind, pool, mirror)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = make()
        return made


def _turned(cells: Floats, mirror: bool) -> Floats:
    return cells[:, ::-1] if mirror else cells


def _cells_of(window: Window, places: NDArray[np.int16]) -> NDArray[np.intp]:
    """Places in the flat grid of the cells of each window: (places, cells of the pooled window)."""
    rows = np.arange(0, window.height, window.pool)
    columns = np.arange(0, window.width, window.pool)
    starts = places[:, 0].astype(np.intp) * CELLS + places[:, 1]
    return starts[:, None] + (rows[:, None] * CELLS + columns[None, :]).ravel()[None, :]


def windows_of(pooled: Floats, window: Window, places: NDArray[np.int16]) -> Floats:
    """The numbers of each window: float32, (places, cells of the pooled window * features)."""
    flat = pooled.reshape(CELLS * CELLS, -1)
    return np.asarray(flat[_cells_of(window, places)].reshape(len(places), -1), dtype=np.float32)


def _pooled(values: Floats, pool: int) -> Floats:
    """Means over pool x pool cells that begin at each cell; the last rows and columns repeat the edge."""
    if pool == 1:
        return np.ascontiguousarray(values)
    # `np.pad` takes longer than the additions.
    longer = np.concatenate((values, *[values[-1:]] * (pool - 1)))
    padded = np.concatenate((longer, *[longer[:, -1:]] * (pool - 1)), axis=1)
    down = padded[:CELLS].copy()
    for row in range(1, pool):
        down += padded[row : row + CELLS]
    total = down[:, :CELLS].copy()
    for column in range(1, pool):
        total += down[:, column : column + CELLS]
    total *= np.float32(1.0 / pool**2)
    return total


def nearest_place(window: Window, x: float, y: float) -> tuple[int, int]:
    """Top left cell, row and column, of the window whose middle is nearest to a pixel (x, y) of the 256 x 256 grid."""
    row = round(y / CELL - window.height / 2)
    column = round(x / CELL - window.width / 2)
    return min(max(row, 0), CELLS - window.height), min(max(column, 0), CELLS - window.width)
