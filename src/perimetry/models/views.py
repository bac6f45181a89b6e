"""Which images of a study a model is shown: frontal or all, and how many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from perimetry.cases.errors import CaseError
from perimetry.cases.image import Image
from perimetry.models.request import Material

__all__ = ["Views", "chosen_images", "is_frontal"]

Views: TypeAlias = Literal["frontal", "all", "pair"]
"""Frontal images alone; all; or one frontal image and one of another view."""

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
    """The images that a prompt shows: frontal ones first, each kind in the order of the study.

    Parameters
    ----------
    material : Material
    views : {"frontal", "all", "pair"}
        Frontal images are those whose view says so; in a study that names no frontal one, those that name no view.
    most : int or None
        Where there are more, images with boxes come first: what a condition covers must be among what is shown. Then
        frontal ones.

    Raises
    ------
    CaseError
        When a study has images, but none that may be shown: a report on nothing would be taken for one on an image.
    """
    images = material.images
    frontal = [place for place, image in enumerate(images) if is_frontal(image.view)] or [
        place for place, image in enumerate(images) if not image.view.strip()
    ]
    others = [place for place in range(len(images)) if place not in frontal]
    if views == "frontal":
        if images and not frontal:
            found = ", ".join(sorted({image.view for image in images}))
            raise CaseError(
                f"Case {material.case_id}: found no frontal image among its views ({found}), expected PA or AP. "
                "Leave the study out, or use a profile that shows all views."
            )
        others = []
    elif views == "pair":
        frontal, others = _first(frontal, material.marked, 1), _first(others, material.marked, 1)
    return tuple(images[place] for place in _first([*frontal, *others], material.marked, most))


def _first(places: Sequence[int], marked: Sequence[int], most: int | None) -> list[int]:
    """At most so many places: marked ones before others, earlier ones before later; in their order."""
    if most is None or len(places) <= most:
        return list(places)
    kept = sorted(range(len(places)), key=lambda index: (places[index] not in marked, index))[:most]
    return [places[index] for index in sorted(kept)]
