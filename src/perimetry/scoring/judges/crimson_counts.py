"""CRIMSON's arithmetic: findings weighed by what they mean for the patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["IMPORTANCE", "SEVERITY", "UNKNOWN", "CrimsonCounts", "credit", "weigh"]

IMPORTANCE = MappingProxyType(
    {
        "urgent": 1.0,
        "actionable": 0.5,
        "actionable_not_urgent": 0.5,
        "not_actionable": 0.25,
        "not_actionable_not_urgent": 0.25,
        "expected": 0.0,
        "benign_expected": 0.0,
    }
)
"""Weight of a finding by its label, in our words and in the official ones."""

SEVERITY = MappingProxyType({"significant": 0.5, "negligible": 0.0})
"""Weight of an attribute error by its label."""

UNKNOWN = 0.25
"""Weight of a finding or attribute error whose label is none of these."""


def weigh(label: object, weights: MappingProxyType[str, float]) -> tuple[float, bool]:
    """Weight of a label as a judge wrote it, and whether it is a known one.

    Examples
    --------
    >>> weigh("Actionable, not urgent", IMPORTANCE), weigh("dire", IMPORTANCE)
    ((0.5, True), (0.25, False))
    """
    word = "_".join(label.lower().replace("-", " ").replace(",", " ").split()) if isinstance(label, str) else ""
    return (weights[word], True) if word in weights else (UNKNOWN, False)


def credit(weight: float, attribute_errors: Sequence[float]) -> float:
    """What a matched reference finding earns: its weight, reduced by its attribute errors.

    Examples
    --------
    >>> credit(1.0, []), credit(0.5, [0.5])
    (1.0, 0.25)
    """
    return weight * weight / (weight + sum(attribute_errors)) if weight else 0.0


@dataclass(frozen=True, slots=True)
class CrimsonCounts:
    """Sums of weights.

    Parameters
    ----------
    total : float
        Of all reference findings (N).
    correct : float
        What matched findings earn, each once.
    false, missed : float
        Of candidate findings that the reference does not have, and of reference findings that the candidate lacks.
    unknown_labels : int, default 0
        Labels that were none of the known ones and weighed `UNKNOWN`.

    Notes
    -----
    S = (correct - false) / N. Where no reference finding weighs anything (N = 0), S is 1 if nothing that weighs was
    invented or missed, and -(false + missed + 1) otherwise. An S of at least 0 is the value; below, the value is
    -d / (1 + d) with d = false - correct, which stays above -1.

    Examples
    --------
    >>> CrimsonCounts(1.5, 1.5, 0.0, 0.0).value, CrimsonCounts(0.5, 0.0, 1.0, 0.5).value
    (1.0, -0.5)
    """

    total: float
    correct: float
    false: float
    missed: float
    unknown_labels: int = 0

    @property
    def share(self) -> float:
        """S, not yet bounded below."""
        if self.total:
            return (self.correct - self.false) / self.total
        return 1.0 if self.false == 0 and self.missed == 0 else -(self.false + self.missed + 1.0)

    @property
    def value(self) -> float:
        """Between -1 (not reached) and 1."""
        share = self.share
        if share >= 0:
            return share
        excess = self.false - self.correct
        return -excess / (1.0 + excess) if excess > 0 else 0.0
