"""Edema: beside both hila, a haze crossed by a fine net of lines."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import Finding, Place, Rect
from perimetry.phantoms.grid import bump, lattice

__all__ = ["EDEMA"]

_SIZE = (38.0, 42.0)


def _places(anatomy: Anatomy, _dice: Dice) -> list[Place]:
    y = anatomy.heart_y - 40.0 - 3.0 - _SIZE[1] / 2
    boxes = tuple(
        Rect.around(anatomy.cx + side * (anatomy.mediastinum + 3.0 + _SIZE[0] / 2), y, *_SIZE) for side in (-1, 1)
    )
    return [Place(boxes, 0, "both lungs")]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    seed = dice.raw()
    haze_level, net_level = np.float32(dice.between(24.0, 32.0)), np.float32(dice.between(36.0, 46.0))
    for number, box in enumerate(place.boxes):
        rows, columns = box.slices(scene.grid)
        x, y = box.middle
        across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(2.0 / _SIZE[0])
        down = (scene.grid.y[rows] - np.float32(y)) * np.float32(2.0 / _SIZE[1])
        wing = np.minimum(bump(across * across + down * down) * np.float32(2.4), np.float32(1.0))
        part = scene.canvas[rows, columns]
        # Where smooth noise crosses zero it draws a net of thin lines.
        noise = lattice(part.shape, (7, 7), seed, "phantom/edema", number)
        net = np.maximum(np.float32(1.0) - np.abs(noise) * np.float32(4.5), np.float32(0.0))
        part += wing * (haze_level + net_level * net) * scene.lung[rows, columns]


EDEMA = Finding("Edema", _places, _draw)
