"""Fracture: a dark oblique cleft through a rib, in a knot of bright callus."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, Rect, side_word
from perimetry.phantoms.grid import edge

__all__ = ["FRACTURE"]

_SIZE = (28.0, 26.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    places = []
    for _ in range(TRIES):
        side, index = dice.sign(), 2 + dice.below(4)
        u = dice.between(44.0, 60.0)
        y = anatomy.rib_height(u, index)
        if 76.0 <= y <= 140.0:
            box = Rect.around(anatomy.cx + side * u, y, *_SIZE)
            places.append(Place((box,), side, f"{side_word(side)} rib"))
    return places


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(place.side)
    down = scene.grid.y[rows] - np.float32(y)
    far = (across * np.float32(1.0 / 11.0)) ** 2 + (down * np.float32(1.0 / 7.5)) ** 2
    callus = edge(np.float32(0.8) - far, 0.7)
    slope = np.float32(dice.between(0.35, 0.5))
    cleft = np.clip(np.float32(2.4) - np.abs(across + slope * down), 0.0, 1.0)
    reach = edge(np.float32(9.0) - np.abs(down), 2.0)
    part = scene.canvas[rows, columns]
    part += callus * np.float32(dice.between(58.0, 70.0))
    part += cleft * reach * (np.float32(34.0) - part)


FRACTURE = Finding("Fracture", _places, _draw)
