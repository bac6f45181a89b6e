"""PadChest-GR: boxes with CheXpert classes that their own sentences state.

References
----------
Ruffini et al., "ShoViR", section 3.1: the funnel beside which the counts are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from perimetry.builders.built import Built, Progress, Stage, box_counts, check_out, stage_of, write_built
from perimetry.builders.moved import below
from perimetry.builders.rare import rare_told, without_rare_classes
from perimetry.builders.sentences import SentenceLabeller
from perimetry.cases.datasets.padchest_gr import DATASET, PadChestStudies
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import require_path
from perimetry.cases.study import Study
from perimetry.cases.tables import NameCounts

__all__ = ["MIN_IMAGES", "build_padchest_gr"]

MIN_IMAGES = 40
"""The paper's cut: classes with fewer images are left out."""

BATCH = 512
PAPER_LABELS = "69 of 154, 43% of mentions"
PAPER_FALLEN = 0.353
"""Share of the annotated boxes that the paper's check with CheXbert removed."""


def build_padchest_gr(
    path: Path | str,
    out: Path | str,
    *,
    labeller: str = "rules",
    min_images: int = MIN_IMAGES,
    split: str = "all",
    images: Path | str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build PadChest-GR.

    Boxes keep the classes that the table ``padchest_gr`` gives to their finding labels and that the labeller finds in
    the box's own sentence; a box without any falls, then classes that few images show, then studies without a box.

    Parameters
    ----------
    path : path-like
        Folder of the official files.
    out : path-like
    labeller : str, default "rules"
        ``rules`` or ``chexbert:WEIGHTS``; see `perimetry.builders.sentences.SentenceLabeller`.
    min_images : int, default 40
    split : {"all", "train", "validation", "test"}, default "all"
    images : path-like, optional
        Folder of the images where it is not the layout's own.
    progress : callable, optional

    Raises
    ------
    DataError
        When files are missing or of another release, or nothing is left.
    UsageError
        When the labeller cannot run.
    """
    check_out(out)
    checker = SentenceLabeller.of(labeller)
    root = require_path(Path(path), DATASET.name, DATASET.layout)
    where = None if images is None else Path(images)
    funnel = Funnel(DATASET.name)
    source = PadChestStudies.of(root, where, split, funnel)
    boxed: list[Study] = []
    read = 0
    for study in source:
        read += 1
        if progress is not None:
            progress(funnel.entered)
        if study.boxes:
            boxed.append(below(study, where or root))
        else:
            funnel.leave_out("no box", study.id)
    stages = [
        Stage("studies listed", funnel.entered, paper="4,555"),
        Stage("of the split, with an image that can be read", read),
        Stage("with a box", len(boxed), source.boxes.kept, paper="3,008"),
    ]
    mapped = _mapped(boxed, funnel, source.boxes)
    stages.append(stage_of("with a box of a CheXpert class", mapped))
    checked = _checked(mapped, checker, funnel, source.boxes)
    stages.append(stage_of("whose class the labeller finds in the box's sentence", checked, "35.3% of boxes fall"))
    kept, rare = without_rare_classes(checked, min_images, funnel, source.boxes)
    stages.append(stage_of(f"classes of {min_images} images or more", kept, "1,390 images, 1,997 boxes, 8 classes"))
    if not kept:
        raise DataError(
            f"{DATASET.name}: no study is left. "
            + "; ".join(f"{stage.name}: {stage.images:,}" for stage in stages)
            + f". Give --min-images below {min_images}, or look at the labels."
        )
    source.names.note(funnel)
    before, after = stages[3].boxes or 0, stages[4].boxes or 0
    fallen = (before - after) / before if before else 0.0
    per_image, per_box = box_counts(kept)
    built = Built(
        out=Path(out),
        dataset=DATASET.name,
        stages=tuple(stages),
        images_per_class=per_image,
        boxes_per_class=per_box,
        funnel=funnel,
        boxes=source.boxes,
        names=source.names,
        measures={
            "sentence check": {
                **checker.to_dict(),
                "boxes compared": before,
                "share of boxes that fall": fallen,
                "in the paper": PAPER_FALLEN,
            },
            "classes with too few images": rare,
        },
        remarks=(
            f"Finding labels: {len(source.names.mapped)} of {_met(source.names)} that occur have a class, "
            f"{source.names.share:.1%} of mentions (in the paper {PAPER_LABELS}).",
            f"Sentence check by {labeller}: {before - after:,} of {before:,} boxes of a CheXpert class fall "
            f"({fallen:.1%}; in the paper, with CheXbert, {PAPER_FALLEN:.1%}).",
            *rare_told(rare, min_images),
        ),
    )
    write_built(built, kept, DATASET, where or root)
    return built


def _met(names: NameCounts) -> int:
    return len(names.mapped) + len(names.unmapped) + len(names.unknown)


def _mapped(studies: Sequence[Study], funnel: Funnel, boxes: Funnel) -> list[Study]:
    """Boxes whose finding labels have a class."""
    kept = []
    for study in studies:
        left = tuple(box for box in study.boxes if box.classes)
        for box in study.boxes:
            if not box.classes:
                boxes.leave_out("no finding label of the box has a CheXpert class", f"{study.id}: {box.finding}")
        if left:
            kept.append(replace(study, boxes=left))
        else:
            funnel.leave_out("no box of a CheXpert class", study.id)
    return kept


def _checked(studies: Sequence[Study], checker: SentenceLabeller, funnel: Funnel, boxes: Funnel) -> list[Study]:
    """Boxes with the classes that their sentence states."""
    kept = []
    for start in range(0, len(studies), BATCH):
        part = studies[start : start + BATCH]
        stated = iter(checker.stated([box.finding for study in part for box in study.boxes]))
        for study in part:
            left = []
            for box in study.boxes:
                found = box.classes & next(stated)
                if found:
                    left.append(replace(box, classes=found))
                else:
                    wanted = ", ".join(sorted(box.classes))
                    boxes.leave_out("the labeller does not find the class in the sentence", f"{wanted}: {box.finding}")
            if left:
                kept.append(replace(study, boxes=tuple(left)))
            else:
                funnel.leave_out("no box whose sentence states its class", study.id)
    return kept
