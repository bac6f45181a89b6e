from __future__ import annotations

import pytest

from perimetry.scoring.cache import TextCache
from perimetry.scoring.embeddings import kept as module
from perimetry.scoring.embeddings.kept import MemoryCache, kept


def test_what_is_there_is_not_made_and_equal_items_are_made_once():
    cache, asked = MemoryCache(), []
    items = [["b", "x"], ["a", "x"], ["b", "x"], ["bx", ""]]

    def make(rows):
        asked.append([items[row] for row in rows])
        return [f"{items[row]}".encode() for row in rows]

    first = kept(cache, ["recipe"], items, make)
    assert first == [f"{item}".encode() for item in items]
    assert asked == [[["a", "x"], ["b", "x"], ["bx", ""]]]
    assert kept(cache, ["recipe"], items[::-1], make) == first[::-1]
    assert len(asked) == 1
    kept(cache, ["other recipe"], items[:1], make)
    assert len(asked) == 2


def test_chunks_do_not_depend_on_the_order_of_items(monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 2)
    items = [["ccc"], ["a"], ["bb"], ["aa"], ["b"]]
    seen = []
    for order in (items, items[::-1]):
        asked: list[list[str]] = []

        def make(rows, order=order, asked=asked):
            asked.append([order[row][0] for row in rows])
            return [order[row][0].encode() for row in rows]

        assert kept(MemoryCache(), ["r"], order, make) == [item[0].encode() for item in order]
        seen.append(asked)
    assert seen[0] == seen[1] == [["a", "b"], ["aa", "bb"], ["ccc"]]


def test_what_was_made_before_a_failure_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "_CHUNK", 1)
    items = [["a"], ["bb"]]
    made: list[str] = []

    def make(rows):
        if items[rows[0]] == ["bb"] and made == ["a"]:
            made.append("failed once")
            raise RuntimeError("killed")
        made.append(items[rows[0]][0])
        return [items[rows[0]][0].encode()]

    with TextCache(tmp_path) as cache:
        with pytest.raises(RuntimeError):
            kept(cache, ["r"], items, make)
        assert kept(cache, ["r"], items, make) == [b"a", b"bb"]
    assert made == ["a", "failed once", "bb"]
