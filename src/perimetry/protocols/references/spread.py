"""How far shifts spread over models and data sets: percentiles and interquartile ranges (ReRef, Figure 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.references.drawn import Drawing
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.runs.estimates import Estimate
from perimetry.statistics import BootstrapResult, Distribution

__all__ = ["ALL_SYSTEMS", "PERCENTILES", "Spread", "filled", "over", "spread_rows", "spreads"]

Numbers = NDArray[np.float64]
Reduce = Callable[[Numbers], Numbers]

ALL_SYSTEMS = "all systems"
"""In the column ``model`` of what is about all systems together."""

PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Normalised shifts of one metric.

    Parameters
    ----------
    deviation : Distribution
        Standard deviation (ddof 1) of the metric over (system, data set) pairs under the originals.
    shifts : mapping of variation to (mapping of (dataset, system) to Distribution)
        Shift over deviation, a pair.
    percentiles : mapping of variation to (mapping of int to Distribution)
        Over the pairs that have the variation.
    iqr : mapping of variation to Distribution
    mean_iqr, max_iqr : Distribution
        Over the variations.
    """

    deviation: Distribution
    shifts: Mapping[str, Mapping[tuple[str, str], Distribution]]
    percentiles: Mapping[str, Mapping[int, Distribution]]
    iqr: Mapping[str, Distribution]
    mean_iqr: Distribution
    max_iqr: Distribution


def spreads(drawing: Drawing, variations: Sequence[str]) -> Spread | None:
    """Normalise shifts and take their percentiles, on the data and on every resample.

    Returns
    -------
    Spread or None
        None with fewer than two pairs, or where all have one and the same value: there is nothing to divide by.
    """
    base = [
        level.distribution
        for (dataset, _, condition), level in drawing.levels.items()
        if condition == ORIGINAL and dataset != "macro" and not np.isnan(level.distribution.value)
    ]
    if len(base) < 2:
        return None
    deviation = over(base, lambda table: np.asarray(np.std(table, axis=0, ddof=1), dtype=np.float64))
    if not deviation.value > 0.0:
        return None
    shifts: dict[str, dict[tuple[str, str], Distribution]] = {}
    for variation in variations:
        mine = {
            (dataset, system): _scaled(level.distribution, deviation)
            for (dataset, system, condition), level in drawing.shifts.items()
            if condition == variation and dataset != "macro" and not np.isnan(level.distribution.value)
        }
        if mine:
            shifts[variation] = mine
    if not shifts:
        return None
    percentiles = {
        variation: {share: _percentile(list(mine.values()), share) for share in PERCENTILES}
        for variation, mine in shifts.items()
    }
    iqr = {variation: held[75] - held[25] for variation, held in percentiles.items()}
    every = list(iqr.values())
    mean = over(every, lambda table: np.asarray(table.mean(axis=0), dtype=np.float64))
    return Spread(deviation, shifts, percentiles, iqr, mean, over(every, lambda table: table.max(axis=0)))


def spread_rows(spread: Spread, template: Estimate, dataset: str, level: float) -> Iterator[Estimate]:
    """Rows of the tidy table; ``n`` is the number of (system, data set) pairs.

    ``shift_p05:METRIC`` to ``shift_p95:METRIC`` and ``iqr:METRIC`` a variation, ``iqr_mean:METRIC`` and
    ``iqr_max:METRIC`` over them, in units of the metric's standard deviation, which is ``sd:METRIC``.
    """
    metric = template.metric
    base = replace(template, dataset=dataset, model=ALL_SYSTEMS, level=level, direction="")
    pairs = len(next(iter(spread.shifts.values())))
    yield filled(replace(base, metric=f"sd:{metric}", condition=ORIGINAL), spread.deviation, level, pairs)
    for variation, held in spread.percentiles.items():
        count = len(spread.shifts[variation])
        for share, one in held.items():
            row = replace(base, metric=f"shift_p{share:02d}:{metric}", condition=variation, comparator=ORIGINAL)
            yield filled(row, one, level, count)
        row = replace(base, metric=f"iqr:{metric}", condition=variation, comparator=ORIGINAL)
        yield filled(row, spread.iqr[variation], level, count)
    yield filled(replace(base, metric=f"iqr_mean:{metric}", comparator=ORIGINAL), spread.mean_iqr, level, pairs)
    yield filled(replace(base, metric=f"iqr_max:{metric}", comparator=ORIGINAL), spread.max_iqr, level, pairs)


def filled(row: Estimate, distribution: Distribution, level: float, n: int) -> Estimate:
    """A row with value and interval of a distribution."""
    result: BootstrapResult = distribution.summary(level)
    method = f"paired bootstrap of groups, {result.resamples} resamples, percentile"
    return replace(
        row,
        value=result.value,
        ci_low=result.ci_low,
        ci_high=result.ci_high,
        n=n,
        groups=result.groups,
        method=f"{method}; {result.note}" if result.note else method,
    )


def over(several: Sequence[Distribution], reduce: Reduce) -> Distribution:
    """One number of several distributions of one plan, on the data and on every resample.

    Examples
    --------
    >>> two = [Distribution(1.0, np.asarray([1.0, 3.0]), 5), Distribution(3.0, np.asarray([5.0, 5.0]), 5)]
    >>> over(two, lambda table: table.mean(axis=0)).samples.tolist()
    [3.0, 4.0]
    """
    value = reduce(np.asarray([[one.value] for one in several], dtype=np.float64))
    samples = reduce(np.stack([one.samples for one in several]))
    return Distribution(float(value[0]), samples, max(one.groups for one in several))


def _scaled(shift: Distribution, deviation: Distribution) -> Distribution:
    with np.errstate(divide="ignore", invalid="ignore"):
        samples = np.where(deviation.samples > 0.0, shift.samples / deviation.samples, np.nan)
    return Distribution(shift.value / deviation.value, samples, shift.groups, shift.note)


def _percentile(several: Sequence[Distribution], share: int) -> Distribution:
    return over(several, lambda table: np.asarray(np.percentile(table, share, axis=0), dtype=np.float64))
