"""Clipped n-gram counts of many pairs of reports at once, exact, by sorting instead of hashing tuples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from perimetry.scoring.lexical.pairs import TokenPair

__all__ = ["PAIRS_AT_ONCE", "ngram_counts"]

Integers = NDArray[np.int64]

PAIRS_AT_ONCE = 64
"""Pairs worth counting in one call: their tokens fill a few arrays that stay in the processor's cache."""


def ngram_counts(pairs: Sequence[TokenPair], order: int) -> Integers:
    """Count what BLEU needs of each pair.

    An n-gram's number is made from the number of its first n - 1 tokens and of its last, pair by pair, so that no two
    n-grams ever share one.

    Parameters
    ----------
    pairs
    order : int
        Longest n-gram, from 1.

    Returns
    -------
    int64 array, (pairs, 2 + 2 order)
        Length of the hypothesis, of the reference (tokens); matches of n = 1..order, where an n-gram of the hypothesis
        matches at most as often as the reference holds it; n-grams of the hypothesis, n = 1..order.

    References
    ----------
    Papineni et al., "BLEU", ACL 2002, sections 2.1 and 2.2.

    Examples
    --------
    >>> ngram_counts([TokenPair("the the lung".split(), "the lung".split())], 2).tolist()
    [[3, 2, 2, 1, 3, 2]]
    """
    texts = [tokens for pair in pairs for tokens in (pair.hypothesis, pair.reference)]
    lengths = np.asarray([len(tokens) for tokens in texts], dtype=np.int64).reshape(-1, 2)
    counts = np.zeros((len(pairs), 2 + 2 * order), dtype=np.int64)
    counts[:, :2] = lengths
    counts[:, 2 + order :] = np.maximum(lengths[:, :1] - np.arange(order), 0)
    size = int(lengths.sum())
    if not size:
        return counts
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    words = np.fromiter(map(numbers.__getitem__, chain.from_iterable(texts)), dtype=np.int64, count=size)
    flat = lengths.ravel()
    text = np.repeat(np.arange(len(texts)), flat)
    left = np.repeat(np.cumsum(flat), flat) - np.arange(size)  # tokens from here to the end of the text
    pair, of_reference = text >> 1, (text & 1).astype(bool)
    starts = np.arange(size)
    first = grams = _dense(pair * len(numbers) + words)
    for n in range(1, order + 1):
        if n > 1:
            starts = starts[left[starts] >= n]
            if not starts.size:
                break
            longer = np.zeros(size, dtype=np.int64)
            longer[starts] = _dense(grams[starts] * size + first[starts + n - 1])
            grams = longer
        counts[:, 1 + n] = _clipped(grams[starts], pair[starts], of_reference[starts], len(pairs))
    return counts


def _dense(keys: Integers) -> Integers:
    """Number keys 0, 1, ... in their order: equal keys, and only those, get equal numbers."""
    order = np.argsort(keys)
    ordered = keys[order]
    dense = np.empty(len(keys), dtype=np.int64)
    dense[order] = np.concatenate([[0], np.cumsum(ordered[1:] != ordered[:-1])])
    return dense


def _clipped(grams: Integers, pair: Integers, of_reference: NDArray[np.bool_], pairs: int) -> Integers:
    """Per pair, the sum over n-grams of the smaller of both sides' counts."""
    kinds = int(grams.max()) + 1
    meant = np.bincount(grams[of_reference], minlength=kinds)
    said = np.bincount(grams[~of_reference], minlength=kinds)
    owner = np.zeros(kinds, dtype=np.int64)
    owner[grams] = pair
    return np.bincount(owner, weights=np.minimum(said, meant), minlength=pairs).astype(np.int64)
