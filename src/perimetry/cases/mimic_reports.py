"""The tables and reports of MIMIC-CXR and MIMIC-CXR-JPG, plain or gzipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases.chexpert import CHEXPERT_ORDER
from perimetry.cases.errors import DataError
from perimetry.cases.layout import find_file, found_in
from perimetry.cases.plain_files import table_rows
from perimetry.cases.report_sections import headed_sections
from perimetry.cases.values import text

__all__ = ["FRONTAL", "MimicFiles", "MimicImage"]

NAME = "mimic-cxr"
FRONTAL = ("AP", "PA")
"""View positions of frontal images."""
SPLITS = {"validate": "validation"}
SPLIT, METADATA, CHEXPERT = (f"mimic-cxr-2.0.0-{part}.csv" for part in ("split", "metadata", "chexpert"))


@dataclass(frozen=True, slots=True)
class MimicImage:
    """One row of the table of splits.

    Parameters
    ----------
    dicom, study, subject, split, view : str
    """

    dicom: str
    study: str
    subject: str
    split: str
    view: str

    @property
    def folder(self) -> str:
        """Folder of the study below the root."""
        return f"files/p{self.subject[:2]}/p{self.subject}/s{self.study}"

    @property
    def path(self) -> str:
        """The image below the root."""
        return f"{self.folder}/{self.dicom}.jpg"

    @property
    def report(self) -> str:
        """The report below the root."""
        return f"{self.folder}.txt"


@dataclass(frozen=True, slots=True)
class MimicFiles:
    """The official folder.

    Parameters
    ----------
    root : Path
        Holds the tables and ``files/``.
    reports : Path or None, default None
        Root of the reports where they lie elsewhere (they are part of MIMIC-CXR, not of MIMIC-CXR-JPG).
    """

    root: Path
    reports: Path | None = None

    def images(self, split: str) -> list[MimicImage]:
        """The images of a split in the table's order, with their views."""
        listed = [
            row
            for row in self._rows(SPLIT, ("dicom_id", "study_id", "subject_id", "split"))
            if split in ("all", _split(row["split"]))
        ]
        views = dict.fromkeys((row["dicom_id"] for row in listed), "")
        for row in self._rows(METADATA, ("dicom_id", "ViewPosition")):
            if row["dicom_id"] in views:
                views[row["dicom_id"]] = text(row["ViewPosition"])
        return [
            MimicImage(
                text(row["dicom_id"]),
                text(row["study_id"]),
                text(row["subject_id"]),
                _split(row["split"]),
                views[row["dicom_id"]],
            )
            for row in listed
        ]

    def labels(self, studies: Iterable[str]) -> dict[str, dict[str, float]]:
        """CheXpert labels of studies: 1, 0 or -1; a class that is not mentioned is absent."""
        wanted = set(studies)
        found = {}
        for row in self._rows(CHEXPERT, ("subject_id", "study_id", *CHEXPERT_ORDER)):
            if row["study_id"] in wanted:
                values = {name: text(row[name]) for name in CHEXPERT_ORDER}
                found[row["study_id"]] = {name: self._label(value) for name, value in values.items() if value}
        return found

    def sections(self, image: MimicImage) -> dict[str, str] | None:
        """Sections of a study's report; None where the file is not there."""
        for root in (self.reports, self.root):
            if root is not None and (path := root / image.report).is_file():
                return headed_sections(path.read_text("utf-8", errors="replace"))
        return None

    def _label(self, value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = 2.0
        if number not in (1.0, 0.0, -1.0):
            raise DataError(f"{NAME}: {CHEXPERT} has the label {value!r}; 1.0, 0.0, -1.0 or nothing was expected.")
        return number

    def _rows(self, name: str, needed: Sequence[str]) -> Iterator[dict[str, str]]:
        path = find_file(self.root, (name, f"{name}.gz", f"*/{name}", f"*/{name}.gz"))
        if path is None:
            raise DataError(f"{NAME}: {name} or {name}.gz was looked for. {found_in(self.root)}")
        return table_rows(path, NAME, needed)


def _split(name: str | None) -> str:
    return SPLITS.get(text(name), text(name))
