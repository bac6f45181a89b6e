"""Measures: columns of sufficient statistics with the rate of their sums, and how measures are put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from perimetry.runs.terms import RateTerm
from perimetry.statistics import Rate, mean_of, ratio
from perimetry.statistics.finishes import divide

__all__ = ["Measure", "class_mean", "combined", "minus", "share", "shortfall"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A number as columns over cases and the rate of their sums.

    Parameters
    ----------
    columns : tuple of float array, (cases,)
    rates : mapping of str to Rate
        By data set; "" for those that have no rate of their own.
    counted : bool array, (cases,)
    """

    columns: tuple[Numbers, ...] = field(repr=False)
    rates: Mapping[str, Rate]
    counted: Flags = field(repr=False)

    def rate(self, dataset: str) -> Rate:
        """The rate of a data set."""
        return self.rates.get(dataset) or self.rates.get("") or _undefined

    def term(self) -> RateTerm:
        """As a contrast takes it."""
        own = {name: rate for name, rate in self.rates.items() if name}
        return RateTerm(self.columns, self.rates.get("", _undefined), self.counted, by_dataset=own)


def _undefined(sums: Numbers) -> Numbers:
    return np.full(sums.shape[:-1], np.nan)


def share(numerator: Numbers, denominator: Numbers, used: Flags) -> Measure:
    """Sum of one column over that of another."""
    return Measure((np.where(used, numerator, 0.0), np.where(used, denominator, 0.0)), {"": ratio(0, 1)}, used)


def class_mean(parts: Sequence[tuple[Measure, Flags]], datasets: NDArray[np.str_]) -> Measure:
    """Mean of the classes' measures, weighted by how many of their cases are counted in a data set.

    The weights are those of the data as they are, whatever a resample holds. In a resample in which a class has no
    case its weight is shared among the others.

    Parameters
    ----------
    parts : sequence of (Measure, bool array)
        One a class: its measure, and the cases that weigh it.
    datasets : str array, (cases,)
    """
    columns: list[Numbers] = []
    places: list[slice] = []
    for measure, _ in parts:
        places.append(slice(len(columns), len(columns) + len(measure.columns)))
        columns += measure.columns
    rates: dict[str, Rate] = {}
    for name in dict.fromkeys(datasets.tolist()):
        weights = [float(np.count_nonzero(cases & (datasets == name))) for _, cases in parts]
        if sum(weights):
            single = [_cut(measure.rate(name), place) for (measure, _), place in zip(parts, places, strict=True)]
            rates[name] = mean_of(single, weights, skip_undefined=True)
    counted = np.logical_or.reduce([measure.counted for measure, _ in parts])
    return Measure(tuple(columns), rates, np.asarray(counted, dtype=bool))


def combined(measures: Sequence[Measure], value: Callable[..., Numbers]) -> Measure:
    """A function of several measures, resample by resample."""
    columns: list[Numbers] = []
    places: list[slice] = []
    for measure in measures:
        places.append(slice(len(columns), len(columns) + len(measure.columns)))
        columns += measure.columns
    names = dict.fromkeys(name for measure in measures for name in measure.rates)
    if any(list(measure.rates) != [""] for measure in measures):
        names.pop("", None)
    rates = {
        name: _together(
            [_cut(measure.rate(name), place) for measure, place in zip(measures, places, strict=True)], value
        )
        for name in names
    }
    counted = np.logical_or.reduce([measure.counted for measure in measures])
    return Measure(tuple(columns), rates, np.asarray(counted, dtype=bool))


def minus(first: Measure, second: Measure) -> Measure:
    """First minus second."""
    return combined([first, second], lambda left, right: left - right)


def shortfall(control: Measure, other: Measure) -> Measure:
    """How far the other falls short of the control, as a share of the control."""
    return combined([control, other], lambda left, right: divide(left - right, left))


def _cut(rate: Rate, place: slice) -> Rate:
    return lambda sums: rate(sums[..., place])


def _together(rates: Sequence[Rate], value: Callable[..., Numbers]) -> Rate:
    return lambda sums: np.asarray(value(*(rate(sums) for rate in rates)), dtype=np.float64)
