"""From the terms of a contrast to the finish of its resampled sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.runs.terms import RateTerm, Term
from perimetry.statistics import Finish, Rate, difference, macro, pooled

__all__ = ["finish_of", "pooled_of"]

Places = Sequence[Sequence[int]]


def finish_of(terms: Sequence[Term | RateTerm], places: Places, datasets: Sequence[str]) -> Finish:
    """The signed sum of the terms' rates on one data set, or its mean over several.

    Parameters
    ----------
    terms : sequence of Term or RateTerm
    places : sequence of sequence of int
        Where the columns of each term stand.
    datasets : sequence of str
        The strata that the finish will see, in order.
    """
    own = _has_own(terms)
    rates = [_signed_rate(terms, places, name) for name in (datasets if own else datasets[:1])]
    if len(datasets) == 1:
        return pooled(rates[0])
    return _mean_over(rates) if own else macro(rates[0])


def pooled_of(terms: Sequence[Term | RateTerm], places: Places) -> Finish | None:
    """The signed sum of the terms' rates over all items of all data sets alike.

    None where a term has a rate that is a data set's own: then there is no rate of all.
    """
    return None if _has_own(terms) else pooled(_signed_rate(terms, places, ""))


def _has_own(terms: Sequence[Term | RateTerm]) -> bool:
    """Whether a term has a rate that is a data set's own."""
    return any(isinstance(term, RateTerm) and term.by_dataset for term in terms)


def _mean_over(rates: Sequence[Rate]) -> Finish:
    """The mean over strata, each with a rate of its own."""

    def finish(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        values = [rate(sums[number]) for number, rate in enumerate(rates)]
        return np.asarray(np.mean(values, axis=0), dtype=np.float64)

    return finish


def _signed_rate(terms: Sequence[Term | RateTerm], places: Places, dataset: str) -> Rate:
    """The signed sum of the terms' rates as one rate over resampled columns."""
    rate = _placed(_rate_of(terms[0], dataset), places[0])
    for term, place in zip(terms[1:], places[1:], strict=True):
        if term.sign != -1:
            raise ValueError("terms after the first are taken away: their sign is -1")
        rate = difference(rate, _placed(_rate_of(term, dataset), place))
    return rate


def _rate_of(term: Term | RateTerm, dataset: str) -> Rate:
    return term.by_dataset.get(dataset, term.rate) if isinstance(term, RateTerm) else term.rate


def _placed(rate: Rate, place: Sequence[int]) -> Rate:
    """A rate that finds its columns among others."""
    first = place[0]
    if list(place) == list(range(first, first + len(place))):  # a view, where a list of positions would be a copy
        return lambda sums: rate(sums[..., first : first + len(place)])
    return lambda sums: rate(sums[..., list(place)])
