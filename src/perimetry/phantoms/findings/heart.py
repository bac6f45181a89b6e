"""Cardiomegaly: the heart's shadow widened to both sides, most to the patient's left."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import TISSUE, Anatomy, Scene, heart_shape
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import Finding, Place, Rect

__all__ = ["CARDIOMEGALY"]


def _places(anatomy: Anatomy, _dice: Dice) -> list[Place]:
    box = Rect(anatomy.cx - 44.0, anatomy.heart_y - 40.0, anatomy.cx + 74.0, anatomy.heart_y + 34.0)
    return [Place((box,), 0, "heart")]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    anatomy = scene.anatomy
    rows, columns = place.boxes[0].slices(scene.grid)
    dx = scene.grid.x[:, columns] - np.float32(anatomy.cx)
    right = anatomy.heart_right + dice.between(11.0, 14.0)
    left = anatomy.heart_left + dice.between(19.0, 23.0)
    shape = heart_shape(anatomy, dx, scene.grid.y[rows], right, left)
    part = scene.canvas[rows, columns]
    part += shape * np.float32(0.85) * np.maximum(np.float32(TISSUE + 12.0) - part, np.float32(0.0))


CARDIOMEGALY = Finding("Cardiomegaly", _places, _draw)
