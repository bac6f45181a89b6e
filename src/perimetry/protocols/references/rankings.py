"""Which conclusions turn: pairs of systems, ranks and reversals under every variation (ReRef, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.references.drawn import Drawing
from perimetry.protocols.references.spread import ALL_SYSTEMS, filled
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.runs.estimates import Estimate
from perimetry.statistics import (
    ROUND_OFF,
    Comparison,
    Distribution,
    RankSummary,
    compare_models,
    kendall_tau,
    rank_models,
    reversals,
)

__all__ = ["Change", "Order", "PairTurn", "order_rows", "orders"]

Numbers = NDArray[np.float64]

Change = Literal["kept", "lost", "lost_to_zero", "gained", "flipped", "undefined"]
"""What became of a pair's verdict.

``lost``: from a win or a loss to a tie; ``lost_to_zero``: to a tie of two systems that both score zero, which says
nothing of either; ``gained``: from a tie; ``flipped``: from a win to a loss or back.
"""


@dataclass(frozen=True, slots=True)
class PairTurn:
    """A pair of systems under the originals and under a variation.

    Parameters
    ----------
    before, after : Comparison
    change : Change
    turned : bool
        Whether the system ahead on the data falls behind.
    share : float
        Share of resamples in which it does.
    """

    before: Comparison
    after: Comparison
    change: Change
    turned: bool
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The systems of a data set under one variation, by one metric.

    Parameters
    ----------
    dataset, condition : str
        ``original`` for the references as they are: then nothing turns.
    ranks : tuple of RankSummary
    pairs : tuple of PairTurn
    plain, by_verdict, flips : int
        Reversed pairs; those whose verdict changes too; those that go from a win to a loss or back.
    resampled : Distribution
        Reversed pairs, resample by resample, both sides of each from the same resample.
    tau : Distribution
        Kendall's tau-b between the orders under the originals and under the variation.
    """

    dataset: str
    condition: str
    ranks: tuple[RankSummary, ...]
    pairs: tuple[PairTurn, ...]
    plain: int
    by_verdict: int
    flips: int
    resampled: Distribution
    tau: Distribution

    def count(self, *changes: Change) -> int:
        """Pairs whose verdict became so."""
        return sum(pair.change in changes for pair in self.pairs)


def orders(drawing: Drawing, variations: Sequence[str], *, direction: str, level: float) -> tuple[Order, ...]:
    """The order of the systems under the originals and every variation, a data set; none by a metric without direction.

    A study without an alternative keeps its original score, so that all studies count.
    """
    if direction == "neutral":
        return ()
    higher = direction == "higher"
    found = []
    for dataset in drawing.datasets():
        held = {
            condition: {
                system: one.distribution
                for (name, system, of), one in drawing.levels.items()
                if name == dataset and of == condition and not np.isnan(one.distribution.value)
            }
            for condition in (ORIGINAL, *variations)
        }
        if len(held[ORIGINAL]) < 2:
            continue
        first = compare_models(held[ORIGINAL], higher_is_better=higher, level=level)
        for condition, systems in held.items():
            if systems.keys() == held[ORIGINAL].keys():
                ranks = rank_models(systems, higher_is_better=higher, level=level)
                found.append(_order(dataset, condition, ranks, first, held[ORIGINAL], systems, higher, level))
    return tuple(found)


def order_rows(order: Order, template: Estimate, level: float, n: int, missing: int) -> Iterator[Estimate]:
    """Rows of the tidy table.

    The gap of each pair under the metric's own name; ``rank:METRIC``; and against the originals, in pairs:
    ``reversals:METRIC`` with the interval of its resamples, ``reversals_by_verdict:METRIC``, ``flips:METRIC``,
    ``lost:METRIC``, ``lost_to_zero:METRIC``, ``gained:METRIC``; ``kendall_tau:METRIC``.
    """
    metric = template.metric
    base = replace(template, dataset=order.dataset, condition=order.condition, level=level, n=n, missing=missing)
    for turn in order.pairs:
        gap = turn.after.gap
        yield replace(
            base,
            model=turn.after.left,
            comparator=f"model:{turn.after.right}",
            value=gap.value,
            ci_low=gap.ci_low,
            ci_high=gap.ci_high,
            groups=gap.groups,
            p_positive=gap.p_positive,
            method=f"paired bootstrap of groups, {gap.resamples} resamples, percentile",
        )
    for rank in order.ranks:
        yield replace(
            base,
            metric=f"rank:{metric}",
            model=rank.name,
            value=rank.rank,
            ci_low=rank.ci_low,
            ci_high=rank.ci_high,
            direction="lower",
            method=f"rank on each of {order.resampled.samples.size} resamples of groups, percentile",
        )
    if order.condition == ORIGINAL:
        return
    whole = replace(base, model=ALL_SYSTEMS, comparator=ORIGINAL, direction="")
    yield filled(replace(whole, metric=f"reversals:{metric}"), order.resampled, level, n)
    counts = {
        "reversals_by_verdict": order.by_verdict,
        "flips": order.flips,
        "lost": order.count("lost"),
        "lost_to_zero": order.count("lost_to_zero"),
        "gained": order.count("gained"),
    }
    for name, count in counts.items():
        yield replace(
            whole, metric=f"{name}:{metric}", value=count, method=f"of {len(order.pairs)} pairs, by intervals"
        )
    yield filled(replace(whole, metric=f"kendall_tau:{metric}"), order.tau, level, n)


def _order(
    dataset: str,
    condition: str,
    ranks: tuple[RankSummary, ...],
    first: Sequence[Comparison],
    originals: Mapping[str, Distribution],
    systems: Mapping[str, Distribution],
    higher: bool,
    level: float,
) -> Order:
    second = compare_models(systems, higher_is_better=higher, level=level)
    counted = reversals(first, second)
    before, after = _leads(originals), _leads(systems)
    turned = before * after < 0
    shares = turned.mean(axis=1)
    pairs = tuple(
        PairTurn(
            one,
            two,
            _change(one, two, systems),
            (one.left, one.right) in counted.reversed_pairs,
            float(share),
        )
        for one, two, share in zip(first, second, shares, strict=True)
    )
    groups = max(one.groups for one in systems.values())
    known = ~np.isnan(before).any(axis=0) & ~np.isnan(after).any(axis=0)
    count = np.where(known, turned.sum(axis=0), np.nan)
    names = list(systems)
    tau = kendall_tau([originals[name].value for name in names], [systems[name].value for name in names])
    return Order(
        dataset,
        condition,
        ranks,
        pairs,
        counted.plain,
        counted.by_verdict,
        counted.flips,
        Distribution(float(counted.plain), count, groups),
        Distribution(tau, _taus(before, after), groups),
    )


def _leads(systems: Mapping[str, Distribution]) -> Numbers:
    """Sign of each pair's gap, resample by resample: (pairs, resamples)."""
    gaps = [one.samples - two.samples for one, two in combinations(systems.values(), 2)]
    table = np.stack(gaps)
    return np.where(np.abs(table) <= ROUND_OFF, 0.0, np.sign(table))


def _taus(before: Numbers, after: Numbers) -> Numbers:
    """Kendall's tau-b of every resample, from the signs of the pairs."""
    scale = np.sqrt((before != 0).sum(axis=0) * (after != 0).sum(axis=0).astype(np.float64))
    total = (before * after).sum(axis=0)
    return np.asarray(np.divide(total, scale, out=np.full(scale.shape, np.nan), where=scale > 0), dtype=np.float64)


def _change(before: Comparison, after: Comparison, systems: Mapping[str, Distribution]) -> Change:
    if "undefined" in (before.verdict, after.verdict):
        return "undefined"
    if before.verdict == after.verdict:
        return "kept"
    if after.verdict == "tie":
        zero = all(abs(systems[name].value) <= ROUND_OFF for name in (after.left, after.right))
        return "lost_to_zero" if zero else "lost"
    return "gained" if before.verdict == "tie" else "flipped"
