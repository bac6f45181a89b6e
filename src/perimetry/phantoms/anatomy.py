"""The anatomy of one phantom: where its ribs, lungs, heart and diaphragm lie, and how they look without a finding."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from perimetry.phantoms.dice import Dice
from perimetry.phantoms.grid import Field, Grid, as_field, bump, edge, lattice, ramp

__all__ = ["LUNG", "TISSUE", "Anatomy", "Scene", "draw_anatomy"]

TISSUE = 150.0
"""Grey level of soft tissue."""

LUNG = 62.0
"""Grey level of aerated lung."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Measures of one phantom, in units of 1/256 of the picture's side.

    Side -1 is the patient's right (left in the picture), side 1 the patient's left. Most places are given as a
    distance from the midline `cx`.
    """

    cx: float
    apex: float
    half: float
    wall: float
    mediastinum: float
    dome_right: float
    dome_left: float
    heart_right: float
    heart_left: float
    heart_y: float
    heart_height: float
    rib_pitch: float
    rib_start: float
    gain: float
    seed: int

    @classmethod
    def draw(cls, seed: int) -> Anatomy:
        """Measures of the phantom with that seed."""
        dice = Dice(seed, "phantom/anatomy")
        return cls(
            cx=dice.between(124.0, 132.0),
            apex=dice.between(36.0, 43.0),
            half=dice.between(81.0, 88.0),
            wall=dice.between(14.0, 19.0),
            mediastinum=dice.between(17.0, 20.0),
            dome_right=dice.between(176.0, 184.0),
            dome_left=dice.between(183.0, 191.0),
            heart_right=dice.between(23.0, 27.0),
            heart_left=dice.between(39.0, 45.0),
            heart_y=dice.between(154.0, 160.0),
            heart_height=dice.between(32.0, 37.0),
            rib_pitch=dice.between(18.0, 20.0),
            rib_start=dice.between(0.0, 18.0),
            gain=dice.between(0.93, 1.07),
            seed=seed,
        )

    def dome(self, side: int) -> float:
        """Height of a diaphragm's dome."""
        return self.dome_right if side < 0 else self.dome_left

    def lateral(self, y: float | Field) -> Field:
        """Distance from the midline to the inner chest wall at height y."""
        t = np.clip((np.asarray(y, dtype=np.float32) - np.float32(self.apex)) / np.float32(100.0), 0.0, 1.0)
        rest = np.float32(1.0) - t
        arch = np.sqrt(np.float32(1.0) - rest * rest)
        return as_field(np.float32(self.half) * (np.float32(0.36) + np.float32(0.64) * arch))

    def floor(self, u: float | Field, side: int) -> Field:
        """Height of the diaphragm at distance u from the midline."""
        t = (np.asarray(u, dtype=np.float32) - np.float32(42.0)) * np.float32(1.0 / 42.0)
        return as_field(np.float32(self.dome(side)) + np.float32(17.0) * t * t)

    def rib_height(self, u: float, index: int) -> float:
        """Height of the middle of a posterior rib at distance u from the midline."""
        return self.rib_start + (index + 0.5) * self.rib_pitch + float(self.rib_drop(u))

    def rib_drop(self, u: float | Field) -> Field:
        """How far a posterior rib has come down at distance u from the midline."""
        t = np.asarray(u, dtype=np.float32) * np.float32(1.0 / 84.0)
        return as_field(np.float32(26.0) * t * t - np.float32(10.0) * t)


@dataclass(frozen=True, slots=True)
class Scene:
    """What findings are drawn into: the picture so far and the fields that describe where the lungs are.

    Attributes
    ----------
    anatomy : Anatomy
    grid : Grid
    canvas : float32 array, (size, size)
        Written to by the findings.
    lung : float32 array, (size, size)
        1 inside a lung field, 0 outside, smooth at the border.
    u : float32 array, (1, size)
        Distance from the midline.
    """

    anatomy: Anatomy
    grid: Grid
    canvas: Field
    lung: Field
    u: Field


def draw_anatomy(anatomy: Anatomy, on: Grid) -> Scene:
    """A chest without a finding: body, lungs, vessels, ribs, spine, heart, clavicles; no pixel noise yet."""
    x, y = on.x, on.y
    dx = x - np.float32(anatomy.cx)
    u = np.abs(dx)
    canvas = _body(anatomy, u, y)
    lung = _lungs(anatomy, dx, u, y)
    canvas += lung * (np.float32(LUNG) - canvas)
    coarse = lattice(canvas.shape, (9, 9), anatomy.seed, "phantom/coarse")
    fine = lattice(canvas.shape, (36, 36), anatomy.seed, "phantom/fine")
    canvas += np.float32(5.0) * coarse + np.float32(3.0) * fine
    _vessels(anatomy, canvas, lung, on)
    _ribs(anatomy, canvas, u, y)
    _midline(anatomy, canvas, dx, u, y, on)
    _stomach(anatomy, canvas, on)
    _heart(anatomy, canvas, dx, on)
    _clavicles(anatomy, canvas, on)
    return Scene(anatomy, on, canvas, lung, u)


def _body(anatomy: Anatomy, u: Field, y: Field) -> Field:
    shoulder = ramp((y - np.float32(6.0)) * np.float32(1.0 / 42.0))
    width = np.float32(30.0) + shoulder * np.float32(92.0)
    waist = ramp((y - np.float32(56.0)) * np.float32(1.0 / 90.0))
    width = width - waist * np.float32(122.0 - anatomy.half - anatomy.wall)
    level = np.float32(TISSUE) - np.float32(14.0) * ramp((u - np.float32(60.0)) * np.float32(1.0 / 50.0))
    level = level + np.float32(16.0) * ramp((y - np.float32(180.0)) * np.float32(1.0 / 40.0))
    return np.float32(10.0) + edge(width - u, 6.0) * (level - np.float32(10.0))


def _lungs(anatomy: Anatomy, dx: Field, u: Field, y: Field) -> Field:
    lateral = anatomy.lateral(y)
    medial = np.float32(anatomy.mediastinum)
    top = np.float32(anatomy.apex) + np.float32(0.018) * (u - np.float32(26.0)) * (u - np.float32(26.0))
    floor = np.where(dx < 0, anatomy.floor(u, -1), anatomy.floor(u, 1)).astype(np.float32)
    inside = edge(lateral - u, 4.0) * edge(u - medial, 4.0)
    return inside * edge(y - top, 8.0) * edge(floor - y, 4.0)


def _vessels(anatomy: Anatomy, canvas: Field, lung: Field, on: Grid) -> None:
    dice = Dice(anatomy.seed, "phantom/vessels")
    for side in (-1, 1):
        hilum_x, hilum_y = anatomy.cx + side * 25.0, 110.0 + (3.0 if side < 0 else -3.0)
        _dab(canvas, lung, on, hilum_x - side * 3.0, hilum_y, 15.0, 22.0, 40.0)
        for rise in (-1.3, -0.75, -0.3, 0.1, 0.45, 0.9, 1.5):
            slope = rise + dice.between(-0.15, 0.15)
            reach = dice.between(34.0, 50.0) / (1.0 + 0.4 * abs(slope))
            start = (hilum_x + side * dice.between(0.0, 5.0), hilum_y + 7.0 * rise)
            _branch(canvas, lung, on, start, side, slope, reach, 20.0)


def _dab(
    canvas: Field, lung: Field, on: Grid, x: float, y: float, radius_x: float, radius_y: float, level: float
) -> None:
    rows = slice(on.pixel(y - radius_y), on.pixel(y + radius_y))
    columns = slice(on.pixel(x - radius_x), on.pixel(x + radius_x))
    across = (on.x[:, columns] - np.float32(x)) * np.float32(1.0 / radius_x)
    down = (on.y[rows] - np.float32(y)) * np.float32(1.0 / radius_y)
    canvas[rows, columns] += np.float32(level) * bump(across * across + down * down) * lung[rows, columns]


def _branch(
    canvas: Field,
    lung: Field,
    on: Grid,
    start: tuple[float, float],
    side: int,
    slope: float,
    reach: float,
    level: float,
) -> None:
    """One vessel: a line that leaves the hilum outwards, thinner and fainter on its way."""
    x0, y0 = start
    ends = sorted((x0, x0 + side * reach))
    heights = sorted((y0, y0 + slope * reach))
    columns = slice(on.pixel(ends[0]), on.pixel(ends[1]))
    rows = slice(on.pixel(heights[0] - 4.0), on.pixel(heights[1] + 4.0))
    along = (on.x[:, columns] - np.float32(x0)) * np.float32(side / reach)
    off = on.y[rows] - np.float32(y0) - np.float32(slope * reach) * along
    width = np.float32(3.4) - np.float32(1.6) * along
    off = off / (width * np.float32(math.sqrt(1.0 + slope * slope)))
    fade = np.float32(level) * (np.float32(1.0) - np.float32(0.8) * along) * ramp(along * np.float32(8.0))
    canvas[rows, columns] += fade * bump(off * off) * lung[rows, columns]


def _ribs(anatomy: Anatomy, canvas: Field, u: Field, y: Field) -> None:
    cage = edge(anatomy.lateral(y) + np.float32(5.0) - u, 5.0) * ramp((u - np.float32(10.0)) * np.float32(0.1))
    cage = cage * (ramp((y - np.float32(26.0)) * np.float32(0.05)) * ramp((np.float32(225.0) - y) * np.float32(0.025)))
    phase = (y - anatomy.rib_drop(u) - np.float32(anatomy.rib_start)) * np.float32(1.0 / anatomy.rib_pitch)
    phase -= np.floor(phase)
    phase -= np.float32(0.5)
    distance = np.abs(phase, out=phase)
    # A rib is a plateau with a brighter rim (its cortex).
    distance *= np.float32(anatomy.rib_pitch)
    plate = np.clip(np.float32(4.6) - distance, 0.0, 1.5)
    rim = distance - np.float32(3.8)
    rim *= rim
    plate += np.float32(0.8) * np.clip(np.float32(1.0) - rim, 0.0, 1.0)
    plate *= cage
    plate *= np.float32(11.0)
    canvas += plate
    # Anterior ribs: fainter, and sloping the other way.
    phase = (y + np.float32(0.55) * u) * np.float32(0.8 / anatomy.rib_pitch)
    phase -= np.floor(phase)
    phase -= np.float32(0.5)
    distance = np.abs(phase, out=phase)
    plate = np.clip(np.float32(0.24) - distance, 0.0, 0.08)
    plate *= cage
    plate *= np.float32(75.0)
    canvas += plate


def _midline(anatomy: Anatomy, canvas: Field, dx: Field, u: Field, y: Field, on: Grid) -> None:
    columns = slice(on.pixel(anatomy.cx - 40.0), on.pixel(anatomy.cx + 40.0))
    dx, u = dx[:, columns], u[:, columns]
    part = canvas[:, columns]
    spine = edge(np.float32(11.0) - u, 4.0)
    disc = (y - np.float32(anatomy.rib_start)) * np.float32(1.0 / 13.0)
    disc = np.abs(disc - np.floor(disc) - np.float32(0.5))
    part += spine * (np.float32(20.0) + np.float32(14.0) * ramp(disc * np.float32(4.0) - np.float32(0.3)))
    airway = edge(np.float32(6.0) - np.abs(dx - np.float32(1.0)), 3.0) * edge(np.float32(98.0) - y, 8.0)
    part -= np.float32(30.0) * airway * ramp((y - np.float32(4.0)) * np.float32(0.05))
    knob_x = (dx - np.float32(16.0)) * np.float32(1.0 / 13.0)
    knob_y = (y - np.float32(88.0)) * np.float32(1.0 / 14.0)
    part += np.float32(46.0) * bump(knob_x * knob_x + knob_y * knob_y)


def _heart(anatomy: Anatomy, canvas: Field, dx: Field, on: Grid) -> None:
    rows = slice(on.pixel(anatomy.heart_y - 48.0), on.pixel(anatomy.heart_y + 52.0))
    columns = slice(on.pixel(anatomy.cx - 48.0), on.pixel(anatomy.cx + 66.0))
    shape = heart_shape(anatomy, dx[:, columns], on.y[rows], anatomy.heart_right, anatomy.heart_left)
    part = canvas[rows, columns]
    part += shape * np.float32(0.8) * np.maximum(np.float32(TISSUE + 14.0) - part, np.float32(0.0))


def _stomach(anatomy: Anatomy, canvas: Field, on: Grid) -> None:
    """The air under the left dome."""
    x, y = anatomy.cx + 48.0, anatomy.dome_left + 21.0
    rows, columns = slice(on.pixel(y - 14.0), on.pixel(y + 14.0)), slice(on.pixel(x - 24.0), on.pixel(x + 24.0))
    across = (on.x[:, columns] - np.float32(x)) * np.float32(1.0 / 24.0)
    down = (on.y[rows] - np.float32(y)) * np.float32(1.0 / 14.0)
    air = np.minimum(bump(across * across + down * down) * np.float32(2.0), np.float32(1.0))
    canvas[rows, columns] -= np.float32(44.0) * air


def heart_shape(anatomy: Anatomy, dx: Field, y: Field, right: float, left: float) -> Field:
    """1 inside a heart that reaches `right` and `left` of the midline, 0 outside, smooth at the border."""
    across = dx * np.where(dx < 0, np.float32(1.0 / right), np.float32(1.0 / left)).astype(np.float32)
    down = (y - np.float32(anatomy.heart_y)) * np.float32(1.0 / anatomy.heart_height)
    # The left border leans outwards towards the apex of the heart.
    across = across * (np.float32(1.06) - np.float32(0.16) * down)
    radius = np.sqrt(across * across + down * down)
    return ramp((np.float32(1.08) - radius) * np.float32(5.0))


def _clavicles(anatomy: Anatomy, canvas: Field, on: Grid) -> None:
    for side in (-1, 1):
        ends = sorted((anatomy.cx + side * 9.0, anatomy.cx + side * 92.0))
        columns = slice(on.pixel(ends[0]), on.pixel(ends[1]))
        rows = slice(on.pixel(anatomy.apex - 14.0), on.pixel(anatomy.apex + 26.0))
        t = (np.abs(on.x[:, columns] - np.float32(anatomy.cx)) - np.float32(9.0)) * np.float32(1.0 / 83.0)
        middle = np.float32(anatomy.apex + 17.0) - np.float32(34.0) * t + np.float32(14.0) * t * t
        off = np.abs(on.y[rows] - middle)
        bone = np.clip(np.float32(4.4) - off, 0.0, 1.5) * np.float32(16.0)
        canvas[rows, columns] += bone * ramp(t * np.float32(20.0)) * ramp((np.float32(1.0) - t) * np.float32(12.0))
