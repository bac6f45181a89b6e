"""The ranker of both guessers: a conditional logit, which compares the options of an item with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["PENALTY", "fit", "probabilities"]

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

PENALTY = 10.0
"""Weight of the squared norm beside twice the negative log-likelihood; the same for every data set, never tuned."""

STEPS = 100


def fit(rows: csr_matrix, targets: Numbers, counts: Places) -> Numbers:
    """Fit the weights of a conditional logit (McFadden 1974) with a quadratic penalty.

    The likelihood of an item is the probability that a softmax over its own options gives to its key: what all options
    of an item share cancels, and items with many and with few options count alike.

    Parameters
    ----------
    rows : csr matrix, (options, columns)
        Items after one another.
    targets : float array, (options,)
        1 on the key of each item; shared out where an item has several.
    counts : int array, (items,)
        Options of each item, 2 or more.

    Returns
    -------
    float array, (columns,)

    Examples
    --------
    >>> from scipy.sparse import csr_matrix
    >>> cued = csr_matrix(np.tile([[1.0], [0.0]], (50, 1)))
    >>> bool(fit(cued, np.tile([1.0, 0.0], 50), np.full(50, 2))[0] > 1)
    True
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    across = rows.T.tocsr()

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        chances, logs = _softmax(np.asarray(rows @ weights), starts, counts)
        value = 0.5 * PENALTY * float(weights @ weights) - float(targets @ logs)
        return value, np.asarray(PENALTY * weights - across @ (targets - chances))

    # Vectors this short gain nothing from threads, which wait for one another on a busy machine; and with one thread
    # sums add up in one order anywhere.
    with threadpool_limits(1):
        found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(found.x, dtype=np.float64)


def probabilities(rows: csr_matrix, weights: Numbers, counts: Places) -> Numbers:
    """Probability of each option within its item.

    Examples
    --------
    >>> from scipy.sparse import csr_matrix
    >>> probabilities(csr_matrix([[1.0], [1.0]]), np.ones(1), np.array([2])).tolist()
    [0.5, 0.5]
    """
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return _softmax(np.asarray(rows @ weights), starts, counts)[0]


def _softmax(scores: Numbers, starts: Places, counts: Places) -> tuple[Numbers, Numbers]:
    """Probabilities and their logarithms, item by item."""
    shifted = scores - np.repeat(np.maximum.reduceat(scores, starts), counts)
    grown = np.exp(shifted)
    total = np.repeat(np.add.reduceat(grown, starts), counts)
    return grown / total, shifted - np.log(total)
