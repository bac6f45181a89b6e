"""How many references have another wording, a data set and variation: below a tenth, shifts and bands say little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from perimetry.protocols.references.material import Material
from perimetry.protocols.score.bands import SPARSE

__all__ = ["Coverage", "coverage", "coverage_notes"]

ANY = "any"
"""Stands for all variations together."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """References of one data set with an alternative under one variation, or (``any``) under some variation.

    Parameters
    ----------
    dataset, condition : str
    alternatives : int
        Alternatives that read otherwise than their references.
    studies : int
        References that are scored.
    """

    dataset: str
    condition: str
    alternatives: int
    studies: int

    @property
    def sparse(self) -> bool:
        """Whether fewer than a tenth have one.

        Examples
        --------
        >>> Coverage("d", "any", 3, 382).sparse, Coverage("d", "any", 382, 382).sparse
        (True, False)
        """
        return self.alternatives < SPARSE * self.studies

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"sparse": self.sparse}


def coverage(material: Material) -> tuple[Coverage, ...]:
    """Every data set under every variation that was tried, then under any of them."""
    found = []
    for one in material.sets:
        held: set[str] = set()
        for variation, states in one.alternatives.states.items():
            mine = {identity for identity, state in zip(one.reports.ids, states, strict=True) if state == "accepted"}
            held |= mine
            found.append(Coverage(one.name, variation, len(mine), len(one.reports)))
        found.append(Coverage(one.name, ANY, len(held), len(one.reports)))
    return tuple(found)


def coverage_notes(material: Material) -> Iterator[tuple[str, bool]]:
    """A line a data set, and whether it is a caution: of how many references everything is that is said of style."""
    rows = coverage(material)
    for one in material.sets:
        mine = [row for row in rows if row.dataset == one.name]
        whole = mine[-1]
        told = (
            f"{one.name}: {whole.alternatives:,} of {whole.studies:,} references have another wording; the others keep "
            "their score in every ranking and band."
        )
        if whole.sparse:
            told += " These are far too few to say what style moves. Rewrite more of the references, or more forms."
        yield told, whole.sparse
        few = [row for row in mine[:-1] if row.sparse and row.alternatives]
        if few and not whole.sparse:
            named = ", ".join(f"{row.condition} ({row.alternatives:,})" for row in few)
            yield (
                f"{one.name}: fewer than a tenth of the {whole.studies:,} references have an alternative for {named}: "
                "orders and bands under these can hardly differ from the originals'.",
                True,
            )
