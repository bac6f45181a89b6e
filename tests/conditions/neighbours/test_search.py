"""Exact search against a sorted list."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from perimetry.conditions.neighbours import search as module
from perimetry.conditions.neighbours.embedder import Vectors
from perimetry.conditions.neighbours.search import Demand, Rows, search


def unit(count: int, dimensions: int, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(count, dimensions))
    rows: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return rows


@pytest.mark.parametrize("every", [1, 40, 900, 5000])
@pytest.mark.parametrize("depth", [1, 7])
def test_first_eligible_rows(every: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST", 16)
    monkeypatch.setattr(module, "_CELLS", 1 << 12)  # several blocks
    vectors, queries = unit(2000, 12), unit(9, 12, seed=1)

    def accepts(rows: Rows) -> NDArray[np.bool_]:
        return np.equal(rows % every, every - 1)

    found = search(vectors, queries, [Demand(query, accepts, depth) for query in range(9)])
    for query, hits in zip(queries, found, strict=True):
        cosine = np.round(vectors.astype(float) @ query.astype(float), 6)
        order = sorted((-cosine[row], row) for row in range(2000) if row % every == every - 1 and cosine[row] < 0.999)
        assert [(hit.row, hit.cosine) for hit in hits] == [(row, -value) for value, row in order[:depth]]


def test_ties_go_to_the_lower_row() -> None:
    vectors = np.repeat(unit(3, 8), 100, axis=0)
    query = unit(1, 8, seed=4)
    hits = search(vectors, query, [Demand(0, lambda rows: rows % 2 == 1, 60)])[0]
    assert len(hits) == 60
    best = int(np.argmax(vectors[::100] @ query[0]))
    assert [hit.row for hit in hits[:50]] == list(range(100 * best + 1, 100 * best + 101, 2))


def test_tie_with_a_row_that_was_not_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST", 16)
    # Equal to six decimals; in float32 the first row is the last.
    cosine = np.array([0.4999997] + [0.5] * 60)
    vectors = np.stack([cosine, np.sqrt(1 - cosine**2)], axis=1).astype(np.float32)
    query = np.array([[1, 0]], dtype=np.float32)
    assert [hit.row for hit in search(vectors, query, [Demand(0, lambda rows: rows >= 0, 2)])[0]] == [0, 1]


def test_nothing_to_search() -> None:
    assert search(unit(0, 4), unit(1, 4), [Demand(0, lambda rows: rows >= 0, 1)]) == [[]]
    assert search(unit(3, 4), unit(1, 4), []) == []
