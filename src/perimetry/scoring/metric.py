"""What every metric declares, and the shape in which it hands over its counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from perimetry.cases.errors import UsageError

__all__ = ["Direction", "MetricInfo", "Ratio"]

Direction = Literal["higher", "lower", "neutral"]
"""Which way is better; ``neutral``: a description that is neither good nor bad by itself."""


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """A metric's name, version, direction, range, parameters and source; these travel with each estimate.

    Parameters
    ----------
    name : str
        As it stands in the column ``metric``.
    version : str
        ``family/number``; changes when any value could.
    direction : {"higher", "lower", "neutral"}
    low, high : float
        Ends of the range of values; infinite ends are allowed.
    meaning : str
        One sentence for a reader of the report.
    citation : str
        Paper with section or equation, or ``perimetry`` for what is our own.
    parameters : tuple of (str, str), default ()
        Everything that changes values, sorted by name.

    Raises
    ------
    UsageError
        For an unknown direction, an empty name, a range that is none, or parameters out of order.

    Examples
    --------
    >>> info = MetricInfo("vrs", "answers/1", "higher", -1.0, 1.0, "What a shuffled image costs.", "CORAL 3.3")
    >>> info.signature
    'vrs|answers/1'
    """

    name: str
    version: str
    direction: Direction
    low: float
    high: float
    meaning: str
    citation: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.name or "|" in self.name:
            raise UsageError(f"MetricInfo.name is {self.name!r}; give a name that is not empty and holds no '|'.")
        if self.direction not in get_args(Direction):
            raise UsageError(
                f"Metric {self.name!r} has direction {self.direction!r}; "
                f"expected one of {', '.join(get_args(Direction))}."
            )
        if not self.low < self.high:
            raise UsageError(f"Metric {self.name!r} has the range {self.low} to {self.high}; low must lie below high.")
        if list(self.parameters) != sorted(dict(self.parameters).items()):
            raise UsageError(f"Metric {self.name!r}: parameters must be sorted by name and have each name once.")

    @property
    def signature(self) -> str:
        """Name, version and parameters in one string: two values are comparable if this is equal."""
        return "|".join([self.name, self.version, *(f"{name}={value}" for name, value in self.parameters)])

    def holds(self, value: float) -> bool:
        """Whether a value lies in the declared range."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Ratio:
    """Sufficient statistics of a share: sums of both give the metric of any set of items.

    Examples
    --------
    >>> (Ratio(1, 4) + Ratio(1, 1)).value
    0.4
    """

    numerator: float
    denominator: float

    @property
    def value(self) -> float | None:
        """The share, or None where there is nothing to divide by."""
        return self.numerator / self.denominator if self.denominator else None

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.numerator + other.numerator, self.denominator + other.denominator)
