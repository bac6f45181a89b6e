"""Which class is examined on which study: disease boxes, co-disease boxes, and studies without the class.

References
----------
"ShoViR" section 3.2, eq. 1 (the two sets of boxes); studies without the class and spill are this project's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from perimetry.cases.box_faults import find_fault, shapes_of
from perimetry.cases.chexpert import ABNORMAL, CHEXBERT_ORDER, class_named
from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.examination import Examination
from perimetry.cases.regions import Shape, iou, overlap_share, scaled
from perimetry.cases.study import Box, Examined, Study
from perimetry.statistics.streams import stream_key

__all__ = ["MAX_IOU", "MIN_IMAGES", "Examination", "examine", "spill"]

MIN_IMAGES = 40
"""Images that a class needs (the paper's cut for PadChest-GR)."""

MAX_IOU = 0.15
"""Overlap with a disease box from which on a box no longer counts as co-disease (eq. 1; printed as 15)."""


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
    without c stand in as controls of specificity: no box shows c, the label says neither positive nor uncertain, and no
    box or positive label has a name that is no class. The disease boxes of a study with c, the donor, are laid on
    each, scaled to its size; its co-disease boxes are its own under the same rule. No donor and no control is taken
    twice for a class. Both are drawn by (seed, data set, class, study id), so that the order of the studies does not
    matter.

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
    unclear = {at for at in range(len(studies)) if _unclear(studies[at])}
    clear = [at for at in sound if at not in unclear and studies[at].images]
    found: list[dict[str, Examined]] = [{} for _ in studies]
    images: dict[str, int] = {}
    few: dict[str, int] = {}
    spilled: dict[str, int] = {}
    lacking: dict[str, int] = {}
    unread: dict[str, int] = {}
    for finding in wanted:
        trials = {at: trial for at in sound if (trial := _present(studies[at], finding, max_iou)) is not None}
        present = {at: trial for at, trial in trials.items() if _within(trial, max_spill)}
        number = sum(len({box.image for box in trial.boxes}) for trial in present.values())
        if number < min_images:
            if trials or classes is not None:
                few[finding] = number
            continue
        images[finding] = number
        donors = [at for at in present if all(shapes[at][box.image] is not None for box in present[at].boxes)]
        controls = [at for at in clear if at not in trials and _without(studies[at], finding)]
        stand_ins = {}
        if absent:
            stand_ins = _absent(studies, shapes, donors, controls, present, finding, max_iou, seed)
            if len(donors) < len(present):
                unread[finding] = len(present) - len(donors)
            if len(controls) < len(donors):
                lacking[finding] = len(donors) - len(controls)
        kept = present | {at: trial for at, trial in stand_ins.items() if _within(trial, max_spill)}
        if len(kept) < len(trials) + len(stand_ins):
            spilled[finding] = len(trials) + len(stand_ins) - len(kept)
        for at, trial in kept.items():
            found[at][finding] = trial
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
        spilled=spilled,
        lacking=lacking,
        unknown_labels=dict(
            sorted(Counter(name for study in studies for name in study.labels.keys() - set(CHEXBERT_ORDER)).items())
        ),
        unclassed=sum(not box.classes for study in studies for box in study.boxes),
        unclear=len(unclear),
        unread=unread,
    )


def _checked(
    classes: Sequence[str] | None, min_images: int, max_iou: float, max_spill: float | None
) -> tuple[str, ...]:
    """The classes to examine in their order; raises on values out of range."""
    named = [class_named(name) for name in classes or ()]
    for name, finding in zip(classes or (), named, strict=True):
        if finding not in ABNORMAL:
            raise UnknownNameError("localisable CheXpert class", name, ABNORMAL)
    if min_images < 1:
        raise UsageError(f"min_images is {min_images}; expected 1 or more.")
    for label, value in (("max_iou", max_iou), ("max_spill", max_spill)):
        if value is not None and not 0 <= value <= 1:
            raise UsageError(f"{label} is {value}; expected a number from 0 to 1.")
    return ABNORMAL if classes is None else tuple(name for name in ABNORMAL if name in named)


def _within(trial: Examined, max_spill: float | None) -> bool:
    return max_spill is None or spill(trial) <= max_spill


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
    donors: Sequence[int],
    controls: Sequence[int],
    present: Mapping[int, Examined],
    finding: str,
    max_iou: float,
    seed: int,
) -> dict[int, Examined]:
    """Studies without the class (controls), each with the boxes of a donor: place in `studies` to its trial."""

    def drawn(role: str, places: Sequence[int]) -> list[int]:
        return sorted(
            places, key=lambda at: stream_key(seed, "examined", role, studies[at].dataset, finding, studies[at].id)
        )

    stand_ins = {}
    # Of too many candidates on either side the first ones by the draw are taken.
    for donor, control in zip(drawn("donor", donors), drawn("control", controls), strict=False):
        boxes = tuple(_laid(box, shapes[donor], shapes[control]) for box in present[donor].boxes)
        others = _others(studies[control], finding, boxes, max_iou)
        stand_ins[control] = Examined(studies[control].id, finding, False, boxes, others, studies[donor].id)
    return stand_ins


def _without(study: Study, finding: str) -> bool:
    """Whether the label does not say that the study shows the class, or may show it; no box of it does."""
    return study.labels.get(finding) not in (1, -1)


def _unclear(study: Study) -> bool:
    """Whether a box or a label that is not 0 has a name that is no class: it may stand for any of them."""
    known = set(CHEXBERT_ORDER)
    named = {name for box in study.boxes for name in box.classes} | {
        name for name, value in study.labels.items() if value != 0
    }
    return bool(named - known)


def _laid(box: Box, donor: Sequence[Shape | None], control: Sequence[Shape | None]) -> Box:
    """A donor's box on the control's image of the same place, or on its last one."""
    image = min(box.image, len(control) - 1)
    before, after = donor[box.image], control[image]
    moved = replace(box, image=image)
    # Of an image that cannot be read the size is not known; its trials fail when it is.
    return moved if before is None or after is None else scaled(moved, before, after)
