"""How large annotated boxes are, as shares of their images: where random control regions take their sizes from."""

from __future__ import annotations

from collections.abc import Iterable

from perimetry.cases.box_faults import find_fault, shapes_of
from perimetry.cases.study import Study

__all__ = ["box_sizes"]


def box_sizes(studies: Iterable[Study]) -> tuple[tuple[float, float], ...]:
    """Width and height of every box as shares of its image's, in the order of the studies and their boxes.

    Studies whose boxes are at fault and boxes of images that cannot be read are passed over.

    Examples
    --------
    >>> from perimetry.cases.image import Image
    >>> from perimetry.cases.png import encode_png
    >>> from perimetry.cases.sources import BytesSource
    >>> from perimetry.cases.study import Box
    >>> import numpy as np
    >>> image = Image(BytesSource(encode_png(np.zeros((20, 40), np.uint8)), "made"))
    >>> box_sizes([Study("s", "made", "p", (image,), boxes=(Box(0, 2, 2, 10, 5),))])
    ((0.25, 0.25),)
    """
    sizes: list[tuple[float, float]] = []
    for study in studies:
        if not study.boxes:
            continue
        shapes = shapes_of(study)
        if find_fault(study, shapes) is not None:
            continue
        for box in study.boxes:
            shape = shapes[box.image]
            if shape is not None:
                sizes.append((box.width / shape[1], box.height / shape[0]))
    return tuple(sizes)
