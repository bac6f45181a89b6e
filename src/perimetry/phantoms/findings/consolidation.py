"""Consolidation: a dense, even, sharply bordered block with dark, branching airways in it."""

from __future__ import annotations

import math

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import Field, as_field, edge

__all__ = ["CONSOLIDATION"]

_SIZE = (44.0, 42.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (anatomy.apex + 42.0, 150.0)) for _ in range(TRIES)]


def _airway(across: Field, down: Field, slope: float, shift: float) -> Field:
    off = np.abs(down - np.float32(slope) * across - np.float32(shift)) * np.float32(
        1.0 / math.sqrt(1.0 + slope * slope)
    )
    return as_field(np.clip(np.float32(2.1) - off, 0.0, 1.0))


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(place.side)
    down = scene.grid.y[rows] - np.float32(y)
    tilt = np.float32(dice.between(-0.12, 0.12))
    block = edge(np.float32(18.5) - np.abs(down - tilt * across), 2.5)
    block = block * edge(np.float32(20.0) - np.abs(across), 3.0)
    airways = np.maximum(_airway(across, down, 0.25, 1.0), _airway(across, down, -0.55, -6.0))
    airways = np.maximum(airways, _airway(across, down, 0.9, 7.0))
    level = np.float32(dice.between(150.0, 160.0))
    part = scene.canvas[rows, columns]
    dense = np.maximum(level - part, np.float32(0.0)) * np.float32(0.92) - airways * np.float32(62.0)
    part += block * dense * scene.lung[rows, columns]


CONSOLIDATION = Finding("Consolidation", _places, _draw)
