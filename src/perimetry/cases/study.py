"""A radiology study: images, report sections, labelled boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perimetry.cases.digest import digest_parts
from perimetry.cases.image import Image
from perimetry.cases.question import Origin

__all__ = ["SECTIONS", "Box", "Examined", "Study"]

SECTIONS = ("findings", "impression", "indication", "comparison", "technique")


@dataclass(frozen=True, slots=True)
class Box:
    """An annotated region.

    Parameters
    ----------
    image : int
        Index into the study's images.
    x, y, width, height : float
        Pixels of that image, origin at the top left.
    classes : frozenset of str
        CheXpert classes that the region shows.
    finding : str
        The finding in the annotator's words.
    """

    image: int
    x: float
    y: float
    width: float
    height: float
    classes: frozenset[str] = frozenset()
    finding: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """One CheXpert class under examination on a study: what region conditions cover.

    Parameters
    ----------
    study : str
        Id of the study itself; the examined study has an id of its own, ``STUDY#CLASS``.
    finding : str
        The class c.
    present : bool
        Whether the study shows the class; False for a study that stands in as one without it.
    boxes : tuple of Box
        The disease boxes B_c; on a study without the class those of another study, laid on it.
    others : tuple of Box
        The co-disease boxes.
    donor : str, default ""
        Id of the study whose boxes were laid on.
    """

    study: str
    finding: str
    present: bool
    boxes: tuple[Box, ...]
    others: tuple[Box, ...] = ()
    donor: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """One radiology study.

    Parameters
    ----------
    id, dataset, group : str
        As for `Question`; `group` is the patient where the data set names one.
    images : tuple of Image
        In the order of the study, each with its view.
    sections : mapping of str to str
        Report text by section: findings, impression, indication, comparison, technique.
    boxes : tuple of Box
    labels : mapping of str to float
        CheXpert class to 1 (positive), 0 (negative) or -1 (uncertain); absent when not mentioned.
    hidden : mapping of str to str
        Source-only metadata. No renderer reads it.
    origin : Origin or None
    examined : Examined or None
        The class that a trial is about. Nothing of it is shown, so that it has no part in the digest: all classes of a
        study share the requests that do not depend on them.
    """

    id: str
    dataset: str
    group: str
    images: tuple[Image, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    boxes: tuple[Box, ...] = ()
    labels: Mapping[str, float] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    origin: Origin | None = None
    examined: Examined | None = None

    @property
    def study_id(self) -> str:
        """Id of the study itself, whatever class is examined."""
        return self.id if self.examined is None else self.examined.study

    @property
    def digest(self) -> str:
        """Digest of everything a model could be shown."""
        parts = [self.dataset, self.study_id]
        for name in SECTIONS:
            parts += [name, self.sections.get(name, "")]
        parts += [image.recipe for image in self.images]
        return digest_parts(parts)
