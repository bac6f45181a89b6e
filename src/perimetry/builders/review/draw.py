"""Which cases a radiologist sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.chexpert import CHEXBERT_ORDER
from perimetry.cases.study import Box, Study
from perimetry.statistics.streams import permutation

__all__ = ["PER_CLASS", "Drawn", "draw_cases"]

PER_CLASS = 5
"""Cases of each class, as in the paper."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One case: a box of a study, and the class that it was drawn for.

    Parameters
    ----------
    case : str
        Its name; says nothing of the class.
    study : Study
    box : Box
    finding : str
    """

    case: str
    study: Study
    box: Box
    finding: str


def draw_cases(studies: Sequence[Study], per_class: int = PER_CLASS, seed: int = 42) -> tuple[Drawn, ...]:
    """Draw boxes of every class, each from a study of its own, in an order that mixes the classes.

    Parameters
    ----------
    studies : sequence of Study
    per_class : int, default 5
        Fewer where a class has fewer studies.
    seed : int, default 42

    Returns
    -------
    tuple of Drawn
        The same whatever the order of `studies`.

    Examples
    --------
    >>> one = Study("s1", "mine", "p1", boxes=(Box(0, 1, 1, 2, 2, frozenset({"Edema"})),))
    >>> [(drawn.case, drawn.finding) for drawn in draw_cases([one])]
    [('case-001', 'Edema')]
    """
    ordered = sorted(studies, key=lambda study: study.id)
    chosen: list[tuple[Study, Box, str]] = []
    for finding in CHEXBERT_ORDER:
        having = [study for study in ordered if any(finding in box.classes for box in study.boxes)]
        for place in permutation(seed, "review", finding, size=len(having)).tolist()[:per_class]:
            study = having[place]
            boxes = [box for box in study.boxes if finding in box.classes]
            pick = permutation(seed, "review/box", finding, study.id, size=len(boxes)).tolist()[0]
            chosen.append((study, boxes[pick], finding))
    order = permutation(seed, "review/order", size=len(chosen)).tolist() if chosen else []
    return tuple(Drawn(f"case-{number:03d}", *chosen[place]) for number, place in enumerate(order, start=1))
