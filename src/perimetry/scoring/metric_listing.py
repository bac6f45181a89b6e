"""What can be scored with: for ``perimetry metrics``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from perimetry.cases.errors import PerimetryError
from perimetry.scoring.metrics_registry import metric_kinds

__all__ = ["MetricListing", "list_metrics"]


@dataclass(frozen=True, slots=True)
class MetricListing:
    """One line of ``perimetry metrics``.

    Parameters
    ----------
    name, summary : str
    direction : str
        ``higher`` or ``lower``: which way is better.
    value_range : str
    needs : str
        Beyond the core; empty for nothing.
    parameters : tuple of str
        Names with their defaults.
    obstacle : str
        Why it cannot run on this machine now with its defaults; empty if it can.
    """

    name: str
    summary: str
    direction: str
    value_range: str
    needs: str
    parameters: tuple[str, ...]
    obstacle: str

    @property
    def runs_now(self) -> bool:
        """Whether nothing stands in its way, as far as can be seen without opening anything."""
        return not self.obstacle

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {**asdict(self), "runs_now": self.runs_now}


def list_metrics() -> tuple[MetricListing, ...]:
    """Every metric of the package and of other packages, sorted by name; a broken one of another package is listed too.

    Examples
    --------
    >>> [line.runs_now for line in list_metrics() if line.name == "rouge_l"]
    [True]
    """
    registry = metric_kinds()
    lines = []
    for name in registry.names():
        try:
            kind = registry.get(name)
        except PerimetryError as error:
            lines.append(MetricListing(name, "of another package", "", "", "", (), str(error)))
            continue
        try:
            obstacle = kind.make({}).obstacle()
        except PerimetryError as error:
            obstacle = str(error)
        lines.append(
            MetricListing(
                kind.name, kind.summary, kind.direction, kind.value_range, kind.needs, kind.parameters, obstacle
            )
        )
    return tuple(lines)
