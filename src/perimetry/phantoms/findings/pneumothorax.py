"""Pneumothorax: at an apex, a dark rim without markings outside a thin bright pleural line."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import Finding, Place, Rect, side_word
from perimetry.phantoms.grid import edge

__all__ = ["PNEUMOTHORAX"]

_DEPTH = 62.0


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    top = anatomy.apex + 6.0
    places = []
    for side in dice.shuffled((-1, 1)):
        outer = float(anatomy.lateral(top + _DEPTH)) + 3.0
        inner = float(anatomy.lateral(top + 8.0)) - 14.0
        x = sorted((anatomy.cx + side * inner, anatomy.cx + side * outer))
        places.append(Place((Rect(x[0], top, x[1], top + _DEPTH),), side, f"{side_word(side)} apex"))
    return places


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    anatomy = scene.anatomy
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    y = scene.grid.y[rows]
    depth = anatomy.lateral(y) - scene.u[:, columns]
    widest = np.float32(dice.between(12.0, 14.0))
    t = (y - np.float32(box.top)) * np.float32(1.0 / _DEPTH)
    gap = widest * (np.float32(1.05) - np.float32(0.45) * t * t)
    fade = np.clip(np.minimum(t, np.float32(1.0) - t) * np.float32(12.0), 0.0, 1.0)
    fade = fade * scene.lung[rows, columns]
    part = scene.canvas[rows, columns]
    empty = edge(gap - depth, 2.0) * fade
    part += empty * np.float32(0.88) * (np.float32(34.0) - part)
    line = np.clip(np.float32(2.0) - np.abs(depth - gap - np.float32(1.0)), 0.0, 1.0) * fade
    part += line * np.float32(dice.between(62.0, 76.0))


PNEUMOTHORAX = Finding("Pneumothorax", _places, _draw)
