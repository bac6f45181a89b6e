"""Support devices: the metal can of a pacemaker below a clavicle, with the beginning of its lead."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, Rect, side_word
from perimetry.phantoms.grid import edge

__all__ = ["SUPPORT_DEVICES"]

_SIZE = (38.0, 34.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    places = []
    for _ in range(TRIES):
        side = dice.sign()
        x = anatomy.cx + side * dice.between(62.0, 72.0)
        y = anatomy.apex + dice.between(28.0, 42.0)
        places.append(Place((Rect.around(x, y, *_SIZE),), side, f"{side_word(side)} chest wall"))
    return places


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(place.side)
    down = scene.grid.y[rows] - np.float32(y)
    wide, high = np.float32(dice.between(11.0, 12.5)), np.float32(9.5)
    beside = np.maximum(np.abs(across - np.float32(4.0)) - wide + np.float32(5.0), np.float32(0.0))
    below = np.maximum(np.abs(down - np.float32(3.0)) - high + np.float32(5.0), np.float32(0.0))
    inside = np.float32(5.0) - np.sqrt(beside * beside + below * below)
    can = edge(inside, 1.6)
    rim = np.clip(np.float32(1.6) - np.abs(inside - np.float32(1.6)), 0.0, 1.0)
    curve = np.float32(-13.5) + np.float32(0.012) * (across - np.float32(8.0)) * (across - np.float32(8.0))
    lead = np.clip(np.float32(1.9) - np.abs(down - curve), 0.0, 1.0) * edge(np.float32(17.5) - np.abs(across), 1.0)
    part = scene.canvas[rows, columns]
    part += can * (np.float32(222.0) - part)
    part += rim * (np.float32(240.0) - part) * np.float32(0.8)
    part += lead * (np.float32(226.0) - part)


SUPPORT_DEVICES = Finding("Support Devices", _places, _draw)
