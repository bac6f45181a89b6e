"""From per-item statistics to estimates: one place where every audit's intervals are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from perimetry.runs.estimates import Estimate
from perimetry.statistics import BootstrapResult, Resampling, difference, holm, macro, mcnemar, pooled, ratio
from perimetry.statistics.finishes import Rate

__all__ = ["Contrast", "Items", "Pair", "Term", "estimate_contrasts"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Resampled sums of one batch of columns stay below this many bytes.
BATCH_BYTES = 200_000_000


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
    """One metric of one model: a signed sum of ratios.

    Parameters
    ----------
    estimate : Estimate
        Names, direction and version; its numbers are filled in.
    terms : tuple of Term
    missing : bool array, (items,)
        Items left out because a request failed (not those to which a condition does not apply).
    pair : Pair or None
        For a p value by McNemar's exact test.
    difference : bool, default False
        Whether zero is its neutral point: only then is the share of resamples above zero given.
    """

    estimate: Estimate
    terms: tuple[Term, ...]
    missing: Flags = field(repr=False)
    pair: Pair | None = None
    difference: bool = False


def estimate_contrasts(
    contrasts: Sequence[Contrast],
    items: Items,
    *,
    resamples: int = 10_000,
    seed: int = 42,
    level: float = 0.95,
) -> list[Estimate]:
    """Estimate every contrast for each data set and as the macro-mean over data sets.

    The same resamples of groups within data sets serve all contrasts (CORAL section 3.4), so that any two of them
    are paired. A data set in which no item can be used gives an empty estimate and leaves the macro-mean.

    Parameters
    ----------
    contrasts : sequence of Contrast
    items : Items
    resamples : int, default 10,000
    seed : int, default 42
    level : float, default 0.95

    Returns
    -------
    list of Estimate
        For each contrast one row a data set, then ``macro``.
    """
    if not contrasts or not items.datasets:
        return []
    plan = Resampling.from_groups(items.groups, items.datasets, resamples=resamples, seed=seed)
    rows: list[Estimate] = []
    per_column = 8 * resamples * len(plan.strata)
    batch: list[Contrast] = []
    columns = 0
    for contrast in contrasts:
        width = 2 * len(contrast.terms)
        if batch and (columns + width) * per_column > BATCH_BYTES:
            rows += _estimate_batch(batch, items, plan, level)
            batch, columns = [], 0
        batch.append(contrast)
        columns += width
    rows += _estimate_batch(batch, items, plan, level)
    return _with_holm(rows)


def _estimate_batch(contrasts: Sequence[Contrast], items: Items, plan: Resampling, level: float) -> list[Estimate]:
    """Estimate contrasts whose columns fit into memory together; equal columns are resampled once."""
    columns: list[Numbers] = []
    known: dict[bytes, int] = {}

    def column(values: Numbers) -> int:
        key = values.tobytes()
        if key not in known:
            known[key] = len(columns)
            columns.append(values)
        return known[key]

    places = [
        [(column(term.numerator), column(term.denominator), term.sign) for term in contrast.terms]
        for contrast in contrasts
    ]
    sums = plan.resample(np.column_stack(columns))
    names = np.array(items.datasets)
    masks = {name: names == name for name in plan.strata}
    rows: list[Estimate] = []
    for contrast, place in zip(contrasts, places, strict=True):
        counted = np.zeros(len(names), dtype=bool)
        for term in contrast.terms:
            counted |= term.denominator > 0
        order = list(dict.fromkeys(index for numerator, denominator, _ in place for index in (numerator, denominator)))
        rate = _rate([(order.index(a), order.index(b), sign) for a, b, sign in place])
        usable = [name for name in plan.strata if bool(np.any(counted & masks[name]))]
        for name in plan.strata:
            row = _counts(contrast, counted & masks[name], masks[name], items)
            if name in usable:
                result = sums.estimate(pooled(rate), columns=order, strata=[name], level=level)
                row = _filled(row, result, contrast, masks[name], plan)
            rows.append(replace(row, dataset=name, level=level, seed=plan.seed))
        row = _counts(contrast, counted, np.ones(len(names), dtype=bool), items)
        if usable:
            result = sums.estimate(macro(rate), columns=order, strata=usable, level=level)
            whole = contrast if len(plan.strata) == 1 else replace(contrast, pair=None)
            row = _filled(row, result, whole, counted, plan)
        rows.append(replace(row, dataset="macro", level=level, seed=plan.seed))
    return rows


def _rate(places: Sequence[tuple[int, int, int]]) -> Rate:
    """The signed sum of ratios as a rate over resampled columns."""
    numerator, denominator, _ = places[0]
    rate = ratio(numerator, denominator)
    for numerator, denominator, sign in places[1:]:
        if sign != -1:
            raise ValueError("terms after the first are taken away: their sign is -1")
        rate = difference(rate, ratio(numerator, denominator))
    return rate


def _counts(contrast: Contrast, used: Flags, mask: Flags, items: Items) -> Estimate:
    groups = {(items.datasets[index], items.groups[index]) for index in np.flatnonzero(used)}
    return replace(
        contrast.estimate, n=int(used.sum()), groups=len(groups), missing=int((contrast.missing & mask).sum())
    )


def _filled(row: Estimate, result: BootstrapResult, contrast: Contrast, mask: Flags, plan: Resampling) -> Estimate:
    method = f"paired bootstrap of groups, {plan.resamples} resamples, percentile"
    p_value = float("nan")
    pair = contrast.pair
    if pair is not None:
        both = pair.both & mask
        gained = int((pair.first & ~pair.second & both).sum())
        lost = int((~pair.first & pair.second & both).sum())
        p_value = mcnemar(gained, lost)
        method += "; exact McNemar"
    return replace(
        row,
        value=result.value,
        ci_low=result.ci_low,
        ci_high=result.ci_high,
        p_positive=result.p_positive if contrast.difference else float("nan"),
        p_value=p_value,
        method=method if not result.note else f"{method}; {result.note}",
    )


def _with_holm(rows: list[Estimate]) -> list[Estimate]:
    """Add Holm's adjustment within each family: one metric on one data set, over all models and conditions."""
    families: dict[tuple[str, str, str], list[int]] = {}
    for index, row in enumerate(rows):
        if row.p_value == row.p_value:
            families.setdefault((row.metric, row.dataset, row.stratum), []).append(index)
    adjusted = list(rows)
    for members in families.values():
        values = holm([rows[index].p_value for index in members])
        for index, value in zip(members, values, strict=True):
            adjusted[index] = replace(rows[index], p_holm=float(value))
    return adjusted
