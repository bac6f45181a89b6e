"""Boxes of a record held against their images: one rule for every source of studies with boxes in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perimetry.cases.box_faults import shape_of
from perimetry.cases.boxes import fit_box, note_cut
from perimetry.cases.echo import echo
from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image

__all__ = ["CORNERS", "fitted_boxes"]

CORNERS = ("x", "y", "width", "height")


def fitted_boxes(
    given: Sequence[Any], images: Sequence[Image], boxes: Funnel, identity: str
) -> tuple[list[Any], list[Any]]:
    """Boxes of a record, cut to their images; those that cannot be are left out and counted.

    A box that reaches beyond its image is cut, and that is counted; one of which less than half lies inside is left
    out. What is no box at all passes as it is: the record's own reader says what is wrong with it.

    Parameters
    ----------
    given : sequence
        Objects with image, x, y, width, height and more.
    images : sequence of Image
        An image that cannot be read cuts nothing; its trials fail later, by that name.
    boxes : Funnel
        Of boxes.
    identity : str
        Of the record, for examples.

    Returns
    -------
    list, list
        The boxes, and what the boxes that were left out say of their classes: the study shows these all the same, and
        is none without them.
    """
    kept: list[Any] = []
    lost: list[Any] = []
    sizes: dict[int, tuple[int, int] | None] = {}
    for box in given:
        boxes.enter()
        image = box.get("image", 0) if isinstance(box, Mapping) else None
        if (
            not isinstance(box, Mapping)
            or not isinstance(image, int)
            or not 0 <= image < len(images)
            or any(box.get(name) is None for name in CORNERS)
        ):
            kept.append(box)
            continue
        if image not in sizes:
            shape = shape_of(images[image])
            sizes[image] = None if shape is None else (shape[1], shape[0])
        corners = [box.get(name) for name in CORNERS]
        told = f"{identity}: {echo(corners)}"
        try:
            x, y, width, height = fit_box(corners, sizes[image])
        except CaseError as error:
            boxes.leave_out(str(error), told)
            lost.append(box.get("classes"))
            continue
        note_cut(corners, (x, y, width, height), boxes, told)
        kept.append({**box, "x": x, "y": y, "width": width, "height": height})
    return kept, lost
