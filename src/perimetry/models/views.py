"""Which images of a study a model is shown: frontal or all, and how many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from perimetry.cases.errors import CaseError
from perimetry.cases.image import Image
from perimetry.models.request import Material

__all__ = ["Views", "chosen_images", "is_frontal"]

Views: TypeAlias = Literal["frontal", "all"]

_FRONTAL = frozenset({"PA", "AP", "FRONTAL"})
_JOINED = ("POSTEROANTERIOR", "ANTEROPOSTERIOR")


def is_frontal(view: str) -> bool:
    """Whether the name of a view is that of a frontal one (PA, AP, in the spellings of the known data sets).

    Examples
    --------
    >>> [is_frontal(view) for view in ("PA", "AP_horizontal", "antero-posterior", "LATERAL", "")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[A-Z]+", view.upper())
    return not _FRONTAL.isdisjoint(words) or any(name in "".join(words) for name in _JOINED)


def chosen_images(material: Material, views: Views, most: int | None) -> tuple[Image, ...]:
    """The images that a prompt shows, in the order of the study.

    Parameters
    ----------
    material : Material
    views : {"frontal", "all"}
        Frontal images are those whose view says so; in a study that names no frontal one, those that name no view.
    most : int or None
        Where there are more, images with boxes come first: what a condition covers must be among what is shown.

    Raises
    ------
    CaseError
        When a study has images, but none that may be shown: a report on nothing would be taken for one on an image.
    """
    images = material.images
    places = list(range(len(images)))
    if views == "frontal":
        places = [place for place in places if is_frontal(images[place].view)] or [
            place for place in places if not images[place].view.strip()
        ]
        if images and not places:
            found = ", ".join(sorted({image.view for image in images}))
            raise CaseError(
                f"Case {material.case_id}: found no frontal image among its views ({found}), expected PA or AP. "
                "Leave the study out, or use a profile that shows all views."
            )
    return tuple(images[place] for place in _first(places, material.marked, most))


def _first(places: Sequence[int], marked: Sequence[int], most: int | None) -> list[int]:
    if most is None or len(places) <= most:
        return list(places)
    ranked = sorted(places, key=lambda place: (place not in marked, place))
    return sorted(ranked[:most])
