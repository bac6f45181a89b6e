"""Pairs of models: verdicts by interval, and how two rankings differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from perimetry.statistics.arrays import ROUND_OFF, same_length
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.interval import BootstrapResult, Distribution
from perimetry.statistics.ranking import check_one_plan

Verdict = Literal["win", "tie", "loss", "undefined"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models on the same items.

    Attributes
    ----------
    left, right
        Their names.
    gap
        Left less right, in the metric's own sign, with its paired interval.
    verdict
        Of the left model, by the declared direction: ``"tie"`` where the interval holds zero,
        ``"undefined"`` without one.
    lead
        1 if the left model is ahead on the data, -1 if behind, 0 if level or undefined.

    Examples
    --------
    >>> Comparison("a", "b", BootstrapResult(0.1, 0.0, 0.2, 0.95, 0.97, 0.05, 40, 100, 0, ""), "tie", 1).lead
    1
    """

    left: str
    right: str
    gap: BootstrapResult
    verdict: Verdict
    lead: int


def compare_models(
    models: Mapping[str, Distribution], *, higher_is_better: bool = True, level: float = 0.95
) -> tuple[Comparison, ...]:
    """Compare every pair of models by the paired interval of their gap (ReRef section 4.3).

    Parameters
    ----------
    models, higher_is_better, level
        See `rank_models`.

    Returns
    -------
    tuple of Comparison
        Pairs in the order of ``models``.

    Raises
    ------
    StatisticsError
        See `rank_models`.

    Examples
    --------
    >>> a, b = Distribution(0.9, np.asarray([0.9, 0.8]), 9), Distribution(0.1, np.asarray([0.2, 0.1]), 9)
    >>> compare_models({"a": a, "b": b})[0].verdict
    'win'
    """
    check_one_plan(models)
    sign = 1.0 if higher_is_better else -1.0
    rows = []
    for left, right in combinations(models, 2):
        gap = (models[left] - models[right]).summary(level)
        rows.append(Comparison(left, right, gap, _verdict(gap, sign), _lead(gap.value * sign)))
    return tuple(rows)


def _verdict(gap: BootstrapResult, sign: float) -> Verdict:
    if math.isnan(gap.ci_low):
        return "undefined"
    if not gap.resolved:
        return "tie"
    return "win" if gap.value * sign > 0.0 else "loss"


def _lead(ahead: float) -> int:
    return 0 if math.isnan(ahead) or abs(ahead) <= ROUND_OFF else int(math.copysign(1, ahead))


@dataclass(frozen=True, slots=True)
class Reversals:
    """How the order of pairs differs between two rankings.

    Attributes
    ----------
    pairs
        Pairs compared: those in both.
    plain
        Pairs whose leader on the data changes.
    by_verdict
        Those among them whose verdict by interval changes too.
    flips
        Those among them that go from a win to a loss or back.
    reversed_pairs
        Names of the pairs counted in ``plain``.

    Examples
    --------
    >>> Reversals(3, 1, 0, 0, (("a", "b"),)).plain
    1
    """

    pairs: int
    plain: int
    by_verdict: int
    flips: int
    reversed_pairs: tuple[tuple[str, str], ...]


def reversals(original: Sequence[Comparison], alternative: Sequence[Comparison]) -> Reversals:
    """Count pairwise reversals between two rankings, plain and by verdict (ReRef section 4.3).

    A pair is reversed when the model ahead falls behind; to become level is no reversal.

    Parameters
    ----------
    original, alternative
        From `compare_models`, over the same models.

    Returns
    -------
    Reversals

    Raises
    ------
    StatisticsError
        If the two do not hold the same pairs.

    Examples
    --------
    >>> reversals((), ()).pairs
    0
    """
    after = {(row.left, row.right): row for row in alternative}
    before = {(row.left, row.right): row for row in original}
    if after.keys() != before.keys():
        odd = sorted(after.keys() ^ before.keys())[0]
        raise StatisticsError(
            f"pairs differ: {odd[0]} against {odd[1]} is in one ranking only, expected the same models in the same "
            "order"
        )
    turned = [(pair, row, after[pair]) for pair, row in before.items() if row.lead * after[pair].lead < 0]
    return Reversals(
        pairs=len(before),
        plain=len(turned),
        by_verdict=sum(one.verdict != two.verdict for _, one, two in turned),
        flips=sum({one.verdict, two.verdict} == {"win", "loss"} for _, one, two in turned),
        reversed_pairs=tuple(pair for pair, _, _ in turned),
    )


def kendall_tau(left: ArrayLike, right: ArrayLike) -> float:
    """Return Kendall's tau-b of two score or rank vectors (Kendall 1945, with ties).

    Parameters
    ----------
    left, right
        ``(models,)``; pairs with a nan are left out.

    Returns
    -------
    float
        -1 to 1; nan with fewer than two models or where one side ties them all.

    Raises
    ------
    StatisticsError
        If the lengths differ.

    Examples
    --------
    >>> kendall_tau([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    one = np.asarray(left, dtype=np.float64).ravel()
    two = np.asarray(right, dtype=np.float64).ravel()
    same_length(left=one, right=two)
    known = ~(np.isnan(one) | np.isnan(two))
    first, second = one[known], two[known]
    upper = np.triu_indices(first.size, k=1)
    a = np.sign(np.subtract.outer(first, first)[upper])
    b = np.sign(np.subtract.outer(second, second)[upper])
    scale = math.sqrt(float((a != 0).sum()) * float((b != 0).sum()))
    return float((a * b).sum()) / scale if scale > 0.0 else math.nan
