"""One metric of one model as two numbers an item: what several audits draw estimates from."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.runs.cube import Flags, Numbers
from perimetry.runs.terms import Pair

__all__ = ["CellStatistic"]


@dataclass(frozen=True, slots=True)
class CellStatistic:
    """One metric of one model as numerator and denominator per item.

    Parameters
    ----------
    metric : str
    condition, comparator : str
        What was changed, and what it is held against (``real``); no comparator for a single condition.
    numerator, denominator : float array, (items,)
    missing : bool array, (items,)
        Items whose requests failed.
    pair : Pair or None
        Binary outcomes of the first repeat under the two conditions, for McNemar's test.
    outcome : (bool array, bool array) or None
        Binary outcome of the first repeat and where it was observed, for McNemar's test between two models.
    """

    metric: str
    condition: str
    comparator: str
    numerator: Numbers
    denominator: Numbers
    missing: Flags
    pair: Pair | None = None
    outcome: tuple[Flags, Flags] | None = None
