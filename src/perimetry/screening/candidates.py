"""The table of candidates: one row an item and cue, kept in compact blocks."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field

import polars as pl

from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import Screen, Unit

__all__ = ["CANDIDATE_SCHEMA", "Candidate", "CandidateTable"]

CANDIDATE_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "case_id": pl.String,
    "cue": pl.String,
    "layer": pl.String,
    "unit": pl.String,
    "severity": pl.String,
    "options": pl.String,
    "key": pl.String,
    "key_has_cue": pl.Boolean,
    "singles_out_key": pl.Boolean,
    "note": pl.String,
    "spans": pl.String,
    "tier": pl.String,
    "decided_by": pl.String,
}
REPEATING = ("dataset", "cue", "layer", "unit", "severity", "tier", "decided_by")
BLOCK = 20_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row: an item, a cue, the evidence, and how the cue stands to the key.

    Parameters
    ----------
    dataset, case_id, cue, layer, unit, severity : str
    options, key : str
        Labels joined by ``+``; empty for cues of the whole item.
    key_has_cue : bool or None
        None for cues of the whole item.
    singles_out_key : bool or None
        Whether the key alone carries the cue.
    note, spans : str
        `Finding.note`, `Finding.evidence`.
    tier : str
        ``candidate``: a screen says nothing more.
    decided_by : str
        The screen and its version.
    """

    dataset: str
    case_id: str
    cue: str
    layer: str
    unit: str
    severity: str
    options: str
    key: str
    key_has_cue: bool | None
    singles_out_key: bool | None
    note: str
    spans: str
    tier: str
    decided_by: str

    @classmethod
    def of(cls, item: Item, screen: Screen, finding: Finding) -> Candidate:
        """The row of what a screen found."""
        by = f"screen {screen.name} v{screen.version}"
        return cls.found(item, screen.name, screen.layer, screen.unit, finding, by)

    @classmethod
    def found(cls, item: Item, cue: str, layer: str, unit: Unit, finding: Finding, by: str) -> Candidate:
        """The row of a finding, whoever found it."""
        optional = unit == "option"
        carried, keys = set(finding.options), set(item.key_labels)
        return cls(
            item.dataset,
            item.id,
            cue,
            layer,
            unit,
            finding.severity,
            "+".join(finding.options),
            "+".join(item.key_labels),
            bool(carried & keys) if optional else None,
            carried == keys if optional else None,
            finding.note,
            finding.evidence,
            "candidate",
            by,
        )


@dataclass(slots=True)
class CandidateTable:
    """Collects rows; memory is that of the compact table, not of Python objects.

    Examples
    --------
    >>> CandidateTable().frame().columns[:3]
    ['dataset', 'case_id', 'cue']
    """

    _rows: list[tuple[object, ...]] = field(default_factory=list)
    _blocks: list[pl.DataFrame] = field(default_factory=list)

    def add(self, candidate: Candidate) -> None:
        """Take a row in."""
        self._rows.append(astuple(candidate))
        if len(self._rows) >= BLOCK:
            self._blocks.append(_block(self._rows))
            self._rows = []

    def frame(self) -> pl.DataFrame:
        """All rows sorted by data set, item and cue, so that the order of the items leaves no trace."""
        self._blocks.append(_block(self._rows))
        self._rows = []
        # One block at the end, not two: the sorted table takes the place of what it was made of.
        self._blocks = [pl.concat(self._blocks).sort("dataset", "case_id", "cue")]
        return self._blocks[0]


def _block(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=CANDIDATE_SCHEMA, orient="row")
    return frame.with_columns(pl.col(REPEATING).cast(pl.Categorical))
