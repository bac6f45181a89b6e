"""What people decided about cues: a table with one row an item and cue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases.cells import original_cell
from perimetry.cases.errors import DataError
from perimetry.cases.table import read_records
from perimetry.cases.values import text
from perimetry.screening.tiers.tier import DISPOSITIONS, FINAL, TIERS, Disposition, Tier, default_disposition

__all__ = ["EVERY_CUE", "Decision", "read_decisions"]

EVERY_CUE = "*"
COLUMNS = ("dataset", "case_id", "cue", "tier", "by")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision.

    Parameters
    ----------
    dataset, case_id, cue : str
        ``*`` as the cue: all cues of the item.
    tier : Tier
    by : str
        Who or what decided: an expert's role or initials, a panel, a run of matched repairs.
    disposition : Disposition
    note : str
    """

    dataset: str
    case_id: str
    cue: str
    tier: Tier
    by: str
    disposition: Disposition
    note: str = ""


def read_decisions(path: Path) -> tuple[Decision, ...]:
    r"""Read a table (CSV, TSV, JSONL or Parquet) with the columns dataset, case_id, cue, tier and by.

    ``disposition`` and ``note`` are optional columns.

    Raises
    ------
    DataError
        Names file, row and field, what was found and what was expected; also where two rows decide one cue for good
        in different ways.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "decisions.csv")
    >>> _ = file.write_text("dataset,case_id,cue,tier,by\nmine,7,large-gap,shortcut-risk,radiologist A\n")
    >>> read_decisions(file)[0].disposition
    'flag'
    """
    found = tuple(_decisions(path))
    final: dict[tuple[str, str, str], Decision] = {}
    for one in found:
        if one.tier not in FINAL:
            continue
        other = final.setdefault((one.dataset, one.case_id, one.cue), one)
        if other.tier != one.tier:
            raise DataError(
                f"{path}: {one.dataset}, item {one.case_id}, cue {one.cue} is {other.tier!r} by {other.by} and "
                f"{one.tier!r} by {one.by}. Keep the decision that stands."
            )
    return found


def _decisions(path: Path) -> Iterator[Decision]:
    for number, record in enumerate(read_records(path), start=1):
        # Ids may be copied from a CSV of ours.
        row = {name: original_cell(text(value).strip()) for name, value in record.values.items()}
        for column in COLUMNS:
            if not row.get(column):
                raise DataError(
                    f"{path}, record {number}: the field {column} is empty; expected the columns {', '.join(COLUMNS)}."
                )
        tier = next((tier for tier in TIERS if tier == row["tier"]), None)
        if tier is None:
            raise DataError(f"{path}, record {number}: tier is {row['tier']!r}; expected one of {', '.join(TIERS)}.")
        said = row.get("disposition", "")
        disposition = next((it for it in DISPOSITIONS if it == said), None) if said else default_disposition(tier)
        if disposition is None:
            raise DataError(
                f"{path}, record {number}: disposition is {said!r}; expected one of {', '.join(DISPOSITIONS)}."
            )
        yield Decision(row["dataset"], row["case_id"], row["cue"], tier, row["by"], disposition, row.get("note", ""))
