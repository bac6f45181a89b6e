"""What an estimate is drawn from: per-item columns, a rate of their sums, and the items that count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from perimetry.runs.estimates import Estimate
from perimetry.statistics import Rate, ratio

__all__ = ["Contrast", "Items", "Pair", "RateTerm", "Term"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a run in one order: each one's data set and its group.

    Parameters
    ----------
    datasets, groups : sequence of str, one an item
    """

    datasets: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A ratio of two sums over items, with a sign.

    Parameters
    ----------
    numerator, denominator : float array, (items,)
        Sufficient statistics; both 0 where the item is missing for this term.
    sign : int
        1, or -1 for the side that is taken away.
    """

    numerator: Numbers
    denominator: Numbers
    sign: int = 1

    @property
    def columns(self) -> tuple[Numbers, ...]:
        """The columns that `rate` sees."""
        return self.numerator, self.denominator

    @property
    def rate(self) -> Rate:
        """From sums of `columns` to the value."""
        return ratio(0, 1)

    @property
    def counted(self) -> Flags:
        """Items that this term counts: (items,)."""
        return self.denominator > 0


@dataclass(frozen=True, slots=True)
class RateTerm:
    """Any rate of sums over items, with a sign: what no single ratio gives, such as BLEU or a macro-F1.

    Parameters
    ----------
    columns : tuple of float array, (items,)
        Sufficient statistics in the order that `rate` takes; 0 in all where the item is not counted.
    rate : Rate
        From sums ``(..., columns)`` to values ``(...)``.
    counted : bool array, (items,)
        Items that this term counts. One may be counted and zero in every column: it states nothing, but is in the set.
    sign : int
        As in `Term`.
    by_dataset : mapping of str to Rate
        The rate of a data set where it is not `rate`: a mean whose weights are that data set's own, for example.
    """

    columns: tuple[Numbers, ...] = field(repr=False)
    rate: Rate
    counted: Flags = field(repr=False)
    sign: int = 1
    by_dataset: Mapping[str, Rate] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two binary outcomes of the same items, for McNemar's test.

    Parameters
    ----------
    first, second, both : bool array, (items,)
        Outcomes, and where both were observed.
    """

    first: Flags
    second: Flags
    both: Flags


@dataclass(frozen=True, slots=True)
class Contrast:
    """One metric of one model: a signed sum of ratios, or of other rates.

    Parameters
    ----------
    estimate : Estimate
        Names, direction and version; its numbers are filled in.
    terms : tuple of Term or RateTerm
        The first one counts, later ones are taken away.
    missing : bool array, (items,)
        Items left out because a request failed (not those to which a condition does not apply).
    pair : Pair or None
        For a p value by McNemar's exact test.
    difference : bool, default False
        Whether zero is its neutral point: only then is the share of resamples above zero given.
    """

    estimate: Estimate
    terms: tuple[Term | RateTerm, ...]
    missing: Flags = field(repr=False)
    pair: Pair | None = None
    difference: bool = False
