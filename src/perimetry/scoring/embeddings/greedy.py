"""Greedy matching of token vectors: the arithmetic of BERTScore, free of any model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Match", "Numbers", "greedy_match", "harmonic", "idf_table", "unit"]

Numbers: TypeAlias = NDArray[np.float64]


class Match(NamedTuple):
    """How well two texts' tokens match, each from 0 to 1 before rescaling."""

    precision: float
    recall: float
    f1: float


def greedy_match(
    hypothesis: ArrayLike,
    reference: ArrayLike,
    hypothesis_weights: Sequence[float] | Numbers,
    reference_weights: Sequence[float] | Numbers,
) -> Match:
    """Each token takes its most similar token of the other text; the cosines are averaged with the tokens' weights.

    Parameters
    ----------
    hypothesis, reference : (tokens, width)
        Vectors of any length; a vector of zeros is similar to nothing.
    hypothesis_weights, reference_weights : (tokens,)
        0 or more, and not all 0. A token of weight 0 counts in no mean, but can be taken by the other side.

    Returns
    -------
    Match
        F1 is 0 where precision or recall is not above 0: a harmonic mean is one of positive numbers.

    References
    ----------
    Zhang et al. 2020, "BERTScore", section 3, equations of R, P and F and of importance weighting.

    Examples
    --------
    >>> greedy_match([[1.0, 0.0]], [[2.0, 0.0], [0.0, 1.0]], [1.0], [1.0, 1.0])
    Match(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    cosines = unit(hypothesis) @ unit(reference).T
    precision = _mean(cosines.max(axis=1), hypothesis_weights)
    recall = _mean(cosines.max(axis=0), reference_weights)
    return Match(precision, recall, harmonic(precision, recall))


def harmonic(first: float, second: float) -> float:
    """Harmonic mean of two numbers, 0 where either is not above 0.

    Examples
    --------
    >>> harmonic(1.0, 0.5), harmonic(-0.1, 0.2)
    (0.6666666666666666, 0.0)
    """
    return 2.0 * first * second / (first + second) if first > 0.0 and second > 0.0 else 0.0


def unit(vectors: ArrayLike) -> Numbers:
    """Rows at length 1, in float64; rows of zeros stay.

    Examples
    --------
    >>> unit([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0.0), dtype=np.float64)


def idf_table(documents: Sequence[Sequence[int]]) -> tuple[Mapping[int, float], float]:
    """Inverse document frequencies of token ids over references, and that of an id in none of them.

    Returns
    -------
    mapping, float
        ``log((documents + 1) / (documents with the id + 1))``.

    References
    ----------
    Zhang et al. 2020, section 3, importance weighting, with add-one smoothing.

    Examples
    --------
    >>> table, unseen = idf_table([[1, 2, 2], [2]])
    >>> round(table[1], 3), table[2], round(unseen, 3)
    (0.405, 0.0, 1.099)
    """
    count = len(documents) + 1
    seen: dict[int, int] = {}
    for document in documents:
        for token in set(document):
            seen[token] = seen.get(token, 0) + 1
    return {token: math.log(count / (times + 1)) for token, times in seen.items()}, math.log(count)


def _mean(values: Numbers, weights: Sequence[float] | Numbers) -> float:
    shares = np.asarray(weights, dtype=np.float64)
    return float(np.clip(values @ shares / shares.sum(), -1.0, 1.0))
