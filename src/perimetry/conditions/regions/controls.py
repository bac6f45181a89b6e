"""Control regions: as the paper draws them, and matched in area to the disease boxes.

References
----------
"ShoViR" section 3.2, Random Occlusion. The matched control is this project's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from perimetry.cases.regions import Rectangle, Shape, union_area
from perimetry.conditions.regions.rectangles import clusters, disjoint, halves
from perimetry.conditions.regions.room import place
from perimetry.statistics.streams import below, raw_integers

__all__ = ["matched_control", "random_control"]

ATTEMPTS = 32
"""How often a random control is drawn anew before it is said not to fit."""

WHOLE_ATTEMPTS = 8
"""How often the matched control is tried with its boxes whole before they are split."""

PIECED_ATTEMPTS = 4
"""How often it is tried with boxes that may be split."""

MAX_HALVINGS = 6
"""A box is split into at most 64 pieces."""

_KEPT = 2048


def random_control(
    seed: int,
    digest: str,
    finding: str,
    shape: Shape,
    obstacles: tuple[Rectangle, ...],
    most: int,
    sizes: Sequence[tuple[float, float]],
) -> tuple[Rectangle, ...] | None:
    """The paper's control: boxes in random number and sizes at random places.

    The number is uniform in 1..`most`, each size is drawn from those of the data set's boxes, with replacement, and
    the boxes are laid down one by one, the largest first, each at a place that is uniform among those where it meets
    no obstacle. They do not overlap each other either (the paper does not say). Where one finds no place, number,
    sizes and places are drawn anew, up to 32 times.

    Parameters
    ----------
    seed : int
    digest : str
        Of the image.
    finding : str
        The examined class: its part of the stream's name.
    shape : (height, width)
    obstacles : tuple of Rectangle
        Disease and co-disease boxes.
    most : int from 1
        Number of boxes of the image.
    sizes : sequence of (width, height)
        As shares of their images'. Not empty.

    Returns
    -------
    tuple of Rectangle or None
        None where it did not fit.

    Examples
    --------
    >>> control = random_control(42, "digest", "Edema", (100, 100), (Rectangle(0, 0, 50, 100),), 1, [(0.2, 0.1)])
    >>> [(one.height, one.width, one.top >= 50) for one in control]
    [(10, 20, True)]
    """
    height, width = shape
    for attempt in range(ATTEMPTS):
        raw = raw_integers(seed, "ro/sizes", digest, finding, attempt, size=1 + most)
        number = 1 + int(below(raw[:1], most)[0])
        drawn = [sizes[at] for at in below(raw[1 : 1 + number], len(sizes)).tolist()]
        bodies = tuple((Rectangle(0, 0, _pixels(tall, height), _pixels(wide, width)),) for wide, tall in drawn)
        placed = _laid_whole(seed, "ro", digest, finding, attempt, shape, obstacles, bodies)
        if placed is not None:
            return placed
    return None


@lru_cache(maxsize=_KEPT)
def matched_control(
    seed: int,
    digest: str,
    finding: str,
    shape: Shape,
    boxes: tuple[Rectangle, ...],
    obstacles: tuple[Rectangle, ...],
) -> tuple[Rectangle, ...] | None:
    """The disease boxes themselves at another place: a control of their number, form and area.

    Boxes that overlap each other move as one body, so that they cover as many pixels as before. Where no free place
    is left for a body, the arrangement is tried anew up to 8 times; then it is cut into its parts and these are
    halved, and halved again, down to 1/64, until the pieces find room, in corners of what is free, so that little is
    wasted. Of 4 such arrangements the one that covers most is taken; pieces that find no room are left out: the area
    falls short, which `Covered.area_share` tells.

    Parameters
    ----------
    seed, digest, finding, shape
        As for `random_control`.
    boxes : tuple of Rectangle
        The disease boxes.
    obstacles : tuple of Rectangle
        What must not be covered: disease and co-disease boxes.

    Returns
    -------
    tuple of Rectangle or None
        None where not even a piece found room.

    Examples
    --------
    >>> own = (Rectangle(0, 0, 10, 30),)
    >>> [(one.height, one.width) for one in matched_control(42, "digest", "Edema", (50, 50), own, own)]
    [(10, 30)]
    """
    bodies = clusters(boxes)
    for attempt in range(WHOLE_ATTEMPTS):
        placed = _laid_whole(seed, "romatched", digest, finding, attempt, shape, obstacles, bodies)
        if placed is not None:
            return placed
    best: tuple[Rectangle, ...] = ()
    for attempt in range(PIECED_ATTEMPTS):
        placed = _laid_in_pieces(seed, digest, finding, attempt, shape, obstacles, bodies)
        if _area(placed) > _area(best):
            best = placed
        if _area(best) == union_area(boxes):
            break
    return best or None


@lru_cache(maxsize=_KEPT)
def _laid_whole(
    seed: int,
    name: str,
    digest: str,
    finding: str,
    attempt: int,
    shape: Shape,
    obstacles: tuple[Rectangle, ...],
    bodies: tuple[tuple[Rectangle, ...], ...],
) -> tuple[Rectangle, ...] | None:
    """Bodies at random places, the largest first; None as soon as one finds none."""
    raw = raw_integers(seed, f"{name}/places", digest, finding, attempt, size=len(bodies)).tolist()
    taken: list[Rectangle] = []
    for body, choice in zip(sorted(bodies, key=_area, reverse=True), raw, strict=True):
        found = place(body, shape, (*obstacles, *taken), choice)
        if found is None:
            return None
        taken += found
    return tuple(sorted(taken))


def _laid_in_pieces(
    seed: int,
    digest: str,
    finding: str,
    attempt: int,
    shape: Shape,
    obstacles: tuple[Rectangle, ...],
    bodies: tuple[tuple[Rectangle, ...], ...],
) -> tuple[Rectangle, ...]:
    """Whatever can be placed: bodies whole, else their parts, else halves of these, the largest first."""
    waiting = list(bodies)
    taken: list[Rectangle] = []
    for level in range(MAX_HALVINGS + 1):
        waiting.sort(key=_area, reverse=True)
        raw = raw_integers(seed, "romatched/pieces", digest, finding, attempt, level, size=len(waiting)).tolist()
        left: list[tuple[Rectangle, ...]] = []
        for body, choice in zip(waiting, raw, strict=True):
            found = place(body, shape, (*obstacles, *taken), choice, wedged=level > 0)
            if found is None:
                left.append(body)
            else:
                taken += found
        if not left:
            break
        waiting = [
            (piece,)
            for body in left
            for part in (body if level else disjoint(body))
            for piece in (halves(part) if len(body) == 1 else (part,))
        ]
    return tuple(sorted(taken))


def _area(body: Sequence[Rectangle]) -> int:
    return sum(one.area for one in body)


def _pixels(share: float, side: int) -> int:
    """A share of a side in whole pixels: at least one, at most all."""
    return min(max(round(share * side), 1), side)
