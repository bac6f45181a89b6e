"""Estimates of a review: shares of each rating, mean scores, originals against alternatives, agreement."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from perimetry.builders.review.summary import wilson
from perimetry.protocols.review.outcomes import HOWS, Settled
from perimetry.protocols.review.pairs import variations
from perimetry.protocols.review.study import ReviewStudy, ReviewTask
from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, RateTerm, Term
from perimetry.statistics import agreement_columns, holm, kappa, two_sided_p
from perimetry.statistics.agreement import Weights

__all__ = ["ALIKE", "IN_PAIRS", "NO_WORSE", "PROTOCOL", "VERSION", "estimate_review"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

PROTOCOL = "review"
VERSION = "review-2"
RATERS = "raters"
NO_WORSE = "no_worse"
"""Share of pairs whose alternative is rated no worse than its original (ReRef section 4.1)."""
IN_PAIRS = "in_pairs"
"""Mean score of one side over the pairs that the difference is of: those with a consensus on both sides."""
ALIKE = "equal in all studies"
"""How the method of a value begins whose resamples are all the same, so that they say nothing of its precision."""
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class _Table:
    """The items of one task as columns.

    Parameters
    ----------
    held : ReviewTask
    settled : sequence of Settled
    strata : dict of str to bool array, (items,)
        ``all``, then each variation.
    items : Items
    """

    held: ReviewTask
    settled: Sequence[Settled]
    strata: dict[str, Flags]
    items: Items

    @property
    def open(self) -> Flags:
        """Items without a consensus."""
        return np.array([each.value is None for each in self.settled], dtype=bool)

    def side(self, name: str) -> Flags:
        """Items of one side."""
        return np.array([each.side == name for each in self.settled], dtype=bool)


def estimate_review(
    study: ReviewStudy, settled: Sequence[Settled], *, resamples: int = 10_000, seed: int = 42, level: float = 0.95
) -> list[Estimate]:
    """Estimate what a review came to, for each data set, as their mean (``macro``) and over all items (``pooled``).

    Rows of the tidy table, with the task's name as TASK: ``TASK=VALUE`` (share of a rating), ``TASK`` (mean score,
    where the ratings have an order), and for tasks that show each side ``TASK`` of ``alternative`` against
    ``original``, ``TASK_in_pairs`` (both sides of that difference, on the same pairs) and ``TASK_no_worse``.
    ``condition`` is ``original``, ``alternative`` or ``pair``; strata are ``all`` and each variation.

    Agreement, over all items of the task that ``condition`` names: ``agreement_unanimous``, ``agreement_majority`` and
    ``agreement_adjudicated`` (shares of the settled items), ``agreement_first_two`` (share of equal first ratings),
    ``kappa`` of the first two ratings, and ``kappa_linear`` where they have an order; for two raters with first
    ratings in common ``agreement`` and ``kappa`` with their names in ``model`` and ``comparator``.

    Parameters
    ----------
    study : ReviewStudy
    settled : sequence of Settled
    resamples, seed, level
        Of the paired bootstrap over groups (studies, or what the pairs call a group) within data sets. Where all
        groups are alike every resample gives the same number, which does not make it exact: a share then has Wilson's
        interval over groups, and a mean, a difference or kappa has none; its method begins with `ALIKE`.

    Returns
    -------
    list of Estimate
    """
    rows: list[Estimate] = []
    for held in study.tasks:
        mine = [each for each in settled if each.task == held.task.name]
        for table, contrasts in _tables(study, held, mine):
            rows += _drawn(contrasts, table.items, resamples, seed, level)
    return _with_holm(rows)


def _drawn(contrasts: Sequence[Contrast], items: Items, resamples: int, seed: int, level: float) -> Iterator[Estimate]:
    single = len(set(items.datasets)) == 1
    for one in draw_contrasts(contrasts, items, resamples=resamples, seed=seed, level=level, pool=True):
        row = one.estimate
        if single and row.dataset in ("macro", "pooled"):
            continue
        if one.contrast.difference and one.distribution is not None and one.distribution.groups > 1:
            p_value = two_sided_p(one.distribution.samples)
            row = replace(row, p_value=p_value, method=f"{row.method}; two-sided p of the resamples")
        yield _honest(row, level)


def _honest(row: Estimate, level: float) -> Estimate:
    """The same, or without its interval of no width; a share of one data set or of pooled items gets Wilson's."""
    if not abs(row.ci_high - row.ci_low) < _TINY and not (_is_share(row) and row.value in (0.0, 1.0)):
        return row
    low, high, p_value, method = math.nan, math.nan, row.p_value, f"{ALIKE}: no interval"
    if _is_share(row) and row.dataset != "macro":
        low, high = wilson(row.value * row.groups, row.groups, level)
        low, high = min(low, row.value), max(high, row.value)  # round-off keeps the formula from its own end
        method = f"{ALIKE}: Wilson's interval over groups"
    elif row.comparator == "original" and row.value != 0.0:
        # Resamples that all fall on one side would give the smallest p there is, of two pairs as of two hundred.
        p_value, method = min(1.0, 2.0 * 0.5**row.groups), f"{method}; two-sided sign test over groups"
    return replace(row, ci_low=low, ci_high=high, p_value=p_value, method=method)


def _is_share(row: Estimate) -> bool:
    return "=" in row.metric or row.metric.startswith("agreement") or row.metric.endswith(NO_WORSE)


def _tables(
    study: ReviewStudy, held: ReviewTask, settled: Sequence[Settled]
) -> Iterator[tuple[_Table, list[Contrast]]]:
    table = _table(study, held, settled)
    yield table, [*_shares(table), *_scores(table), *_agreement(table), *_two_by_two(table)]
    if held.task.shows == "each":
        yield _against(study, held, settled)


def _table(study: ReviewStudy, held: ReviewTask, settled: Sequence[Settled]) -> _Table:
    pairs = [study.pairs[each.item.pair] for each in settled]
    strata = {"all": np.ones(len(pairs), dtype=bool)}
    for name in variations(study.pairs):
        strata[name] = np.array([pair.variation == name for pair in pairs], dtype=bool)
    items = Items(tuple(pair.dataset or "review" for pair in pairs), tuple(pair.group for pair in pairs))
    return _Table(held, settled, strata, items)


def _shares(table: _Table) -> Iterator[Contrast]:
    given = np.array([each.value or "" for each in table.settled], dtype=object)
    for side in dict.fromkeys(each.side for each in table.settled):
        for stratum, mask in table.strata.items():
            used = mask & table.side(side)
            for choice in table.held.task.ratings:
                row = _row(f"{table.held.task.name}={choice.value}", condition=side, stratum=stratum)
                yield _mean(row, (given == choice.value).astype(np.float64), used, table.open)


def _scores(table: _Table) -> Iterator[Contrast]:
    task = table.held.task
    if not task.ordered:
        return
    score = np.array([0.0 if each.value is None else task.scores[each.value] for each in table.settled])
    for side in dict.fromkeys(each.side for each in table.settled):
        for stratum, mask in table.strata.items():
            row = _row(task.name, condition=side, stratum=stratum, direction="higher")
            yield _mean(row, score, mask & table.side(side), table.open)


def _agreement(table: _Table) -> Iterator[Contrast]:
    name = table.held.task.name
    everything = np.ones(len(table.settled), dtype=bool)
    for how in HOWS:
        said = np.array([each.how == how for each in table.settled], dtype=np.float64)
        direction = {"unanimous": "higher", "adjudicated": "lower"}.get(how, "")
        yield _mean(_row(f"agreement_{how}", condition=name, direction=direction), said, everything, table.open)
    first = [each.values[0] if each.values else None for each in table.settled]
    second = [each.values[1] if len(each.values) > 1 else None for each in table.settled]
    yield from _of_two(table, first, second, _row("agreement_first_two", condition=name))


def _two_by_two(table: _Table) -> Iterator[Contrast]:
    """Any two raters on the items whose first two ratings are theirs: later ones are of disputed items only."""
    by_rater: dict[str, dict[str, str]] = {}
    for each in table.settled:
        for rating in each.ratings[:2]:
            if rating is not None:
                by_rater.setdefault(rating.rater, {})[each.item.id] = rating.value
    names = sorted(by_rater)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            if by_rater[one].keys() & by_rater[other].keys():
                left = [by_rater[one].get(each.item.id) for each in table.settled]
                right = [by_rater[other].get(each.item.id) for each in table.settled]
                row = replace(
                    _row("agreement", condition=table.held.task.name),
                    model=f"rater:{one}",
                    comparator=f"model:rater:{other}",
                )
                yield from _of_two(table, left, right, row)


def _of_two(
    table: _Table, left: Sequence[str | None], right: Sequence[str | None], row: Estimate
) -> Iterator[Contrast]:
    row = replace(row, direction="higher")
    values = table.held.task.values
    both = np.array([a is not None and b is not None for a, b in zip(left, right, strict=True)], dtype=bool)
    same = np.array([a == b for a, b in zip(left, right, strict=True)], dtype=np.float64)
    # Items that the two did not both rate are no failure of theirs: they are not counted as missing.
    none_missing = np.zeros(len(both), dtype=bool)
    yield _mean(row, same, both, none_missing)
    cells = agreement_columns(left, right, values)
    columns = tuple(np.ascontiguousarray(cells[:, k]) for k in range(cells.shape[1]))
    weights: list[tuple[str, Weights]] = [("kappa", "none")]
    weights += [("kappa_linear", "linear")] if table.held.task.ordered and len(values) > 2 else []
    for metric, weight in weights:
        term = RateTerm(columns, kappa(len(values), weight), both)
        yield Contrast(replace(row, metric=metric), (term,), none_missing)


def _against(study: ReviewStudy, held: ReviewTask, settled: Sequence[Settled]) -> tuple[_Table, list[Contrast]]:
    """Alternatives against their own originals: here an item is a pair."""
    sides = {(each.item.pair, each.side): each for each in settled}
    first = [sides[place, "alternative"] for place in range(len(study.pairs))]
    second = [sides[place, "original"] for place in range(len(study.pairs))]
    table = _table(study, held, first)
    task = held.task
    missing = table.open | np.array([each.value is None for each in second], dtype=bool)
    one, other = (
        np.array([0.0 if each.value is None else task.scores[each.value] for each in side]) for side in (first, second)
    )
    contrasts = []
    for stratum, mask in table.strata.items():
        row = _row(task.name, condition="alternative", comparator="original", stratum=stratum, direction="higher")
        ones = (mask & ~missing).astype(np.float64)
        if task.ordered:
            terms = (Term(one * ones, ones), Term(other * ones, ones, -1))
            contrasts.append(Contrast(row, terms, missing & mask, difference=True))
            for side, scores in (("alternative", one), ("original", other)):
                alone = replace(row, metric=f"{task.name}_{IN_PAIRS}", condition=side, comparator="")
                contrasts.append(_mean(alone, scores, mask, missing))
            said = (one >= other).astype(np.float64)
            contrasts.append(_mean(replace(row, metric=f"{task.name}_{NO_WORSE}"), said, mask, missing))
    return table, contrasts


def _mean(row: Estimate, values: Numbers, used: Flags, missing: Flags) -> Contrast:
    ones = (used & ~missing).astype(np.float64)
    return Contrast(row, (Term(values * ones, ones),), missing & used)


def _row(
    metric: str, *, condition: str = "", comparator: str = "", stratum: str = "all", direction: str = ""
) -> Estimate:
    return Estimate(
        PROTOCOL,
        "",
        RATERS,
        metric,
        condition=condition,
        comparator=comparator,
        stratum=stratum,
        direction=direction,
        version=VERSION,
    )


def _with_holm(rows: Sequence[Estimate]) -> list[Estimate]:
    """Holm's adjustment over the variations of one metric on one data set; ``all`` is no part of the family."""
    families: dict[tuple[str, str], list[int]] = {}
    for index, row in enumerate(rows):
        if row.p_value == row.p_value and row.stratum != "all":
            families.setdefault((row.metric, row.dataset), []).append(index)
    adjusted = list(rows)
    for members in families.values():
        values = holm([rows[index].p_value for index in members])
        for index, value in zip(members, values, strict=True):
            adjusted[index] = replace(rows[index], p_holm=float(value))
    return adjusted
