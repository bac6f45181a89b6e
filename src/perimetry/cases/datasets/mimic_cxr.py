"""MIMIC-CXR (Johnson et al. 2019, Scientific Data 6:317) in the layout of MIMIC-CXR-JPG; credentialed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import refuse_unknown_settings, require_path, setting
from perimetry.cases.mimic_reports import FRONTAL, MimicFiles, MimicImage
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.study import Study

__all__ = ["DATASET"]

NAME = "mimic-cxr"
LAYOUT = (
    "mimic-cxr-2.0.0-{split,metadata,chexpert}.csv(.gz) and files/pNN/pNN.../sN.../*.jpg with the reports sN....txt "
    "beside (settings reports=FOLDER, views=frontal|all)"
)


def load_mimic_cxr(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study a report, with its frontal images (``views=all``: all of them), grouped by patient.

    Regions come with `perimetry build mimic-cxr`, which joins Chest ImaGenome.
    """
    refuse_unknown_settings(options, NAME, "reports", "views")
    views = setting(options, "views", "frontal", ("frontal", "all"))
    root = require_path(path, NAME, LAYOUT)
    reports = options.settings.get("reports")
    files = MimicFiles(root, Path(reports).expanduser() if reports else None)
    studies: dict[str, list[MimicImage]] = {}
    for image in files.images(options.split or "test"):
        studies.setdefault(image.study, []).append(image)
    labels = files.labels(studies)
    shelf = ImageShelf([options.images or root])
    silent = 0
    for study, images in studies.items():
        funnel.enter()
        shown = [image for image in images if views == "all" or image.view in FRONTAL]
        if not shown:
            funnel.leave_out("no frontal image (views=all keeps it)", f"s{study}")
            continue
        sections = files.sections(images[0])
        silent += not sections
        yield Study(
            id=f"s{study}",
            dataset=NAME,
            group=f"p{images[0].subject}",
            images=tuple(shelf.file(image.path, image.view) for image in shown),
            sections=sections or {},
            labels=labels.get(study, {}),
            hidden={"split": images[0].split},
        )
    if silent:
        funnel.note(f"{silent:,} studies have no report that can be read: they load without sections")
    shelf.report(funnel)


DATASET = Dataset(
    name=NAME,
    title="MIMIC-CXR",
    citation="Johnson et al. MIMIC-CXR, a de-identified publicly available database of chest radiographs with "
    "free-text reports. Scientific Data 6:317, 2019.",
    licence="PhysioNet Credentialed Health Data License 1.5.0",
    data_use="credentialed",
    load=load_mimic_cxr,
    default_split="test",
    splits=("train", "validation", "test", "all"),
    kind="study",
    layout=LAYOUT,
)
