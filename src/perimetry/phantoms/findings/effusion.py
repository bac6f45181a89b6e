"""Pleural effusion: a costophrenic angle filled with even white up to a meniscus that climbs the chest wall."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import TISSUE, Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import Finding, Place, Rect, side_word
from perimetry.phantoms.grid import edge

__all__ = ["PLEURAL_EFFUSION"]

_WIDTH, _HEIGHT = 42.0, 48.0


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    places = []
    for side in dice.shuffled((-1, 1)):
        x = anatomy.cx + side * (anatomy.half + 3.0 - _WIDTH / 2)
        y = anatomy.dome(side) + 20.0 - _HEIGHT / 2
        places.append(Place((Rect.around(x, y, _WIDTH, _HEIGHT),), side, f"{side_word(side)} base"))
    return places


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    anatomy = scene.anatomy
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    inner = anatomy.half + 3.0 - _WIDTH
    t = (scene.u[:, columns] - np.float32(inner)) * np.float32(1.0 / (_WIDTH - 3.0))
    height = np.float32(dice.between(35.0, 40.0))
    surface = np.float32(anatomy.dome(place.side) + 17.0) - height * (np.float32(0.25) + np.float32(0.75) * t * t)
    fluid = edge(scene.grid.y[rows] - surface, 3.0) * scene.lung[rows, columns]
    fluid = fluid * np.clip(t * np.float32(8.0), 0.0, 1.0)
    part = scene.canvas[rows, columns]
    part += fluid * np.float32(0.95) * np.maximum(np.float32(TISSUE + 14.0) - part, np.float32(0.0))


PLEURAL_EFFUSION = Finding("Pleural Effusion", _places, _draw)
