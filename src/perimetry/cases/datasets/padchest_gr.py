"""PadChest-GR (de Castro et al. 2025, NEJM AI): reports sentence by sentence, with boxes; credentialed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.boxes import note_boxes, note_cut, scaled_corners
from perimetry.cases.chexpert import NO_FINDING
from perimetry.cases.dataset import Dataset, LoadOptions
from perimetry.cases.echo import echo
from perimetry.cases.errors import CaseError, DataError, ImageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.image_size import image_size
from perimetry.cases.layout import find_file, found_in, refuse_unknown_settings, require_path
from perimetry.cases.located import ImageFiles
from perimetry.cases.plain_files import read_json, table_rows
from perimetry.cases.sources import FileSource
from perimetry.cases.study import Box, Study
from perimetry.cases.tables import NameCounts, finding_table
from perimetry.cases.values import text

__all__ = ["DATASET", "IMAGE_FOLDERS", "PadChestStudies"]

NAME = "padchest-gr"
LAYOUT = (
    "grounded_reports_20240819.json, master_table.csv and the PNGs in PadChest_GR/ or Padchest_GR_files/PadChest_GR/"
)
REPORTS = ("grounded_reports_20240819.json", "grounded_reports*.json", "grounded_reports*.json.gz")
MASTER = ("master_table.csv", "master_table.csv.gz", "master_table*.csv")
IMAGE_FOLDERS = ("PadChest_GR", "Padchest_GR_files/PadChest_GR", "Padchest_GR_files", "images", ".")
MASTER_COLUMNS = ("StudyID", "split", "PatientID")
FIELDS = ("StudyID", "ImageID", "findings")
SPLITS = ("train", "validation", "test")
# All images of the data set are frontal; which of the two projections is not said.
VIEW = "frontal"


@dataclass(slots=True)
class PadChestStudies:
    """The studies of a folder, with the counts that a builder shows.

    Parameters
    ----------
    root : Path
        Folder of the official files.
    images : Path or None
        Folder of the images where it is not the layout's own.
    split : str
    funnel, boxes : Funnel
        Of studies and of boxes.
    names : NameCounts
    """

    root: Path
    images: Path | None
    split: str
    funnel: Funnel
    boxes: Funnel
    names: NameCounts

    @classmethod
    def of(cls, root: Path, images: Path | None, split: str, funnel: Funnel) -> PadChestStudies:
        """With empty counts and the table ``padchest_gr``."""
        return cls(root, images, split, funnel, Funnel("boxes"), NameCounts(finding_table("padchest_gr")))

    def __iter__(self) -> Iterator[Study]:
        """Yield every study whose image can be read; boxes of findings without a class keep an empty set of classes."""
        patients = self._patients()
        files = ImageFiles.below(self.root, self.images, IMAGE_FOLDERS)
        first: dict[str, Mapping[str, Any]] = {}
        for number, record in enumerate(self._records(), start=1):
            self.funnel.enter()
            study, image = text(record.get("StudyID")), text(record.get("ImageID"))
            split, patient = patients.get(study, ("", ""))
            example = study or f"record {number}"
            if not study or not image or not isinstance(record.get("findings"), list):
                self.funnel.leave_out("no StudyID, ImageID or list of findings", example)
            elif (known := first.setdefault(study, record)) is not record:
                same = "equal to" if known == record else "at odds with"
                self.funnel.leave_out(f"a further record of a study, {same} the first, which is kept", example)
            elif not patient:
                self.funnel.leave_out("not in the master table", example)
            elif self.split not in ("all", split):
                self.funnel.leave_out(f"of the split {echo(split)}", example, asked_for=True)
            elif (file := files.get(image)) is None:
                self.funnel.leave_out("its image is not in the folders of images", f"{study}: {image}")
            else:
                yield from self._study(record, file, patient)

    def _patients(self) -> dict[str, tuple[str, str]]:
        """Split and patient of each study."""
        rows = table_rows(_file(self.root, MASTER), NAME, MASTER_COLUMNS)
        return {text(row["StudyID"]): (_split(text(row["split"])), text(row["PatientID"])) for row in rows}

    def _records(self) -> Iterator[Mapping[str, Any]]:
        path = _file(self.root, REPORTS)
        records = read_json(path)
        if not isinstance(records, list) or not all(isinstance(each, dict) for each in records):
            raise DataError(f"{NAME}: {path} holds no list of objects; one object a study was expected.")
        for field in FIELDS:
            if records and not any(field in record for record in records):
                raise DataError(
                    f"{NAME}: {path} has no field {field!r}; its first record has {', '.join(records[0])}. It may be "
                    "of another release than the one that is read (20240819)."
                )
        yield from records

    def _study(self, record: Mapping[str, Any], file: Path, patient: str) -> Iterator[Study]:
        study, image = text(record["StudyID"]), text(record["ImageID"])
        try:
            size = image_size(file)
        except ImageError as error:
            self.funnel.leave_out("its image cannot be read", f"{study}: {error}")
            return
        findings = [each for each in record["findings"] if isinstance(each, dict)]
        sentences = [sentence for each in findings if (sentence := text(each.get("sentence_en")))]
        if not sentences:
            self.funnel.note("studies without an English sentence have no report")
        boxes: list[Box] = []
        labels: dict[str, float] = {}
        for finding in findings:
            classes = [each for name in _names(finding) for each in self.names.classes(name)]
            labels.update(dict.fromkeys(classes, 1.0))
            sentence = text(finding.get("sentence_en"))
            given = finding.get("boxes") or []
            # What is no list of boxes is one box that cannot be.
            boxes += self._boxes(
                given if isinstance(given, list) else [given], size, frozenset(classes), sentence, study
            )
        if not any(each.get("abnormal") for each in findings) and not labels and findings:
            labels[NO_FINDING] = 1.0
        previous = text(record.get("PreviousStudyID"))
        yield Study(
            id=study,
            dataset=NAME,
            group=patient,
            images=(Image(FileSource(file, key=image), view=VIEW),),
            sections={"findings": " ".join(sentences)} if sentences else {},
            boxes=tuple(boxes),
            labels=labels,
            hidden={
                "labels": "|".join(dict.fromkeys(name for finding in findings for name in _names(finding))),
                **({"previous": previous} if previous else {}),
            },
        )

    def _boxes(
        self, given: Sequence[Any], size: tuple[int, int], classes: frozenset[str], sentence: str, study: str
    ) -> Iterator[Box]:
        for corners in given:
            self.boxes.enter()
            try:
                x, y, width, height = scaled_corners(corners if isinstance(corners, list) else (), size)
            except CaseError as error:
                self.boxes.leave_out(str(error), f"{study}: {echo(corners)}")
                continue
            note_cut(_pixels(corners, size), (x, y, width, height), self.boxes, f"{study}: {echo(corners)}")
            yield Box(0, x, y, width, height, classes, sentence)


def load_padchest_gr(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Study]:
    """Yield one study an image; classes by the table ``padchest_gr``, not yet compared with their sentences.

    `perimetry build padchest-gr` does that comparison.
    """
    refuse_unknown_settings(options, NAME)
    root = require_path(path, NAME, LAYOUT)
    studies = PadChestStudies.of(
        root.parent if root.is_file() else root, options.images, options.split or "all", funnel
    )
    yield from studies
    studies.names.note(funnel)
    note_boxes(studies.boxes, funnel)


def _pixels(corners: Sequence[Any], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The box in pixels before it was cut; its numbers were read once already."""
    x1, y1, x2, y2 = (float(value) for value in corners)
    return (x1 * size[0], y1 * size[1], (x2 - x1) * size[0], (y2 - y1) * size[1])


def _names(finding: Mapping[str, Any]) -> list[str]:
    labels = finding.get("labels")
    return [name for each in labels if (name := text(each))] if isinstance(labels, list) else []


def _split(name: str) -> str:
    return {"val": "validation", "valid": "validation"}.get(name.lower(), name.lower())


def _file(root: Path, patterns: Sequence[str]) -> Path:
    found = find_file(root, patterns)
    if found is None:
        raise DataError(f"{NAME}: {patterns[0]} was looked for. {found_in(root)}")
    return found


DATASET = Dataset(
    name=NAME,
    title="PadChest-GR, grounded reports",
    citation="de Castro et al. PadChest-GR: a bilingual chest X-ray dataset for grounded radiology report generation. "
    "NEJM AI, 2025.",
    licence="BIMCV data use agreement",
    data_use="credentialed",
    load=load_padchest_gr,
    default_split="all",
    splits=("all", *SPLITS),
    kind="study",
    layout=LAYOUT,
)
