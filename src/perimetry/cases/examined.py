"""Which class is examined on which study: disease boxes, co-disease boxes, and studies without the class.

References
----------
"ShoViR" section 3.2, eq. 1 (the two sets of boxes); studies without the class and spill are this project's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from perimetry.cases.box_faults import BoxFault, find_fault, shapes_of
from perimetry.cases.chexpert import ABNORMAL
from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.regions import Shape, iou, overlap_share, scaled
from perimetry.cases.study import Box, Examined, Study
from perimetry.statistics.streams import stream_key

__all__ = ["MAX_IOU", "MIN_IMAGES", "Examination", "examine", "spill"]

MIN_IMAGES = 40
"""Images that a class needs (the paper's cut for PadChest-GR)."""

MAX_IOU = 0.15
"""Overlap with a disease box from which on a box no longer counts as co-disease (eq. 1; printed as 15)."""

_SHOWN_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Examination:
    """The examined studies of a data set, and what was left out.

    Parameters
    ----------
    cases : tuple of Study
        One examined study per (study, class), ``STUDY#CLASS``: study by study in the order in which they were given,
        classes in `ABNORMAL`'s order.
    images : mapping of str to int
        Examined class to the number of images that show it.
    few : mapping of str to int
        Classes left out, with the images they have: fewer than `min_images`.
    unknown : mapping of str to int
        Names in boxes that are not among the thirteen localisable CheXpert classes, with their number of boxes.
    faults : tuple of BoxFault
        Studies left out altogether, for boxes that cannot be right.
    spilled : mapping of str to int
        Examined class to the trials that `max_spill` left out.
    lacking : mapping of str to int
        Examined class to the studies without it that were wanted and do not exist.
    """

    cases: tuple[Study, ...]
    images: Mapping[str, int]
    few: Mapping[str, int]
    unknown: Mapping[str, int]
    faults: tuple[BoxFault, ...]
    spilled: Mapping[str, int]
    lacking: Mapping[str, int]

    @property
    def classes(self) -> tuple[str, ...]:
        """The examined classes in `ABNORMAL`'s order."""
        return tuple(self.images)

    def notes(self, *, quoting: bool = True) -> tuple[str, ...]:
        """What a user should hear: one line for each kind of thing that was left out.

        Parameters
        ----------
        quoting : bool, default True
            Whether studies are named and their boxes quoted.
        """
        lines = []
        if self.few:
            lines.append(f"classes left out for too few images: {_listed(self.few)}")
        if self.unknown:
            lines.append(f"names in boxes that are no localisable CheXpert class: {_listed(self.unknown)}")
        by_kind: dict[str, list[BoxFault]] = {}
        for fault in self.faults:
            by_kind.setdefault(fault.kind, []).append(fault)
        for kind, faults in by_kind.items():
            examples = "; ".join(f"{one.study}: {one.detail}" for one in faults[:_SHOWN_EXAMPLES])
            lines.append(f"{len(faults):,} studies left out: {kind}" + (f" ({examples})" if quoting else ""))
        if self.spilled:
            lines.append(f"trials left out because co-disease boxes cover too much: {_listed(self.spilled)}")
        if self.lacking:
            lines.append(f"studies without the class that were wanted and do not exist: {_listed(self.lacking)}")
        return tuple(lines)


def spill(examined: Examined) -> float:
    """Share of the area of the disease boxes' union that co-disease boxes cover, 0..1.

    The overlap rule of eq. 1 lets a small box inside a large one through; this tells how much of the finding goes
    with it when co-disease boxes are covered.

    Examples
    --------
    >>> spill(Examined("s", "Edema", True, (Box(0, 0, 0, 10, 10),), (Box(0, 0, 0, 2, 5),)))
    0.1
    """
    return overlap_share(examined.boxes, examined.others)


def examine(
    studies: Sequence[Study],
    *,
    classes: Sequence[str] | None = None,
    min_images: int = MIN_IMAGES,
    max_iou: float = MAX_IOU,
    max_spill: float | None = None,
    absent: bool = True,
    seed: int = 42,
) -> Examination:
    """Put each class of a data set under examination, study by study.

    A study enters for a class c that at least one of its boxes shows: all such boxes are the disease boxes B_c, and
    those without c whose IoU with every one of B_c is below `max_iou` are the co-disease boxes. As many studies
    without c (no box of it, its label neither positive nor uncertain) stand in as controls of specificity: the
    disease boxes of a study with c, the donor, are laid on each, scaled to its size; its co-disease boxes are its own
    under the same rule. No donor and no control is taken twice for a class. Both are drawn by (seed, data set, class,
    study id), so that the order of the studies does not matter.

    Parameters
    ----------
    studies : sequence of Study
        Of one data set; ids are distinct.
    classes : sequence of str or None
        CheXpert classes to examine. Default: all thirteen that have a place in an image.
    min_images : int from 1, default 40
        A class with fewer images that show it is left out and named.
    max_iou : float in 0..1, default 0.15
    max_spill : float in 0..1 or None
        Trials with a larger `spill` are left out and counted; None keeps all.
    absent : bool, default True
        Whether studies without the class are drawn.
    seed : int, default 42

    Returns
    -------
    Examination
        A study whose boxes are at fault is left out with its reason; it ends nothing. An image that cannot be read is
        no fault: its trials fail later, by that name.

    Raises
    ------
    UnknownNameError
        For a class that is not among the thirteen.
    UsageError
        For a number out of its range.

    Examples
    --------
    >>> from perimetry.cases.image import Image
    >>> from perimetry.cases.png import encode_png
    >>> from perimetry.cases.sources import BytesSource
    >>> import numpy as np
    >>> image = Image(BytesSource(encode_png(np.zeros((20, 20), np.uint8)), "made"))
    >>> sick = Study("s1", "made", "p1", (image,), boxes=(Box(0, 2, 2, 5, 5, frozenset({"Edema"})),))
    >>> well = Study("s2", "made", "p2", (image,))
    >>> [(case.id, case.examined.present) for case in examine([sick, well], min_images=1).cases]
    [('s1#Edema', True), ('s2#Edema', False)]
    """
    wanted = _checked(classes, min_images, max_iou, max_spill)
    shapes = [shapes_of(study) for study in studies]
    faults = {
        at: fault
        for at, (study, sizes) in enumerate(zip(studies, shapes, strict=True))
        if (fault := find_fault(study, sizes)) is not None
    }
    sound = [at for at in range(len(studies)) if at not in faults]
    found: list[dict[str, Examined]] = [{} for _ in studies]
    images: dict[str, int] = {}
    few: dict[str, int] = {}
    spilled: Counter[str] = Counter()
    lacking: dict[str, int] = {}
    for finding in wanted:
        present: dict[int, Examined] = {}
        for at in sound:
            trial = _present(studies[at], finding, max_iou)
            if trial is None:
                continue
            if max_spill is not None and spill(trial) > max_spill:
                spilled[finding] += 1
            else:
                present[at] = trial
        number = sum(len({box.image for box in trial.boxes}) for trial in present.values())
        if number < min_images:
            if number or classes is not None:
                few[finding] = number
            del spilled[finding]
            continue
        images[finding] = number
        for at, trial in present.items():
            found[at][finding] = trial
        if not absent:
            continue
        stand_ins = 0
        for at, trial in _absent(studies, shapes, sound, present, finding, max_iou, seed):
            stand_ins += 1
            if max_spill is not None and spill(trial) > max_spill:
                spilled[finding] += 1
            else:
                found[at][finding] = trial
        if stand_ins < len(present):
            lacking[finding] = len(present) - stand_ins
    return Examination(
        cases=tuple(
            replace(study, id=f"{study.id}#{finding}", examined=found[at][finding])
            for at, study in enumerate(studies)
            for finding in wanted
            if finding in found[at]
        ),
        images=images,
        few=few,
        unknown=dict(
            sorted(
                Counter(
                    name for study in studies for box in study.boxes for name in box.classes - set(ABNORMAL)
                ).items()
            )
        ),
        faults=tuple(faults.values()),
        spilled=dict(spilled),
        lacking=lacking,
    )


def _checked(
    classes: Sequence[str] | None, min_images: int, max_iou: float, max_spill: float | None
) -> tuple[str, ...]:
    """The classes to examine in their order; raises on values out of range."""
    for name in classes or ():
        if name not in ABNORMAL:
            raise UnknownNameError("localisable CheXpert class", name, ABNORMAL)
    if min_images < 1:
        raise UsageError(f"min_images is {min_images}; expected 1 or more.")
    for label, value in (("max_iou", max_iou), ("max_spill", max_spill)):
        if value is not None and not 0 <= value <= 1:
            raise UsageError(f"{label} is {value}; expected a number from 0 to 1.")
    return ABNORMAL if classes is None else tuple(name for name in ABNORMAL if name in classes)


def _present(study: Study, finding: str, max_iou: float) -> Examined | None:
    """The class under examination on a study that shows it; None where no box does."""
    boxes = tuple(box for box in study.boxes if finding in box.classes)
    if not boxes:
        return None
    return Examined(study.id, finding, True, boxes, _others(study, finding, boxes, max_iou))


def _others(study: Study, finding: str, boxes: Sequence[Box], max_iou: float) -> tuple[Box, ...]:
    """The co-disease boxes (eq. 1)."""
    return tuple(
        box
        for box in study.boxes
        if finding not in box.classes and all(iou(box, disease) < max_iou for disease in boxes)
    )


def _absent(
    studies: Sequence[Study],
    shapes: Sequence[Sequence[Shape | None]],
    sound: Sequence[int],
    present: Mapping[int, Examined],
    finding: str,
    max_iou: float,
    seed: int,
) -> Iterator[tuple[int, Examined]]:
    """Studies without the class, each with the boxes of a donor: place in `studies`, and the trial."""

    def drawn(role: str, places: Sequence[int]) -> list[int]:
        return sorted(
            places, key=lambda at: stream_key(seed, "examined", role, studies[at].dataset, finding, studies[at].id)
        )

    donors = [at for at in present if all(shapes[at][box.image] is not None for box in present[at].boxes)]
    controls = [at for at in sound if at not in present and studies[at].images and _without(studies[at], finding)]
    # Of too many candidates on either side the first ones by the draw are taken.
    for donor, control in zip(drawn("donor", donors), drawn("control", controls), strict=False):
        boxes = tuple(_laid(box, shapes[donor], shapes[control]) for box in present[donor].boxes)
        others = _others(studies[control], finding, boxes, max_iou)
        yield control, Examined(studies[control].id, finding, False, boxes, others, studies[donor].id)


def _without(study: Study, finding: str) -> bool:
    """Whether neither a box nor the label says that the study shows the class, or may show it."""
    return study.labels.get(finding) not in (1, -1) and not any(finding in box.classes for box in study.boxes)


def _laid(box: Box, donor: Sequence[Shape | None], control: Sequence[Shape | None]) -> Box:
    """A donor's box on the control's image of the same place, or on its last one."""
    image = min(box.image, len(control) - 1)
    before, after = donor[box.image], control[image]
    moved = replace(box, image=image)
    # Of an image that cannot be read the size is not known; its trials fail when it is.
    return moved if before is None or after is None else scaled(moved, before, after)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
