"""SLAKE in its two languages; the shared copy comes without images."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from perimetry.cases import DataError, ImageError, load


def test_english_by_default(shared_data):
    folder = shared_data / "slake"
    records = json.loads((folder / "test.json").read_text("utf-8"))
    english = [record for record in records if record["q_lang"] == "en"]
    loaded = load(f"slake:{folder}")
    assert [case.id for case in loaded.questions] == [str(record["qid"]) for record in english]
    assert Counter(case.answer_type for case in loaded.questions) == Counter(r["answer_type"].lower() for r in english)
    assert [case.group for case in loaded.questions] == [record["img_name"] for record in english]
    assert len(load(f"slake:{folder},lang=zh").cases) == 1033
    assert len(load(f"slake:{folder},lang=all").cases) == 2094


def test_cases_load_without_images_and_keep_them_apart(shared_data):
    loaded = load(f"slake:{shared_data / 'slake'}")
    assert loaded.funnel.notes[0].startswith("96 of 96 image files are missing")
    digests = {case.group: case.images[0].digest for case in loaded.questions}
    assert len(set(digests.values())) == 96
    with pytest.raises(ImageError, match=r"imgs/xmlab\d+/source\.jpg does not exist"):
        loaded.questions[0].images[0].pixels()


def test_a_missing_split_is_named(shared_data):
    with pytest.raises(DataError, match=r"slake: train\.json was looked for\. Found in .*: test\.json"):
        load(f"slake:{shared_data / 'slake'}", split="train")
