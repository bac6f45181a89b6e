"""Classes that too few images show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perimetry.builders.built import box_counts
from perimetry.cases.funnel import Funnel
from perimetry.cases.study import Study

__all__ = ["rare_told", "without_rare_classes"]


def without_rare_classes(
    studies: Sequence[Study], min_images: int, funnel: Funnel, boxes: Funnel
) -> tuple[list[Study], dict[str, int]]:
    """Take the classes that fewer images show from the boxes; boxes and studies that are left without one go.

    Returns
    -------
    list of Study, dict of str to int
        What is left, and the classes taken with their numbers of images.

    Examples
    --------
    >>> from perimetry.cases import Box
    >>> box = Box(0, 1, 1, 2, 2, frozenset({"Edema"}))
    >>> without_rare_classes([Study("s1", "mine", "p1", boxes=(box,))], 2, Funnel("mine", 1), Funnel("boxes", 1))
    ([], {'Edema': 1})
    """
    counts, _ = box_counts(studies)
    rare = {name: count for name, count in sorted(counts.items()) if count < min_images}
    kept = []
    for study in studies:
        fewer = [replace(box, classes=box.classes - rare.keys()) for box in study.boxes]
        for box in study.boxes:
            if box.classes and box.classes <= rare.keys():
                boxes.leave_out(f"only of classes that fewer than {min_images} images show", study.id)
        left = tuple(box for box in fewer if box.classes)
        if left:
            kept.append(replace(study, boxes=left))
        else:
            funnel.leave_out(f"only boxes of classes that fewer than {min_images} images show", study.id)
    return kept, rare


def rare_told(rare: dict[str, int], min_images: int) -> tuple[str, ...]:
    """The classes taken, in one line; nothing where there are none.

    Examples
    --------
    >>> rare_told({"Edema": 1}, 2)
    ('Classes that fewer than 2 images show: Edema (1).',)
    """
    listed = ", ".join(f"{name} ({count:,})" for name, count in rare.items())
    return (f"Classes that fewer than {min_images} images show: {listed}.",) if rare else ()
