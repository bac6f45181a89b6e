"""Places: where a finding may be drawn, as boxes on the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from perimetry.phantoms.anatomy import Anatomy, Scene
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.grid import Grid

__all__ = ["TRIES", "Finding", "Place", "Rect", "lung_place", "side_word"]

TRIES = 12
"""Places that a finding is offered before it counts as having found no room."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in units of 1/256 of the picture's side."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Rect:
        """The rectangle of that size with its middle at (x, y)."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, (x, y)."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def meets(self, other: Rect, margin: float) -> bool:
        """Whether the two come nearer than `margin` to each other."""
        return (
            self.left < other.right + margin
            and other.left < self.right + margin
            and self.top < other.bottom + margin
            and other.top < self.bottom + margin
        )

    def slices(self, on: Grid) -> tuple[slice, slice]:
        """Rows and columns of the pixels that it covers."""
        return (
            slice(on.pixel(self.top), on.pixel(self.bottom)),
            slice(on.pixel(self.left), on.pixel(self.right)),
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding is drawn: its boxes, the side of the body, and a word for reports.

    Side -1 is the patient's right (left in the picture), 1 the patient's left, 0 neither or both.
    """

    boxes: tuple[Rect, ...]
    side: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: where it may lie and how it looks.

    Attributes
    ----------
    name : str
        Its CheXpert class.
    places : callable (Anatomy, Dice) -> list of Place
        Places in the order in which they are tried.
    draw : callable (Scene, Place, Dice) -> None
        Draws it, changing no pixel outside the place's boxes.
    """

    name: str
    places: Callable[[Anatomy, Dice], list[Place]]
    draw: Callable[[Scene, Place, Dice], None]


_SIDES = {-1: "right", 1: "left"}


def side_word(side: int) -> str:
    """``right`` or ``left``, the patient's."""
    return _SIDES[side]


def lung_place(anatomy: Anatomy, dice: Dice, size: tuple[float, float], rows: tuple[float, float]) -> Place:
    """A box of some size (width, height) in either lung, its middle between two heights.

    Below the middle of the chest it keeps out of the heart's shadow on the patient's left.
    """
    width, height = size
    side = dice.sign()
    y = dice.between(*rows)
    inner = anatomy.mediastinum + 3.0
    if y + height / 2 > anatomy.heart_y - 30.0:
        inner = (anatomy.heart_left if side > 0 else anatomy.heart_right) + 3.0
    outer = float(anatomy.lateral(y - height / 4)) - 2.0
    low, high = inner + width / 2, max(outer - width / 2, inner + width / 2)
    u = dice.between(low, high)
    zone = "upper" if y < 95.0 else "mid" if y < 130.0 else "lower"
    box = Rect.around(anatomy.cx + side * u, y, width, height)
    return Place((box,), side, f"{side_word(side)} {zone} lung")
