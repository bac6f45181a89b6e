"""What a builder leaves behind: studies, stages, and one file that says how the one came from the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from perimetry.cases.dataset import Dataset
from perimetry.cases.errors import UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.records import study_record
from perimetry.cases.sidecar import SIDECAR, STUDIES
from perimetry.cases.study import Study
from perimetry.cases.tables import NameCounts

__all__ = ["Built", "Progress", "Stage", "box_counts", "check_out", "stage_of", "write_built"]

Progress: TypeAlias = Callable[[int], None]
"""Told how many records have been read."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What was left after one step.

    Parameters
    ----------
    name : str
        The step.
    images : int
    boxes : int or None, default None
        None where boxes are not counted yet.
    classes : int or None, default None
    paper : str, default ""
        The published count, in words; empty where none was given.
    """

    name: str
    images: int
    boxes: int | None = None
    classes: int | None = None
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Built:
    """How a build went.

    Parameters
    ----------
    out : Path
        Folder of ``studies.jsonl`` and ``funnel.json``.
    dataset : str
    stages : tuple of Stage
        The last one says what was written.
    images_per_class, boxes_per_class : mapping of str to int
        Of the studies written.
    funnel, boxes : Funnel
        Reasons why studies and boxes were left out.
    names : NameCounts or None
        Finding names that were met.
    measures : mapping of str to object
        Whatever else the builder measured: share of boxes that fell, agreement of the two sources.
    remarks : tuple of str
        The measures in words, beside the published ones.
    """

    out: Path
    dataset: str
    stages: tuple[Stage, ...]
    images_per_class: Mapping[str, int]
    boxes_per_class: Mapping[str, int]
    funnel: Funnel
    boxes: Funnel
    names: NameCounts | None = None
    measures: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for funnel.json and ``--json``."""
        boxes = self.boxes.to_dict()
        return {
            "out": str(self.out),
            "dataset": self.dataset,
            "stages": [asdict(stage) for stage in self.stages],
            "images_per_class": dict(self.images_per_class),
            "boxes_per_class": dict(self.boxes_per_class),
            "studies": self.funnel.to_dict(),
            "boxes": {key: boxes[key] for key in ("entered", "kept", "left_out")},
            "names": None if self.names is None else self.names.to_dict(),
            "measures": dict(self.measures),
        }


def box_counts(studies: Iterable[Study]) -> tuple[Counter[str], Counter[str]]:
    """Images and boxes of each class.

    Examples
    --------
    >>> from perimetry.cases import Box
    >>> both = tuple(Box(0, 1, 1, 2, 2, frozenset({"Edema"})) for _ in range(2))
    >>> box_counts([Study("s1", "mine", "p1", boxes=both)])
    (Counter({'Edema': 1}), Counter({'Edema': 2}))
    """
    images: Counter[str] = Counter()
    boxes: Counter[str] = Counter()
    for study in studies:
        boxes.update(name for box in study.boxes for name in box.classes)
        images.update({name for box in study.boxes for name in box.classes})
    return images, boxes


def stage_of(name: str, studies: Sequence[Study], paper: str = "") -> Stage:
    """The stage that these studies are."""
    return Stage(name, len(studies), sum(len(study.boxes) for study in studies), len(box_counts(studies)[0]), paper)


_OWN = frozenset({STUDIES, SIDECAR, "review", "images"})


def check_out(out: Path | str) -> None:
    """Raise a `UsageError` where nothing can be built: at a file, or among the files of somebody else.

    Called before anything is read. A folder that holds studies built earlier is built again.
    """
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder} is a file; a folder was expected.")
    if not folder.is_dir() or (folder / SIDECAR).is_file():
        return
    others = sorted(path.name for path in folder.iterdir() if path.name not in _OWN and not path.name.startswith("."))
    if others:
        raise UsageError(
            f"--out {folder} holds other files ({', '.join(others[:3])}) and no {SIDECAR}; give an empty or new folder."
        )


def write_built(built: Built, studies: Sequence[Study], dataset: Dataset, images: Path) -> None:
    """Write both files; each appears whole or not at all.

    Parameters
    ----------
    built : Built
    studies : sequence of Study
        Their image files stand under names relative to `images`.
    dataset : Dataset
        Whose terms the studies keep.
    images : Path
        Folder of the images.

    Raises
    ------
    UsageError
        See `check_out`.
    """
    check_out(built.out)
    built.out.mkdir(parents=True, exist_ok=True)
    sidecar = {
        "dataset": dataset.name,
        "data_use": dataset.data_use,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "images": str(images.resolve()),
        "made_by": f"perimetry {version('perimetry')}",
        **{key: value for key, value in built.to_dict().items() if key not in ("out", "dataset")},
    }
    scratch = [built.out / f".{name}.tmp" for name in (STUDIES, SIDECAR)]
    try:
        with scratch[0].open("w", encoding="utf-8") as file:
            for study in studies:
                file.write(json.dumps(study_record(study), ensure_ascii=False) + "\n")
        scratch[1].write_text(json.dumps(sidecar, indent=2, ensure_ascii=False) + "\n", "utf-8")
        # Never, not even for an instant, do studies stand beside the terms of another data set.
        (built.out / STUDIES).unlink(missing_ok=True)
        scratch[1].replace(built.out / SIDECAR)
        scratch[0].replace(built.out / STUDIES)
    finally:
        for path in scratch:
            path.unlink(missing_ok=True)
