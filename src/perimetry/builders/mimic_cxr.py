"""MIMIC-CXR with the regions of Chest ImaGenome: images whose every positive label a region affirms.

References
----------
Ruffini et al., "ShoViR", section 3.1: the funnel beside which the counts are shown. Wu et al. 2021, Chest ImaGenome.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from perimetry.builders.agreement import SourceAgreement
from perimetry.builders.built import Built, Progress, Stage, box_counts, check_out, stage_of, write_built
from perimetry.builders.moved import below
from perimetry.builders.rare import rare_told, without_rare_classes
from perimetry.builders.scene_graph import SceneGraphs, regions
from perimetry.cases.chexpert import ABNORMAL, NO_FINDING
from perimetry.cases.datasets.mimic_cxr import DATASET
from perimetry.cases.errors import DataError, ImageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.image_size import image_size
from perimetry.cases.layout import found_in, require_path
from perimetry.cases.mimic_reports import FRONTAL, MimicFiles, MimicImage
from perimetry.cases.sources import FileSource
from perimetry.cases.study import Study
from perimetry.cases.tables import NameCounts, finding_table

__all__ = ["build_mimic_cxr"]

PAPER_F1 = 0.935
"""F1 of mapped against original labels in the paper."""


@dataclass(slots=True)
class Steps:
    """Images left after each step, and what was counted on the way."""

    frontal: int = 0
    graphs: int = 0
    candidates: int = 0
    silent: int = 0
    funnel: Funnel = field(default_factory=lambda: Funnel(DATASET.name))
    boxes: Funnel = field(default_factory=lambda: Funnel("boxes"))
    names: NameCounts = field(default_factory=lambda: NameCounts(finding_table("chest_imagenome")))
    agreement: SourceAgreement = field(default_factory=lambda: SourceAgreement(ABNORMAL))


def build_mimic_cxr(
    path: Path | str,
    imagenome: Path | str,
    out: Path | str,
    *,
    split: str = "test",
    min_images: int = 1,
    images: Path | str | None = None,
    reports: Path | str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build MIMIC-CXR with the regions of Chest ImaGenome: one study a frontal image.

    Left out are images without a scene graph, those whose only positive label is No Finding, and those with a positive
    class that no region affirms. A region keeps the classes that its attributes affirm (table ``chest_imagenome``) and
    that are positive labels of the image.

    Parameters
    ----------
    path : path-like
        Root of MIMIC-CXR-JPG.
    imagenome : path-like
        Root of Chest ImaGenome, or its folder of scene graphs.
    out : path-like
    split : {"test", "validation", "train", "all"}, default "test"
    min_images : int, default 1
        Classes that fewer images show are left out.
    images, reports : path-like, optional
        Roots of the images and of the reports (``files/...``) where they are not `path`.
    progress : callable, optional

    Raises
    ------
    DataError
        When files are missing or of another release, or nothing is left.
    """
    check_out(out)
    root = require_path(Path(path), DATASET.name, DATASET.layout)
    where = root if images is None else _folder(images, "images")
    files = MimicFiles(root, None if reports is None else _folder(reports, "reports"))
    graphs = SceneGraphs.below(
        require_path(Path(imagenome), "chest-imagenome", "silver_dataset/scene_graph/DICOM_SceneGraph.json")
    )
    listed = files.images(split)
    labels = files.labels(image.study for image in listed)
    steps = Steps()
    found: list[Study] = []
    for image in listed:
        steps.funnel.enter()
        if progress is not None:
            progress(steps.funnel.entered)
        found += _study(image, labels.get(image.study), files, graphs, where, steps)
    kept, rare = without_rare_classes(found, min_images, steps.funnel, steps.boxes)
    stages = (
        Stage(f"images of the split {split}", steps.funnel.entered, paper="3,858"),
        Stage("frontal", steps.frontal),
        Stage("with a scene graph", steps.graphs, paper="2,461"),
        Stage("with a positive label besides No Finding", steps.candidates, paper="2,229"),
        stage_of("every positive class affirmed by a region", found, "2,160"),
        *((stage_of(f"classes of {min_images} images or more", kept),) if min_images > 1 else ()),
    )
    if not kept:
        raise DataError(
            f"{DATASET.name}: no study is left. "
            + "; ".join(f"{stage.name}: {stage.images:,}" for stage in stages)
            + "."
        )
    steps.names.note(steps.funnel)
    if steps.silent:
        steps.funnel.note(f"{steps.silent:,} studies have no report that can be read: they are kept without sections")
    per_image, per_box = box_counts(kept)
    built = Built(
        out=Path(out),
        dataset=DATASET.name,
        stages=stages,
        images_per_class=per_image,
        boxes_per_class=per_box,
        funnel=steps.funnel,
        boxes=steps.boxes,
        names=steps.names,
        measures={
            "mapped against original labels": {**steps.agreement.to_dict(), "in the paper": PAPER_F1},
            "classes with too few images": rare,
        },
        remarks=(_agreement_told(steps.agreement), *rare_told(rare, min_images)),
    )
    write_built(built, kept, DATASET, where)
    return built


def _folder(given: Path | str, kind: str) -> Path:
    folder = Path(given)
    if not folder.is_dir():
        raise DataError(f"There is no folder {folder} of {kind} (--{kind}). {found_in(folder.parent)}")
    return folder


def _agreement_told(agreement: SourceAgreement) -> str:
    value = agreement.f1()
    shown = "none, for there is no positive pair" if value is None else f"{value:.3f}"
    return f"F1 of the mapped against the original labels over image-class pairs: {shown} (in the paper {PAPER_F1})."


def _study(
    image: MimicImage,
    labels: dict[str, float] | None,
    files: MimicFiles,
    graphs: SceneGraphs,
    where: Path,
    steps: Steps,
) -> Iterator[Study]:
    funnel = steps.funnel
    if image.view not in FRONTAL:
        funnel.leave_out("not frontal (ViewPosition is neither AP nor PA)", f"{image.dicom}: {image.view or 'empty'}")
        return
    steps.frontal += 1
    try:
        graph = graphs.read(image.dicom)
    except DataError as error:
        funnel.leave_out("its scene graph cannot be read", str(error))
        return
    if graph is None:
        funnel.leave_out("no scene graph", image.dicom)
        return
    steps.graphs += 1
    if labels is None:
        funnel.leave_out("its study is not in the table of labels", f"s{image.study}")
        return
    positive = frozenset(name for name, value in labels.items() if value == 1.0)
    if positive <= {NO_FINDING}:
        reason = "its only positive label is No Finding" if positive else "no positive label at all"
        funnel.leave_out(reason, image.dicom)
        return
    steps.candidates += 1
    file = where / image.path
    try:
        size = image_size(file)
    except ImageError as error:
        funnel.leave_out("its image is missing or cannot be read", str(error))
        return
    boxes = tuple(regions(graph, size, image.dicom, steps.boxes, steps.names))
    affirmed = frozenset(name for box in boxes for name in box.classes)
    steps.agreement.add(positive, affirmed)
    if missing := positive - affirmed - {NO_FINDING}:
        funnel.leave_out("a positive class that no region affirms", f"{image.dicom}: {', '.join(sorted(missing))}")
        for _ in boxes:
            steps.boxes.leave_out("its image was left out", image.dicom)
        return
    sections = files.sections(image)
    steps.silent += not sections
    kept = []
    for box in boxes:
        if box.classes & positive:
            kept.append(replace(box, classes=box.classes & positive))
        else:
            steps.boxes.leave_out("its classes are no positive labels of the image", f"{image.dicom}: {box.finding}")
    yield below(
        Study(
            id=image.dicom,
            dataset=DATASET.name,
            group=f"p{image.subject}",
            images=(Image(FileSource(file, key=image.path), view=image.view),),
            sections=sections or {},
            boxes=tuple(kept),
            labels=labels,
            hidden={"study": f"s{image.study}", "split": image.split},
        ),
        where,
    )
