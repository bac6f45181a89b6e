"""Lung opacity: a faint, even haze without an edge, through which vessels and ribs stay visible."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import bump, lattice

__all__ = ["LUNG_OPACITY"]

_SIZE = (44.0, 46.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (anatomy.apex + 34.0, 138.0)) for _ in range(TRIES)]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(2.0 / _SIZE[0])
    down = (scene.grid.y[rows] - np.float32(y)) * np.float32(2.0 / _SIZE[1])
    part = scene.canvas[rows, columns]
    uneven = lattice(part.shape, (3, 3), dice.raw(), "phantom/opacity")
    far = (across * across + down * down) * (np.float32(1.15) + np.float32(0.15) * uneven)
    haze = np.minimum(bump(far) * np.float32(1.5), np.float32(1.0))
    part += haze * np.float32(dice.between(44.0, 54.0)) * scene.lung[rows, columns]


LUNG_OPACITY = Finding("Lung Opacity", _places, _draw)
