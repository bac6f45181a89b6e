"""A table of finding names, read from a CSV file that a clinician can read too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perimetry.cases.chexpert import CHEXPERT_ORDER
from perimetry.cases.errors import DataError
from perimetry.cases.table import read_rows
from perimetry.cases.values import text

__all__ = ["FindingRow", "FindingTable", "finding_table"]

FOLDER = Path(__file__).parent
COLUMNS = ("finding", "class", "reason")


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One line of a table.

    Parameters
    ----------
    finding : str
        The data set's own name.
    classes : tuple of str
        CheXpert classes; empty where none of them covers the finding.
    reason : str
        Why, in clinical words.
    """

    finding: str
    classes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class FindingTable:
    """CheXpert classes of finding names. Names are compared without regard to case and runs of blanks.

    Parameters
    ----------
    name : str
        What messages call it.
    rows : tuple of FindingRow

    Examples
    --------
    >>> table = FindingTable("mine", (FindingRow("hydrothorax", ("Pleural Effusion",), "fluid in the pleural space"),))
    >>> table.classes("Hydrothorax"), table.classes("unheard of")
    (('Pleural Effusion',), None)
    """

    name: str
    rows: tuple[FindingRow, ...]

    def classes(self, finding: str) -> tuple[str, ...] | None:
        """Classes of a finding: empty where it has none, None where the table does not know the name."""
        row = self.row(finding)
        return None if row is None else row.classes

    def row(self, finding: str) -> FindingRow | None:
        """The line of a finding, None where the table does not know the name."""
        return _index(self).get(folded(finding))

    @property
    def mapped(self) -> tuple[FindingRow, ...]:
        """Lines whose finding has a class."""
        return tuple(row for row in self.rows if row.classes)

    @classmethod
    def read(cls, path: Path, name: str = "") -> FindingTable:
        """Read a CSV file with the columns finding, class and reason; several classes stand between ``|``.

        Raises
        ------
        DataError
            For a missing column, an empty finding or reason, a class that is none, or a finding that stands twice.
        """
        rows: dict[str, FindingRow] = {}
        for number, values in enumerate(read_rows(path), start=2):
            place = f"{path}, line {number}"
            if lacking := [column for column in COLUMNS if column not in values]:
                raise DataError(
                    f"{path}: the column {lacking[0]!r} is missing; {', '.join(COLUMNS)} were expected, found "
                    f"{', '.join(values)}."
                )
            finding, reason = text(values["finding"]), text(values["reason"])
            if not finding or not reason:
                raise DataError(f"{place}: the {'reason' if finding else 'finding'} is empty. Fill it in.")
            classes = tuple(part.strip() for part in text(values["class"]).split("|") if part.strip())
            if wrong := [part for part in classes if part not in CHEXPERT_ORDER]:
                raise DataError(
                    f"{place}: {wrong[0]!r} is no CheXpert class; one of {', '.join(CHEXPERT_ORDER)} was expected, or "
                    "nothing."
                )
            if folded(finding) in rows:
                raise DataError(f"{place}: the finding {finding!r} stands twice. Keep one line.")
            rows[folded(finding)] = FindingRow(finding, classes, reason)
        return cls(name or path.stem, tuple(rows.values()))


def folded(finding: str) -> str:
    """A finding name as it is compared.

    Examples
    --------
    >>> folded("  Lung  Opacity ")
    'lung opacity'
    """
    return " ".join(finding.split()).casefold()


@cache
def finding_table(name: str) -> FindingTable:
    """A table that comes with the package: ``nih_cxr14``, ``padchest_gr`` or ``chest_imagenome``.

    Examples
    --------
    >>> finding_table("nih_cxr14").classes("Infiltrate")
    ('Lung Opacity',)
    """
    return FindingTable.read(FOLDER / f"{name}.csv", name)


@cache
def _index(table: FindingTable) -> dict[str, FindingRow]:
    return {folded(row.finding): row for row in table.rows}
