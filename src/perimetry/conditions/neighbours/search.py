"""Exact nearest-neighbour search with a rule for who is eligible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from perimetry.conditions.neighbours.embedder import Vectors

__all__ = ["TWIN", "Demand", "Hit", "Rows", "cosines", "search"]

TWIN = 0.999
"""Images at least this similar are the same picture."""

Rows: TypeAlias = NDArray[np.int64]

_DECIMALS = 6
_FIRST = 128
_CELLS = 1 << 22  # of one block of scores, and of gathered vectors: tens of megabytes


@dataclass(frozen=True, slots=True)
class Demand:
    """One search: a query vector, who is eligible, how many are wanted.

    Parameters
    ----------
    query : int
        Row of the query matrix; several demands may share one.
    accepts : callable of row numbers giving a boolean mask
    depth : int
        How many eligible rows are wanted at most.
    """

    query: int
    accepts: Callable[[Rows], NDArray[np.bool_]]
    depth: int


@dataclass(frozen=True, slots=True)
class Hit:
    """An eligible row and its cosine."""

    row: int
    cosine: float


def cosines(vectors: Vectors, query: Vectors) -> NDArray[np.float64]:
    """Inner products in float64, rounded to six decimals: no rounding error of a machine decides a tie."""
    products = np.empty(len(vectors), dtype=np.float64)
    step = max(1, _CELLS // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), step):
        products[start : start + step] = vectors[start : start + step].astype(np.float64) @ query.astype(np.float64)
    return np.round(products, _DECIMALS)


def search(vectors: Vectors, queries: Vectors, demands: Sequence[Demand]) -> list[list[Hit]]:
    """For each demand its first eligible rows: most similar first, lower row first where cosines are equal.

    FAISS (``IndexFlatIP``, exact) proposes the most similar rows in blocks of bounded memory, and more of them where
    too few were eligible; their cosines are then taken again in float64.

    Parameters
    ----------
    vectors : float32 array, (rows, dimensions), L2-normalised
    queries : float32 array, (queries, dimensions), L2-normalised
    demands : sequence of Demand

    Returns
    -------
    list of list of Hit
        One list a demand, shorter than its depth where fewer rows are eligible. Twins (`TWIN`) never are.
    """
    results: list[list[Hit]] = [[] for _ in demands]
    if not len(vectors) or not demands:
        return results
    total = len(vectors)
    propose = _proposer(vectors)
    waiting: dict[int, list[int]] = {}
    for number, demand in enumerate(demands):
        waiting.setdefault(demand.query, []).append(number)
    wanted = min(total, _FIRST)
    while waiting:
        unresolved: dict[int, list[int]] = {}
        order = sorted(waiting)
        block = max(1, _CELLS // wanted)
        for start in range(0, len(order), block):
            chosen = order[start : start + block]
            scores, rows = propose(queries[chosen], wanted)
            for position, query in enumerate(chosen):
                # A row that was not proposed scores at most as much as the last one, give or take float32.
                sure = -np.inf if wanted == total else float(scores[position, -1]) + 3 * 10.0**-_DECIMALS
                near, cosine = _ordered(vectors, queries[query], rows[position])
                for number in waiting[query]:
                    demand = demands[number]
                    eligible = (cosine < TWIN) & (cosine > sure)
                    eligible[eligible] = demand.accepts(near[eligible])
                    picked = np.flatnonzero(eligible)[: demand.depth]
                    if len(picked) == demand.depth or wanted == total:
                        results[number] = [Hit(int(near[at]), float(cosine[at])) for at in picked]
                    else:
                        unresolved.setdefault(query, []).append(number)
        waiting = unresolved
        wanted = min(total, wanted * 8)
    return results


def _proposer(vectors: Vectors) -> Callable[[Vectors, int], tuple[NDArray[np.float32], Rows]]:
    """A function that gives the most similar rows of each query, with their scores, most similar first."""
    total = len(vectors)
    if total <= _FIRST:
        # So few rows are all proposed; an index would cost more than the search.
        def everything(queries: Vectors, wanted: int) -> tuple[NDArray[np.float32], Rows]:
            shape = (len(queries), wanted)
            return np.zeros(shape, dtype=np.float32), np.broadcast_to(np.arange(total), shape)

        return everything
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors))

    def nearest(queries: Vectors, wanted: int) -> tuple[NDArray[np.float32], Rows]:
        scores, rows = index.search(np.ascontiguousarray(queries), wanted)
        return scores, rows

    return nearest


def _ordered(vectors: Vectors, query: Vectors, rows: Rows) -> tuple[Rows, NDArray[np.float64]]:
    """Rows and cosines, most similar first."""
    gathered = np.sort(rows)
    cosine = cosines(vectors[gathered], query)
    order = np.argsort(-cosine, kind="stable")
    return gathered[order], cosine[order]
