"""Region conditions that differ in strength alone, and the controls that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.conditions.spelling import read_spelling
from perimetry.protocols.occlusion.options import REGIONS

__all__ = ["Family", "families_of"]


@dataclass(frozen=True, slots=True)
class Family:
    """One region under one fill, at every strength that was run.

    Parameters
    ----------
    region : str
        ``oco``, ``doco``, ``ro`` or ``romatched``.
    fill : str
        What stands in the parentheses of the spelling; empty for the default.
    members : tuple of (float, int)
        Strength in percent and position of the condition, by rising strength.
    """

    region: str
    fill: str
    members: tuple[tuple[float, int], ...]

    @property
    def name(self) -> str:
        """The region, with its fill where it is not the default.

        Examples
        --------
        >>> Family("oco", "fill=black", ()).name
        'oco(fill=black)'
        """
        return f"{self.region}({self.fill})" if self.fill else self.region

    @property
    def top(self) -> tuple[float, int]:
        """The highest strength and its condition."""
        return self.members[-1]


def families_of(conditions: Sequence[str]) -> tuple[Family, ...]:
    """The families of a run, in the order of `REGIONS` for each fill.

    Examples
    --------
    >>> [(one.name, one.top[0]) for one in families_of(["real", "oco@100", "oco@20", "ro@100"])]
    [('oco', 100.0), ('ro', 100.0)]
    """
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for number, text in enumerate(conditions):
        spelling = read_spelling(text)
        if spelling.name in REGIONS:
            fill = ",".join(value if key is None else f"{key}={value}" for key, value in spelling.arguments)
            found.setdefault((fill, spelling.name), []).append((float(spelling.at or 100), number))
    order = sorted(
        found, key=lambda key: (list(dict.fromkeys(k[0] for k in found)).index(key[0]), REGIONS.index(key[1]))
    )
    return tuple(Family(region, fill, tuple(sorted(found[fill, region]))) for fill, region in order)
