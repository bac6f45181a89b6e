"""The folder that goes to the radiologist, and the key that stays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.builders.review.draw import PER_CLASS, Drawn, draw_cases
from perimetry.builders.review.page import Shown, review_page
from perimetry.builders.review.pictures import Picture, picture_of
from perimetry.cases.chexpert import CHEXPERT_ORDER
from perimetry.cases.dataset import CaseSet
from perimetry.cases.errors import DataError, ImageError, UsageError
from perimetry.cases.study import SECTIONS, Box, Study
from perimetry.cases.tables import FindingTable, finding_table
from perimetry.runs.spreadsheet import csv_rows

__all__ = ["ANSWER_COLUMNS", "KEY", "MAPPING_COLUMNS", "Handed", "hand_over"]

KEY = "key.json"
FIRST, AFTER = "review", "afterwards"
ANSWER_COLUMNS = ("case", "label", "comment")
MAPPING_COLUMNS = ("finding", "class", "reason", "agree", "proposed", "comment")
TABLES = {"padchest-gr": "padchest_gr", "mimic-cxr": "chest_imagenome", "nih-cxr14": "nih_cxr14"}
"""Which table the boxes of a data set were mapped by."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What was written.

    Parameters
    ----------
    out : Path
        ``review/`` goes to the radiologist, ``afterwards/`` once she is done with it, ``key.json`` stays.
    per_class : dict of str to int
        Cases by class.
    unreadable : tuple of str
        Studies whose image cannot be read; others took their place.
    warning : str
        What the terms of the data ask for; empty for open data.
    """

    out: Path
    per_class: dict[str, int]
    unreadable: tuple[str, ...]
    warning: str

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return sum(self.per_class.values())


def hand_over(loaded: CaseSet, out: Path, *, per_class: int = PER_CLASS, seed: int = 42) -> Handed:
    """Draw cases and write them: pictures with the box, a page, a sheet to fill in; the mapped labels stay behind.

    Parameters
    ----------
    loaded : CaseSet
        Studies with boxes.
    out : Path
        A folder that does not exist yet, or is empty.
    per_class : int, default 5
    seed : int, default 42

    Raises
    ------
    UsageError
        When the folder holds something.
    DataError
        When no study has a box of a class whose image can be read.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out {out} is not empty. Name a new folder: a review must not mix with another one.")
    table = finding_table(TABLES[loaded.name]) if loaded.name in TABLES else None
    drawn, shown, unreadable = _readable(list(loaded.studies), table, per_class, seed)
    if not drawn:
        raise DataError(
            f"{loaded.name}: no study has a box of a CheXpert class and an image that can be read; "
            f"{len(unreadable)} images cannot be read."
        )
    warning = _warning(loaded)
    pictures = out / FIRST / "images"
    pictures.mkdir(parents=True)
    for case in shown:
        (pictures / f"{case.case}.jpg").write_bytes(case.picture.drawn)
    (out / FIRST / "review.html").write_text(review_page(shown, warning), "utf-8")
    (out / FIRST / "cases.csv").write_text(csv_rows(ANSWER_COLUMNS, [(case.case, "", "") for case in shown]), "utf-8")
    if table is not None:
        (out / AFTER).mkdir()
        (out / AFTER / "mapping.csv").write_text(_mapping_sheet(table), "utf-8")
    (out / KEY).write_text(_key(drawn, loaded, table.name if table else None, seed), "utf-8")
    return Handed(out, dict(Counter(case.finding for case in drawn)), unreadable, warning)


def _readable(
    studies: list[Study], table: FindingTable | None, per_class: int, seed: int
) -> tuple[list[Drawn], list[Shown], tuple[str, ...]]:
    """Draw until every image can be read; a study whose image cannot be is taken out, and the draw repeated."""
    unreadable: list[str] = []
    known: dict[tuple[str, Box], Picture] = {}
    while True:
        drawn = draw_cases(studies, per_class, seed)
        shown: list[Shown] = []
        failed: set[str] = set()
        for case in drawn:
            key = (case.study.id, case.box)
            try:
                picture = known.get(key) or picture_of(case.study.images[case.box.image].pixels(), case.box)
            except ImageError:
                failed.add(case.study.id)
                continue
            known[key] = picture
            sections = tuple((name, case.study.sections[name]) for name in SECTIONS if name in case.study.sections)
            shown.append(Shown(case.case, picture, _sentence(case, table), sections))
        if not failed:
            return list(drawn), shown, tuple(unreadable)
        unreadable += sorted(failed)
        studies = [study for study in studies if study.id not in failed]


def _sentence(case: Drawn, table: FindingTable | None) -> str:
    """What was said of the box; nothing where that is the very name that was mapped."""
    said = case.box.finding
    named = said in CHEXPERT_ORDER or (table is not None and table.row(said) is not None)
    return "" if named else said


def _warning(loaded: CaseSet) -> str:
    if loaded.data_use == "open":
        return ""
    terms = f" ({loaded.licence})" if loaded.licence else ""
    return (
        f"These images and reports are of {loaded.name}, which is {loaded.data_use}{terms}: only people whom its terms "
        "allow may see them, and they stay on machines where that holds."
    )


def _key(drawn: Sequence[Drawn], loaded: CaseSet, table: str | None, seed: int) -> str:
    cases = {
        case.case: {
            "study": case.study.id,
            "class": case.finding,
            "classes": sorted(case.box.classes),
            "sentence": case.box.finding,
        }
        for case in drawn
    }
    content = {"dataset": loaded.name, "data_use": loaded.data_use, "table": table, "seed": seed, "cases": cases}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _mapping_sheet(table: FindingTable) -> str:
    rows = [(row.finding, "|".join(row.classes), row.reason, "", "", "") for row in table.rows]
    return csv_rows(MAPPING_COLUMNS, rows)
