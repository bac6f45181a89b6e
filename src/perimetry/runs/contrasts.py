"""From per-item statistics to estimates: one place where every audit's intervals are made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from perimetry.runs.estimates import Estimate
from perimetry.runs.finishing import finish_of, pooled_of
from perimetry.runs.terms import Contrast, Items, Pair, RateTerm, Term
from perimetry.statistics import (
    BootstrapResult,
    Distribution,
    Finish,
    ResampledSums,
    Resampling,
    holm,
    mcnemar,
)

__all__ = [
    "Contrast",
    "Drawn",
    "Items",
    "Pair",
    "RateTerm",
    "Term",
    "draw_contrasts",
    "estimate_contrasts",
    "with_holm",
]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

# One batch of columns and its resampled sums stay below this many bytes.
BATCH_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One estimate of a contrast, and the resamples that its interval is of.

    Parameters
    ----------
    contrast : Contrast
    estimate : Estimate
    distribution : Distribution or None
        None where no item could be used. Distributions of one call belong to the same resamples.
    """

    contrast: Contrast
    estimate: Estimate
    distribution: Distribution | None


def estimate_contrasts(
    contrasts: Sequence[Contrast],
    items: Items,
    *,
    resamples: int = 10_000,
    seed: int = 42,
    level: float = 0.95,
    pool: bool = False,
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
    pool : bool, default False
        Whether a row ``pooled`` follows ``macro``: all items alike, whatever data set they are of.

    Returns
    -------
    list of Estimate
        For each contrast one row a data set, then ``macro``, then ``pooled`` if it was asked for.
    """
    drawn = draw_contrasts(contrasts, items, resamples=resamples, seed=seed, level=level, pool=pool)
    return with_holm([one.estimate for one in drawn])


def draw_contrasts(
    contrasts: Iterable[Contrast],
    items: Items,
    *,
    resamples: int = 10_000,
    seed: int = 42,
    level: float = 0.95,
    average: bool = True,
    pool: bool = False,
) -> Iterator[Drawn]:
    """Estimate as `estimate_contrasts` does, one at a time and with the resamples; Holm's adjustment is the caller's.

    Parameters
    ----------
    contrasts : iterable of Contrast
        A generator keeps memory small: no more of them are held at a time than fit beside their resamples.
    items, resamples, seed, level
        See `estimate_contrasts`.
    average : bool, default True
        Whether the macro-mean over data sets follows the data sets of each contrast.
    pool : bool, default False
        Whether the rate over all items alike follows then. A term whose rate is each data set's own is not pooled.

    Yields
    ------
    Drawn
        The columns of a `RateTerm` are not in its contrast any more.
    """
    if not items.datasets:
        return
    plan = Resampling.from_groups(items.groups, items.datasets, resamples=resamples, seed=seed)
    batch = _Batch(plan, items, level, average, pool)
    for contrast in contrasts:
        keyed = [[(_key(values), values) for values in term.columns] for term in contrast.terms]
        if not batch.has_room(keyed):
            yield from batch.drawn()
            batch = _Batch(plan, items, level, average, pool)
        batch.add(contrast, keyed)
    yield from batch.drawn()


def _key(values: Numbers) -> bytes:
    """The same for equal columns; a digest, since columns of many items are long."""
    return hashlib.blake2b(values.tobytes(), digest_size=16).digest()


class _Batch:
    """Contrasts whose columns fit into memory together; equal columns are resampled once."""

    def __init__(self, plan: Resampling, items: Items, level: float, average: bool, pool: bool) -> None:
        self.plan = plan
        self.level = level
        self.averages = ("macro",) * average + ("pooled",) * pool
        names = np.array(items.datasets)
        self.masks = {name: names == name for name in plan.strata}
        self.whole = np.ones(len(names), dtype=bool)
        self.columns: list[Numbers] = []
        self.known: dict[bytes, int] = {}
        self.contrasts: list[tuple[Contrast, list[list[int]]]] = []

    def has_room(self, keyed: Sequence[Sequence[tuple[bytes, Numbers]]]) -> bool:
        """Whether the columns of one more contrast fit; those of the first one always do."""
        fresh = {key for term in keyed for key, _ in term} - self.known.keys()
        per_column = 8 * (self.plan.resamples * len(self.plan.strata) + self.plan.items)
        return not self.contrasts or (len(self.columns) + len(fresh)) * per_column <= BATCH_BYTES

    def add(self, contrast: Contrast, keyed: Sequence[Sequence[tuple[bytes, Numbers]]]) -> None:
        """Take a contrast in."""
        for term in keyed:
            for key, values in term:
                if key not in self.known:
                    self.known[key] = len(self.columns)
                    self.columns.append(values)
        # Many contrasts share columns: each is held once.
        terms = tuple(replace(term, columns=()) if isinstance(term, RateTerm) else term for term in contrast.terms)
        places = [[self.known[key] for key, _ in term] for term in keyed]
        self.contrasts.append((replace(contrast, terms=terms), places))

    def drawn(self) -> Iterator[Drawn]:
        """Estimate every contrast of the batch."""
        if not self.contrasts:
            return
        sums = self.plan.resample(np.column_stack(self.columns))
        for contrast, places in self.contrasts:
            yield from self._drawn(contrast, places, sums)

    def _drawn(self, contrast: Contrast, places: list[list[int]], sums: ResampledSums) -> Iterator[Drawn]:
        plan = self.plan
        counted = np.zeros(len(self.whole), dtype=bool)
        for term in contrast.terms:
            counted |= term.counted
        order = list(dict.fromkeys(index for place in places for index in place))
        seen = [[order.index(index) for index in place] for place in places]
        usable = [name for name in plan.strata if bool(np.any(counted & self.masks[name]))]
        distribution: Distribution | None = None
        for name in plan.strata:
            row, distribution = self._counts(contrast, counted & self.masks[name], self.masks[name]), None
            if name in usable:
                distribution = sums.distribution(finish_of(contrast.terms, seen, [name]), columns=order, strata=[name])
                row = _filled(row, distribution.summary(self.level), contrast, self.masks[name], plan)
            yield Drawn(contrast, replace(row, dataset=name, level=self.level, seed=plan.seed), distribution)
        for name in self.averages:
            row = self._counts(contrast, counted, self.whole)
            finish = self._finish_over(name, contrast, seen, usable)
            if len(plan.strata) > 1:  # over one data set it is that data set's own number, resample by resample
                distribution = None if finish is None else sums.distribution(finish, columns=order, strata=usable)
            if distribution is not None:
                alone = contrast if len(plan.strata) == 1 or name == "pooled" else replace(contrast, pair=None)
                row = _filled(row, distribution.summary(self.level), alone, counted, plan)
            yield Drawn(contrast, replace(row, dataset=name, level=self.level, seed=plan.seed), distribution)

    def _finish_over(
        self, name: str, contrast: Contrast, places: Sequence[Sequence[int]], usable: Sequence[str]
    ) -> Finish | None:
        """The finish of a row over several data sets; None where there is nothing to compute."""
        if not usable:
            return None
        return pooled_of(contrast.terms, places) if name == "pooled" else finish_of(contrast.terms, places, usable)

    def _counts(self, contrast: Contrast, used: Flags, mask: Flags) -> Estimate:
        groups = np.unique(self.plan.codes[used]).size
        return replace(
            contrast.estimate, n=int(used.sum()), groups=int(groups), missing=int((contrast.missing & mask).sum())
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


def with_holm(rows: list[Estimate]) -> list[Estimate]:
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
