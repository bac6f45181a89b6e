from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perimetry.inference.errors import StoreError
from perimetry.inference.files import StoreFile, list_files, model_slug, next_attempt

CONFUSABLE = [
    "openai:a/b",
    "openai:a_b",
    "openai:A/b",
    "openai:a-b",
    "a" * 60 + "1",
    "a" * 60 + "2",
    "",
    "é",
    "ä",
    "..",
    ".",
]


def test_names_that_look_alike_get_slugs_apart():
    slugs = [model_slug(name) for name in CONFUSABLE]
    assert len({slug.lower() for slug in slugs}) == len(CONFUSABLE)


@given(st.text(max_size=300))
def test_a_slug_is_a_safe_file_name_and_never_splits_a_store_file_name(name):
    slug = model_slug(name)
    assert re.fullmatch(r"[a-z0-9_][a-z0-9._]{0,60}", slug)
    assert model_slug(name) == slug


def test_files_come_in_order_of_writing_and_strangers_are_left_out(tmp_path: Path):
    mine = [
        StoreFile("part", "m_1", 3, 1),
        StoreFile("part", "m_1", 0, 2),
        StoreFile("journal", "m_1", 0, 2),
        StoreFile("journal", "m_1", 1, 2),
        StoreFile("journal", "m_1", 0, 10),
    ]
    for file in reversed(mine):
        (tmp_path / file.name).touch()
    for stranger in (
        "notes.txt",
        ".part-m_1-000000-0001.parquet.77.tmp",
        "part-m_1-000000-0001.jsonl",
        "part-m_1-000000-0001.parquet.damaged",
        "part-m_2-000000-0001.parquet",
    ):
        (tmp_path / stranger).touch()
    assert list_files(tmp_path, "m_1") == mine
    assert len(list_files(tmp_path)) == len(mine) + 1
    assert next_attempt(mine) == 11


def test_an_absent_folder_is_an_empty_store_and_a_file_is_an_error(tmp_path: Path):
    assert list_files(tmp_path / "absent") == []
    assert next_attempt([]) == 1
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be listed"):
        list_files(tmp_path / "file")
