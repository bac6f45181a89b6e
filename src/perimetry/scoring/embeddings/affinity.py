"""How much a pair of entity types counts in RaTEScore: the two published tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

__all__ = ["TYPES", "Affinity", "Table", "read_affinity"]

Table = Literal["long", "short"]

TYPES = ("ANATOMY", "ABNORMALITY", "DISEASE", "NON-ABNORMALITY", "NON-DISEASE")
"""Types of entities; ``NON-`` marks what a report denies."""

_FILE = "ratescore_affinity.json"
_FACTOR = "neg_weight"
_DENIED = "NON-"
_UNSIGNED = "ANATOMY"


@dataclass(frozen=True, slots=True)
class Affinity:
    """Weights of type pairs, and what is left of a similarity across a negation.

    Parameters
    ----------
    weights : mapping of (str, str) to float
        By the type of an entity and of the one that it is matched with; not symmetric.
    negation : float
        Factor of a similarity where exactly one of the two is denied; 0 to 1.

    References
    ----------
    Zhao et al. 2024, "RaTEScore: A Metric for Radiology Report Generation", section 3; numbers of the authors' release.
    """

    weights: Mapping[tuple[str, str], float]
    negation: float

    def factor(self, first: str, second: str) -> float:
        """`negation` where exactly one of two findings is denied, else 1; anatomy is neither stated nor denied.

        Examples
        --------
        >>> table = read_affinity("short")
        >>> table.factor("DISEASE", "NON-ABNORMALITY") == table.negation, table.factor("ANATOMY", "NON-DISEASE")
        (True, 1.0)
        """
        if _UNSIGNED in (first, second):
            return 1.0
        return self.negation if first.startswith(_DENIED) != second.startswith(_DENIED) else 1.0


def read_affinity(table: Table = "long") -> Affinity:
    """Read a table that ships with the package: fitted on long reports (the default of the original) or on short ones.

    Examples
    --------
    >>> round(read_affinity().weights["DISEASE", "ANATOMY"], 3)
    0.995
    """
    numbers = json.loads(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))[table]
    weights = {
        (first.upper(), second.upper()): float(value)
        for name, value in numbers.items()
        if name != _FACTOR
        for first, _, second in [name.partition("_")]
    }
    return Affinity(MappingProxyType(weights), float(numbers[_FACTOR]))
