"""GREEN's arithmetic: matched findings against clinically significant errors."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.scoring.judges.judgement import Missing

__all__ = ["CATEGORIES", "GreenCounts", "judged"]

CATEGORIES = (
    "false_finding",
    "missing_finding",
    "wrong_location",
    "wrong_severity",
    "unsupported_comparison",
    "missing_comparison",
)
"""The six kinds of error, in the order of the letters a to f of Ostmeier et al. 2024, section 3."""


@dataclass(frozen=True, slots=True)
class GreenCounts:
    """What a judge counted.

    Parameters
    ----------
    matched : int
        Findings that both reports state alike.
    significant : tuple of 6 int
        Clinically significant errors, in the order of `CATEGORIES`.

    Examples
    --------
    >>> GreenCounts(3, (1, 0, 0, 0, 0, 0)).value
    0.75
    """

    matched: int
    significant: tuple[int, ...]

    @property
    def errors(self) -> int:
        """Clinically significant errors of all kinds."""
        return sum(self.significant)

    @property
    def value(self) -> float:
        """Share of what matched in what matched or is wrong; 0 when nothing matched."""
        return self.matched / (self.matched + self.errors) if self.matched else 0.0


def judged(counts: GreenCounts) -> GreenCounts | Missing:
    """The counts, unless there is nothing in them: no finding matched and no error made is no score.

    Examples
    --------
    >>> judged(GreenCounts(0, (0, 0, 0, 0, 0, 0))).reason
    'nothing_to_compare: no matched finding and no significant error'
    """
    if counts.matched == 0 and counts.errors == 0:
        return Missing("nothing_to_compare", "no matched finding and no significant error")
    return counts
