"""Lung lesion: one round nodule with a sharp edge."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import edge, lattice

__all__ = ["LUNG_LESION"]

_SIZE = (26.0, 26.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (anatomy.apex + 28.0, 150.0)) for _ in range(TRIES)]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    radius = dice.between(8.5, 11.0)
    across = scene.grid.x[:, columns] - np.float32(x)
    down = scene.grid.y[rows] - np.float32(y)
    part = scene.canvas[rows, columns]
    lobes = lattice(part.shape, (3, 3), dice.raw(), "phantom/lesion")
    disc = edge(np.float32(radius) + lobes - np.sqrt(across * across + down * down), 3.0)
    level = np.float32(dice.between(130.0, 148.0))
    part += disc * np.float32(0.9) * np.maximum(level - part, np.float32(0.0))


LUNG_LESION = Finding("Lung Lesion", _places, _draw)
