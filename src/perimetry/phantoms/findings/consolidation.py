"""Consolidation: a dense, even, sharply bordered block with dark, branching airways in it."""

from __future__ import annotations

import math

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, lung_place
from perimetry.phantoms.grid import Field, as_field, edge, lattice

__all__ = ["CONSOLIDATION"]

_SIZE = (44.0, 42.0)


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    return [lung_place(anatomy, dice, _SIZE, (anatomy.apex + 42.0, 150.0)) for _ in range(TRIES)]


def _airway(across: Field, down: Field, slope: float, shift: float) -> Field:
    off = np.abs(down - np.float32(slope) * across - np.float32(shift)) * np.float32(
        1.0 / math.sqrt(1.0 + slope * slope)
    )
    return as_field(np.clip(np.float32(1.9) - off, 0.0, 1.0))


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    x, y = box.middle
    across = (scene.grid.x[:, columns] - np.float32(x)) * np.float32(place.side)
    down = scene.grid.y[rows] - np.float32(y)
    part = scene.canvas[rows, columns]
    ragged = lattice(part.shape, (4, 4), dice.raw(), "phantom/consolidation")
    tilt = np.float32(dice.between(-0.14, 0.14))
    # Sharp above, where a fissure bounds it; ragged and softer elsewhere.
    block = edge(down - tilt * across + np.float32(16.5), 2.0)
    block = block * edge(np.float32(16.0) + np.float32(4.0) * ragged - down, 4.0)
    block = block * edge(np.float32(17.5) + np.float32(3.5) * ragged - np.abs(across), 4.0)
    block = block * np.clip(np.float32(22.0) - np.abs(across), 0.0, 1.0)
    airways = np.maximum(_airway(across, down, 0.25, 1.0), _airway(across, down, -0.55, -6.0))
    airways = np.maximum(airways, _airway(across, down, 0.9, 7.0))
    level = np.float32(dice.between(140.0, 152.0))
    dense = np.maximum(level - part, np.float32(0.0)) * np.float32(0.92) - airways * np.float32(44.0)
    part += block * dense * scene.lung[rows, columns]


CONSOLIDATION = Finding("Consolidation", _places, _draw)
