"""Agreement of raters: percent, Cohen's kappa, and the consensus of two, three or four."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from perimetry.statistics.arrays import FloatArray, same_length
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.finishes import Rate, divide

Weights = Literal["none", "linear", "quadratic"]


def agreement_columns(
    left: Sequence[Hashable | None], right: Sequence[Hashable | None], categories: Sequence[Hashable]
) -> FloatArray:
    """Return the one cell of the rating table that each item falls in, as a row of zeros and one 1.

    Parameters
    ----------
    left, right
        ``(items,)`` ratings; None where a rater gave none: the item then has only zeros.
    categories
        All categories, in order where they have one.

    Returns
    -------
    numpy.ndarray
        ``(items, k * k)``: column ``k * i + j`` for category ``i`` on the left and ``j`` on the right. Finish the sums
        with `kappa`.

    Raises
    ------
    StatisticsError
        If the lengths differ or a rating is no category.

    Examples
    --------
    >>> agreement_columns(["yes"], ["no"], ["yes", "no"]).tolist()
    [[0.0, 1.0, 0.0, 0.0]]
    """
    same_length(left=left, right=right)
    number = {category: k for k, category in enumerate(categories)}
    columns = np.zeros((len(left), len(number) ** 2))
    for row, (one, two) in enumerate(zip(left, right, strict=True)):
        if one is None or two is None:
            continue
        for rating in (one, two):
            if rating not in number:
                raise StatisticsError(
                    f"rating: found {rating!r} for item {row}, expected one of {list(categories)} or None"
                )
        columns[row, len(number) * number[one] + number[two]] = 1.0
    return columns


def kappa(categories: int, weights: Weights = "none") -> Rate:
    """Return Cohen's kappa as a rate over the sums of `agreement_columns`.

    One less the ratio of the (weighted) disagreement seen to that expected from the raters' own shares (Cohen 1960,
    1968).

    Parameters
    ----------
    categories
        Number of categories.
    weights
        Weight of a disagreement: ``"none"`` 1, ``"linear"`` the distance of the categories, ``"quadratic"`` its square.

    Returns
    -------
    Rate
        nan where both raters use one and the same category only.

    Raises
    ------
    StatisticsError
        If the weights are unknown.

    Examples
    --------
    >>> kappa(2)(np.asarray([[20.0, 5.0, 10.0, 15.0]])).round(3).tolist()
    [0.4]
    """
    distance = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories))).astype(np.float64)
    costs = {"none": (distance > 0).astype(np.float64), "linear": distance, "quadratic": distance**2}
    if weights not in costs:
        raise StatisticsError(f"weights: found {weights!r}, expected one of {', '.join(costs)}")
    cost = costs[weights]

    def value(sums: FloatArray) -> FloatArray:
        table = sums.reshape(*sums.shape[:-1], categories, categories)
        expected = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :]
        total = table.sum(axis=(-2, -1))
        return 1.0 - divide((table * cost).sum(axis=(-2, -1)) * total, (expected * cost).sum(axis=(-2, -1)))

    return value


def cohen_kappa(
    left: Sequence[Hashable | None],
    right: Sequence[Hashable | None],
    *,
    categories: Sequence[Hashable] | None = None,
    weights: Weights = "none",
) -> float:
    """Return Cohen's kappa of two raters on the items that both rated.

    Parameters
    ----------
    left, right
        ``(items,)`` ratings, None where missing.
    categories
        In their order, needed with weights; those that occur when left out.
    weights
        See `kappa`.

    Returns
    -------
    float
        -1 to 1; nan without items, or where chance agreement is complete.

    Raises
    ------
    StatisticsError
        If lengths differ, a rating is no category, or weights are asked for without the order of the categories.

    Examples
    --------
    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    if categories is None:
        if weights != "none":
            raise StatisticsError("categories: found none, expected their order, which weighted kappa needs")
        categories = list(dict.fromkeys(rating for rating in (*left, *right) if rating is not None))
    sums = agreement_columns(left, right, categories).sum(axis=0, keepdims=True)
    return float(kappa(len(categories), weights)(sums)[0])


def percent_agreement(left: Sequence[Hashable | None], right: Sequence[Hashable | None]) -> float:
    """Return the share of items, of those that both rated, with the same rating: 0 to 1, nan without any.

    Raises
    ------
    StatisticsError
        If the lengths differ.

    Examples
    --------
    >>> percent_agreement(["a", "b", None], ["a", "a", "a"])
    0.5
    """
    same_length(left=left, right=right)
    pairs = [(one, two) for one, two in zip(left, right, strict=True) if one is not None and two is not None]
    return sum(one == two for one, two in pairs) / len(pairs) if pairs else math.nan


@dataclass(frozen=True, slots=True)
class Consensus:
    """What raters settled on.

    Attributes
    ----------
    label
        None while a further rating is needed.
    how
        ``"unanimous"``: the first two agree; ``"majority"``: the third sides with one of them; ``"adjudicated"``: all
        three differ and the fourth decides; ``"needs first"`` to ``"needs fourth"``: that rating is missing.

    Examples
    --------
    >>> Consensus("equivalent", "unanimous").label
    'equivalent'
    """

    label: Hashable | None
    how: str


def consensus(ratings: Sequence[Hashable | None]) -> Consensus:
    """Settle one item's ratings in the three steps of ReRef section 2.3.

    Two raters; where they differ a third; where all three differ a fourth, whose rating stands.

    Parameters
    ----------
    ratings
        Up to four ratings in the order asked, None for one that was not given. Those beyond the step that settles the
        item are not read.

    Returns
    -------
    Consensus

    Raises
    ------
    StatisticsError
        If there are more than four.

    Examples
    --------
    >>> consensus([3, 2, 3])
    Consensus(label=3, how='majority')
    >>> consensus([3, 2]).how
    'needs third'
    """
    if len(ratings) > 4:
        raise StatisticsError(f"ratings: found {len(ratings)} for one item, expected at most 4")
    first, second, third, fourth = [*ratings, None, None, None, None][:4]
    if first is None or second is None:
        return Consensus(None, "needs first" if first is None else "needs second")
    if first == second:
        return Consensus(first, "unanimous")
    if third is None:
        return Consensus(None, "needs third")
    if third in (first, second):
        return Consensus(third, "majority")
    if fourth is None:
        return Consensus(None, "needs fourth")
    return Consensus(fourth, "adjudicated")
