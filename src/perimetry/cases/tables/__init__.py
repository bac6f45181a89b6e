"""Finding names of data sets and the CheXpert classes that they stand for: data files with a reason a row."""

from perimetry.cases.tables.finding_table import FindingRow, FindingTable, finding_table
from perimetry.cases.tables.name_counts import NameCounts

__all__ = ["FindingRow", "FindingTable", "NameCounts", "finding_table"]
