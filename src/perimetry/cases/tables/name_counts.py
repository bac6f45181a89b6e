"""How often finding names were met: mapped, without a class, or unknown. None of them goes in silence."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from perimetry.cases.echo import echo
from perimetry.cases.funnel import Funnel
from perimetry.cases.tables.finding_table import FindingTable

__all__ = ["NameCounts"]

NAMES_TOLD = 10


@dataclass(slots=True)
class NameCounts:
    """Looks names up in a table and counts them.

    Parameters
    ----------
    table : FindingTable
    mapped, unmapped, unknown : Counter
        Mentions of names with a class, of known names without one, and of names that the table does not hold.

    Examples
    --------
    >>> from perimetry.cases.tables import finding_table
    >>> counts = NameCounts(finding_table("nih_cxr14"))
    >>> counts.classes("Effusion"), counts.classes("Hernia"), counts.classes("Gossypiboma")
    (('Pleural Effusion',), (), ())
    >>> counts.to_dict()["unknown"]
    {'Gossypiboma': 1}
    """

    table: FindingTable
    mapped: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def classes(self, finding: str) -> tuple[str, ...]:
        """Classes of a name, counted; empty where it has none or is unknown."""
        row = self.table.row(finding)
        if row is None:
            self.unknown[finding] += 1
            return ()
        (self.mapped if row.classes else self.unmapped)[row.finding] += 1
        return row.classes

    def note(self, funnel: Funnel) -> None:
        """Tell which names are unknown, the commonest first."""
        if not self.unknown:
            return
        named = ", ".join(f"{echo(name)!r} ({count:,})" for name, count in self.unknown.most_common(NAMES_TOLD))
        more = f" and {len(self.unknown) - NAMES_TOLD} more" if len(self.unknown) > NAMES_TOLD else ""
        count = f"{len(self.unknown):,} finding names"
        funnel.note(f"{count} are not in the table {self.table.name} and give no class: {named}{more}")

    @property
    def share(self) -> float:
        """Share of all mentions whose name has a class; nan where there were none."""
        mentions = sum(counter.total() for counter in (self.mapped, self.unmapped, self.unknown))
        return self.mapped.total() / mentions if mentions else math.nan

    def to_dict(self) -> dict[str, object]:
        """As plain data, for funnel.json: the commonest names first."""
        return {
            "table": self.table.name,
            "mapped": dict(self.mapped.most_common()),
            "without a class": dict(self.unmapped.most_common()),
            "unknown": dict(self.unknown.most_common()),
        }
