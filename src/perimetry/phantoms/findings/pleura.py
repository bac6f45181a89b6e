"""Pleural other: a lumpy band of thickened, speckled pleura along the inner chest wall."""

from __future__ import annotations

import numpy as np

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.findings.place import TRIES, Finding, Place, Rect, side_word
from perimetry.phantoms.grid import edge, lattice

__all__ = ["PLEURAL_OTHER"]

_WIDTH, _HEIGHT = 20.0, 52.0


def _places(anatomy: Anatomy, dice: Dice) -> list[Place]:
    places = []
    for _ in range(TRIES):
        side, y = dice.sign(), dice.between(104.0, 136.0)
        x = anatomy.cx + side * (float(anatomy.lateral(y)) + 3.0 - _WIDTH / 2)
        places.append(Place((Rect.around(x, y, _WIDTH, _HEIGHT),), side, f"{side_word(side)} lateral chest wall"))
    return places


def _draw(scene: Scene, place: Place, dice: Dice) -> None:
    box = place.boxes[0]
    rows, columns = box.slices(scene.grid)
    y = scene.grid.y[rows]
    part = scene.canvas[rows, columns]
    seed = dice.raw()
    lumps = lattice(part.shape, (6, 1), seed, "phantom/pleura/lumps")
    specks = lattice(part.shape, (13, 5), seed, "phantom/pleura/specks")
    thick = np.float32(dice.between(9.5, 11.0)) + np.float32(2.5) * lumps
    depth = scene.anatomy.lateral(y) - scene.u[:, columns]
    t = (y - np.float32(box.middle[1])) * np.float32(2.0 / _HEIGHT)
    band = edge(thick - depth, 2.5) * np.clip((np.float32(1.0) - t * t) * np.float32(4.0), 0.0, 1.0)
    lime = np.clip(specks * np.float32(3.0) - np.float32(0.3), 0.0, 1.0)
    part += band * (np.float32(46.0) + np.float32(62.0) * lime) * scene.lung[rows, columns]


PLEURAL_OTHER = Finding("Pleural Other", _places, _draw)
