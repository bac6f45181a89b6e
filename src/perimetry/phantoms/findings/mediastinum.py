"""Enlarged cardiomediastinum: the upper mediastinum widened to both sides above the heart, with convex borders."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import TISSUE, Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import Finding, Place, Rect
from perimetry.phantoms.grid import edge

__all__ = ["ENLARGED_CARDIOMEDIASTINUM"]


def _places(anatomy: Anatomy, _dice: Dice) -> list[Place]:
    box = Rect(anatomy.cx - 40.0, anatomy.apex + 16.0, anatomy.cx + 40.0, anatomy.apex + 72.0)
    return [Place((box,), 0, "mediastinum")]


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    anatomy = scene.anatomy
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    reach = dice.between(14.0, 18.0)
    t = (scene.grid.y[rows] - np.float32(box.middle[1])) * np.float32(2.0 / (box.bottom - box.top))
    border = np.float32(anatomy.mediastinum) + np.float32(reach) * (
        np.float32(1.0) - t * t * (np.float32(0.2) + np.float32(0.8) * t * t)
    )
    shape = edge(border - scene.u[:, columns], 4.0)
    part = scene.canvas[rows, columns]
    part += shape * np.float32(0.85) * np.maximum(np.float32(TISSUE + 8.0) - part, np.float32(0.0))


ENLARGED_CARDIOMEDIASTINUM = Finding("Enlarged Cardiomediastinum", _places, _draw)
