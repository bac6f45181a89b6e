"""Pneumonia: many small soft patches that partly run together."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import bump

__all__ = ["PNEUMONIA"]

_SIZE = (44.0, 46.0)
_PATCHES = ((-12, -13), (1, -14), (12, -9), (-6, -4), (6, 0), (-13, 5), (-2, 9), (11, 12), (-9, 15), (2, 17), (14, 1))


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (anatomy.apex + 42.0, 150.0)) for _ in range(TRIES)]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = scene.grid.x[:, columns] - np.float32(x)
    down = scene.grid.y[rows] - np.float32(y)
    part = np.zeros(scene.canvas[rows, columns].shape, dtype=np.float32)
    for patch_x, patch_y in _PATCHES:
        radius = dice.between(4.6, 8.4)
        left = (across - np.float32(patch_x + dice.between(-2.5, 2.5))) * np.float32(1.0 / radius)
        low = (down - np.float32(patch_y + dice.between(-2.5, 2.5))) * np.float32(1.0 / radius)
        part += bump(left * left + low * low) * np.float32(dice.between(48.0, 78.0))
    # Patches keep clear of the box's border.
    inside = np.clip(np.float32(22.0) - np.abs(across), 0.0, 1.0) * np.clip(np.float32(23.0) - np.abs(down), 0.0, 1.0)
    scene.canvas[rows, columns] += np.minimum(part, np.float32(86.0)) * inside * scene.lung[rows, columns]


PNEUMONIA = Finding("Pneumonia", _places, _draw)
