"""NIH ChestX-ray14: the images of the list of boxes, as studies."""

from __future__ import annotations

from pathlib import Path

from perimetry.builders.built import Built, Progress, Stage, box_counts, check_out, stage_of, write_built
from perimetry.builders.moved import below
from perimetry.builders.rare import rare_told, without_rare_classes
from perimetry.cases.datasets.nih_cxr14 import DATASET, nih_studies
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import require_path
from perimetry.cases.study import Study

__all__ = ["build_nih_cxr14"]


def build_nih_cxr14(
    path: Path | str,
    out: Path | str,
    *,
    min_images: int = 1,
    images: Path | str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build the boxed part of NIH ChestX-ray14; there are no reports.

    Parameters
    ----------
    path : path-like
        Folder of the official files.
    out : path-like
    min_images : int, default 1
        Classes that fewer images show are left out.
    images : path-like, optional
        Folder of the images where it is not the layout's own.
    progress : callable, optional

    Raises
    ------
    DataError
        When files are missing or of another release, or nothing is left.
    """
    check_out(out)
    root = require_path(Path(path), DATASET.name, DATASET.layout)
    where = None if images is None else Path(images)
    funnel, boxes = Funnel(DATASET.name), Funnel("boxes")
    boxed: list[Study] = []
    readable = 0
    for study in nih_studies(root, where, funnel, boxes):
        readable += 1
        if progress is not None:
            progress(funnel.entered)
        if study.boxes:
            boxed.append(below(study, where or root))
        else:
            funnel.leave_out("no box that can be used", study.id)
    kept, rare = without_rare_classes(boxed, min_images, funnel, boxes)
    stages = (
        Stage("images in the list of boxes", funnel.entered, boxes.entered, paper="880 in the official list"),
        Stage("with an image that can be read", readable),
        stage_of("with a box", boxed),
        stage_of(f"classes of {min_images} images or more", kept),
    )
    if not kept:
        raise DataError(
            f"{DATASET.name}: no study is left. "
            + "; ".join(f"{stage.name}: {stage.images:,}" for stage in stages)
            + "."
        )
    per_image, per_box = box_counts(kept)
    built = Built(
        out=Path(out),
        dataset=DATASET.name,
        stages=stages,
        images_per_class=per_image,
        boxes_per_class=per_box,
        funnel=funnel,
        boxes=boxes,
        measures={"classes with too few images": rare},
        remarks=rare_told(rare, min_images),
    )
    write_built(built, kept, DATASET, where or root)
    return built
