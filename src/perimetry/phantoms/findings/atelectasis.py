"""Atelectasis: two or three thick plates, nearly level, above a diaphragm."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import ramp

__all__ = ["ATELECTASIS"]

_SIZE = (42.0, 30.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (126.0, 160.0)) for _ in range(TRIES)]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(place.side)
    down = scene.grid.y[rows] - np.float32(y)
    ends = ramp((np.float32(20.5) - np.abs(across)) * np.float32(0.2))
    plates = np.zeros((down.shape[0], across.shape[1]), dtype=np.float32)
    for shift in (-8.0, 0.5, 8.0):
        slope = np.float32(dice.between(0.02, 0.16))
        start = np.float32(dice.between(-20.0, -10.0))
        off = np.abs(down - np.float32(shift + dice.between(-1.0, 1.0)) - slope * across)
        reach = ramp((across - start) * np.float32(0.16))
        plates = np.maximum(plates, np.clip((np.float32(3.2) - off) * np.float32(0.6), 0.0, 1.0) * reach)
    level = np.float32(dice.between(56.0, 70.0))
    scene.canvas[rows, columns] += plates * ends * level * scene.lung[rows, columns]


ATELECTASIS = Finding("Atelectasis", _places, _draw)
