"""The neighbour index as an artefact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from perimetry.cases.errors import DataError
from perimetry.cases.question import Question
from perimetry.conditions import parse_conditions
from perimetry.conditions.neighbours import NeighbourIndex, build_neighbours

CONDITIONS = "hardneg,hardneg(match=question),mismatch"


@pytest.fixture
def pool(make_question: Callable[..., Question]) -> list[Question]:
    return [
        make_question(number, stem="Is it normal?" if number < 5 else f"Number {number}?", answer=answer)
        for number, answer in enumerate(["yes", "no", "yes", "no", "no", "left", "right", "left"])
    ]


@pytest.fixture
def index(pool: list[Question]) -> NeighbourIndex:
    return build_neighbours(pool, pool, parse_conditions(CONDITIONS))


def test_saved_and_loaded_it_answers_alike(index: NeighbourIndex, pool: list[Question], tmp_path: Path) -> None:
    index.save(tmp_path / "neighbours")
    again = NeighbourIndex.load(tmp_path / "neighbours", pool[::-1])
    assert again == index
    for case in pool:
        for key in index.conditions:
            assert again.find(case, key) == index.find(case, key)
    assert sorted(path.name for path in (tmp_path / "neighbours").iterdir()) == [
        "neighbours.json",
        "neighbours.parquet",
    ]
    index.save(tmp_path / "neighbours")
    assert NeighbourIndex.load(tmp_path / "neighbours", pool) == index


def test_another_pool_is_refused(index: NeighbourIndex, pool: list[Question], tmp_path: Path) -> None:
    index.save(tmp_path)
    for other in (pool[:-1], [replace(pool[0], answer="no"), *pool[1:]], [replace(pool[0], stem="?"), *pool[1:]]):
        with pytest.raises(DataError, match="belongs to a pool"):
            NeighbourIndex.load(tmp_path, other)


def test_damage_is_named(index: NeighbourIndex, pool: list[Question], tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"neighbours\.json: not found"):
        NeighbourIndex.load(tmp_path, pool)
    index.save(tmp_path)
    rows = tmp_path / "neighbours.parquet"
    whole = rows.read_bytes()
    rows.write_bytes(whole[:-1])
    with pytest.raises(DataError, match=r"neighbours\.parquet"):
        NeighbourIndex.load(tmp_path, pool)
    rows.unlink()
    with pytest.raises(DataError, match=r"neighbours\.parquet"):
        NeighbourIndex.load(tmp_path, pool)
    facts = tmp_path / "neighbours.json"
    facts.write_text(facts.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(DataError, match="format 2, expected 1"):
        NeighbourIndex.load(tmp_path, pool)
    facts.write_text("{")
    with pytest.raises(DataError, match="not valid JSON"):
        NeighbourIndex.load(tmp_path, pool)


def test_tables_count_every_case(index: NeighbourIndex, pool: list[Question]) -> None:
    table = index.table()
    assert table.height == len(pool) * 3
    summary = {(row["condition"], row["rule"]): row for row in index.pool_table().iter_rows(named=True)}
    assert summary["hardneg", "question"]["pairs"] == 5
    assert summary["hardneg", "label"]["pairs"] == 3
    assert summary["hardneg(match=question)", "none"]["pairs"] == 3
    assert summary["hardneg(match=question)", "none"]["cosine_mean"] is None
    assert summary["mismatch", "derangement"]["pairs"] == 8
    chosen = table.filter(condition="hardneg", rule="question")["cosine"]
    row = summary["hardneg", "question"]
    assert row["cosine_mean"] == pytest.approx(sum(chosen) / 5)
    assert (row["cosine_min"], row["cosine_max"]) == (min(chosen), max(chosen))
    assert row["gold_known"] == 5
    assert row["gold_same"] == 0
