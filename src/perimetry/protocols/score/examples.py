"""The reports that differ most: between systems, and between metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.score.scored import Scored
from perimetry.scoring.labels.f1 import LabelF1

__all__ = ["PER_KIND", "Example", "choose_examples", "standings"]

Numbers = NDArray[np.float64]

PER_KIND = 8
"""Reports shown of each kind."""


@dataclass(frozen=True, slots=True)
class Example:
    """A report worth a look.

    Parameters
    ----------
    row : int
        Its position.
    note : str
        Why.
    """

    row: int
    note: str


def standings(scored: Scored) -> dict[str, Numbers]:
    """Where each value stands among all values of its metric: 0 the worst, 1 the best, nan where there is none.

    Returns
    -------
    dict of label to float array, (systems, reports)
        Metrics without a direction, and those whose values are all alike, are left out.
    """
    found = {}
    for named in scored.metrics:
        if named.info.direction == "neutral":
            continue
        values = np.stack([scored.tables[named.label][system].values for system in scored.systems])
        if named.info.direction == "lower":
            values = -values
        known = values[~np.isnan(values)]
        order = np.sort(known)
        if not known.size or order[0] == order[-1]:
            continue
        below = np.searchsorted(order, values, side="left")
        upto = np.searchsorted(order, values, side="right")
        found[named.label] = np.where(np.isnan(values), np.nan, (below + upto) / (2.0 * known.size))
    return found


def choose_examples(scored: Scored, per_kind: int = PER_KIND) -> tuple[Example, ...]:
    """Reports on which the systems differ most, then those on which the metrics do.

    With one system, the best and the worst take the place of the former. The distance of two systems is that of their
    `standings`, averaged over the metrics that both have; that of two metrics sets a metric of words against one of
    labels where the run has both.

    Parameters
    ----------
    scored : Scored
    per_kind : int
    """
    placed = standings(scored)
    if not placed:
        return tuple(Example(row, "no metric tells reports apart") for row in range(min(per_kind, len(scored.reports))))
    whole = np.stack(list(placed.values()))
    chosen: dict[int, str] = {}
    kinds = _by_systems(scored, whole) if len(scored.systems) > 1 else _by_value(whole)
    for offered in (kinds, _by_metrics(scored, placed)):
        taken = 0
        for row, note in offered:
            if taken >= per_kind:
                break
            if row not in chosen:
                chosen[row] = note
                taken += 1
    return tuple(Example(row, note) for row, note in chosen.items())


def _by_systems(scored: Scored, whole: Numbers) -> Iterator[tuple[int, str]]:
    with np.errstate(invalid="ignore"):
        mean = _mean_over_metrics(whole)
    filled_low = np.where(np.isnan(mean), np.inf, mean)
    filled_high = np.where(np.isnan(mean), -np.inf, mean)
    spread = filled_high.max(axis=0) - filled_low.min(axis=0)
    for row in _largest(spread, scored.reports.ids):
        best = scored.systems[int(filled_high[:, row].argmax())]
        worst = scored.systems[int(filled_low[:, row].argmin())]
        yield row, f"the systems differ: {best} best, {worst} worst over all metrics"


def _by_value(whole: Numbers) -> Iterator[tuple[int, str]]:
    mean = _mean_over_metrics(whole)[0]
    order = np.argsort(np.where(np.isnan(mean), np.inf, mean), kind="stable")
    worst = [int(row) for row in order if not np.isnan(mean[row])]
    for low, high in zip(worst, reversed(worst), strict=True):
        if mean[low] >= mean[high]:
            return
        yield low, "among the worst over all metrics"
        yield high, "among the best over all metrics"


def _by_metrics(scored: Scored, placed: Mapping[str, Numbers]) -> Iterator[tuple[int, str]]:
    by_labels = [named.label for named in scored.metrics if isinstance(named.metric, LabelF1)]
    firsts = [label for label in placed if label not in by_labels]
    others = [label for label in placed if label in by_labels] or firsts[1:]
    if not firsts or not others:
        return
    # In turn: each system praised by the first kind of metric only, then by the second only; then the next of each.
    turns = [_widest(scored, placed, pair) for pair in ((firsts, others), (others, firsts))]
    for rank in range(len(scored.reports)):
        for turn in turns:
            for listed in turn:
                if rank < len(listed):
                    yield listed[rank]


def _widest(
    scored: Scored, placed: Mapping[str, Numbers], kinds: tuple[Sequence[str], Sequence[str]]
) -> list[list[tuple[int, str]]]:
    """For each system, its reports by how much better a metric of the first kind places them than one of the second."""
    found = []
    for place, system in enumerate(scored.systems):
        sizes = np.zeros(len(scored.reports))
        pair: dict[int, tuple[str, str]] = {}
        for high in kinds[0]:
            for low in kinds[1]:
                gaps = placed[high][place] - placed[low][place]
                for row in np.flatnonzero(gaps > sizes).tolist():
                    sizes[row] = gaps[row]
                    pair[row] = (high, low)
        listed = []
        for row in _largest(sizes, scored.reports.ids):
            if row not in pair:
                break
            high, low = pair[row]
            upper = max(1, round(100 * (1 - placed[high][place, row])))
            lower = max(1, round(100 * placed[low][place, row]))
            where = f"in the upper {upper}% by {high}, in the lower {lower}% by {low}"
            listed.append((row, f"the metrics differ: {system} is {where}"))
        found.append(listed)
    return found


def _mean_over_metrics(whole: Numbers) -> Numbers:
    """Mean standing over the metrics that have one: (systems, reports)."""
    known = ~np.isnan(whole)
    count = known.sum(axis=0)
    total = np.where(known, whole, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0), dtype=np.float64)


def _largest(sizes: Numbers, ids: Sequence[str]) -> list[int]:
    """Rows by falling size; equal ones by id, so that the order of the file decides nothing."""
    return [row for row in sorted(range(len(ids)), key=lambda row: (-sizes[row], ids[row])) if np.isfinite(sizes[row])]
