"""The arithmetic of RaTEScore, free of any model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from perimetry.scoring.embeddings.affinity import Affinity
from perimetry.scoring.embeddings.greedy import harmonic, unit

__all__ = ["directed", "rate_score"]

_TIE = 1e-6


def directed(
    types: Sequence[str],
    vectors: ArrayLike,
    other_types: Sequence[str],
    other_vectors: ArrayLike,
    affinity: Affinity,
) -> float:
    """How well the entities of one report are found in another.

    Each entity takes the most similar one of the other report (the first of several that are as similar to 1e-6). Its
    cosine, times the negation factor where one of the two is denied, is averaged with the weights of the type pairs.

    Parameters
    ----------
    types, other_types : (entities,)
        Of `TYPES`; one or more.
    vectors, other_vectors : (entities, width)
    affinity : Affinity

    Returns
    -------
    float
        0 where all weights are 0.

    Examples
    --------
    >>> from perimetry.scoring.embeddings.affinity import read_affinity
    >>> directed(["DISEASE"], np.eye(2)[:1], ["ANATOMY", "DISEASE"], np.eye(2)[::-1], read_affinity())
    1.0
    """
    cosines = np.clip(unit(vectors) @ unit(other_vectors).T, -1.0, 1.0)
    best = (cosines >= cosines.max(axis=1, keepdims=True) - _TIE).argmax(axis=1)
    pairs = [(kind, other_types[at]) for kind, at in zip(types, best.tolist(), strict=True)]
    weights = np.asarray([affinity.weights[pair] for pair in pairs])
    factors = np.asarray([affinity.factor(*pair) for pair in pairs])
    total = float(weights.sum())
    return float((cosines.max(axis=1) * weights * factors).sum()) / total if total else 0.0


def rate_score(
    types: Sequence[str],
    vectors: ArrayLike,
    reference_types: Sequence[str],
    reference_vectors: ArrayLike,
    affinity: Affinity,
) -> float:
    """RaTEScore of a report with entities and a reference with entities: the harmonic mean of both directions.

    0 where either direction is not above 0.

    References
    ----------
    Zhao et al. 2024, "RaTEScore", section 3, equations of the similarity and of the score.
    """
    found = directed(reference_types, reference_vectors, types, vectors, affinity)
    backed = directed(types, vectors, reference_types, reference_vectors, affinity)
    return harmonic(found, backed)
