"""VQA-RAD as it is published, against counts taken from its file by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image as PillowImage

from perimetry.cases import DataError, load
from perimetry.cases.png import encode_png


def test_the_official_test_split(shared_data):
    loaded = load(f"vqa-rad:{shared_data / 'vqa_rad'}")
    assert len(loaded.cases) == 451
    assert Counter(case.answer_type for case in loaded.questions) == {"closed": 272, "open": 179}
    assert len({case.group for case in loaded.questions}) == 203
    assert [(step.reason, step.removed) for step in loaded.funnel.steps] == [("of the split train", 1797)]
    assert loaded.data_use == "open"


def test_all_splits_with_their_dirty_values(shared_data, file_keys):
    folder = shared_data / "vqa_rad"
    records = {str(r["qid"]): r for r in json.loads((folder / "VQA_RAD Dataset Public.json").read_text("utf-8"))}
    loaded = load(f"vqa-rad:{folder}", split="all")
    assert [case.id for case in loaded.questions] == list(records)
    assert Counter(case.answer_type for case in loaded.questions) == {"closed": 1299, "open": 949}
    for case in loaded.questions:
        record = records[case.id]
        assert case.stem == record["question"].strip()
        assert case.answer == str(record["answer"]).strip()
        assert file_keys(case) == [case.group] == [record["image_name"]]
        assert case.hidden["image_organ"] == record["image_organ"]
        assert "answer" not in case.hidden
    notes = " ".join(loaded.funnel.notes)
    assert "an answer that is a number in 5 of" in notes
    assert "stray spaces of answer_type in 2 of" in notes
    assert "missing" not in notes
    train = load(f"vqa-rad:{folder}", split="train")
    assert len(train.cases) == 1797


def test_its_images_are_read(shared_data):
    loaded = load(f"vqa-rad:{shared_data / 'vqa_rad'}", limit=5)
    for case in loaded.questions:
        image = case.images[0]
        file = PillowImage.open(image.source.name)
        assert image.pixels().shape[:2] == (file.height, file.width)
        assert image.source.encoded() == (Path(image.source.name).read_bytes(), "image/jpeg")


def test_the_file_itself_is_a_path_too(shared_data):
    file = shared_data / "vqa_rad" / "VQA_RAD Dataset Public.json"
    assert len(load(f"vqa-rad:{file}").cases) == 451


def test_the_hub_layout(tmp_path):
    pictures = [np.full((4, 4), grey, np.uint8) for grey in (10, 20)]
    data = [{"bytes": encode_png(pictures[n % 2]), "path": None} for n in range(4)]
    frame = pl.DataFrame({"image": data, "question": ["q0", "q1", "q2", "q3"], "answer": ["yes", "no", "left", "YES"]})
    (tmp_path / "data").mkdir()
    frame[:3].write_parquet(tmp_path / "data" / "test-00000-of-00002.parquet")
    frame[3:].write_parquet(tmp_path / "data" / "test-00001-of-00002.parquet")
    frame.write_parquet(tmp_path / "data" / "train-00000-of-00001.parquet")
    loaded = load(f"vqa-rad:{tmp_path}")
    assert [case.id for case in loaded.questions] == ["test-0", "test-1", "test-2", "test-3"]
    assert [case.answer_type for case in loaded.questions] == ["closed", "closed", "open", "closed"]
    assert np.array_equal(loaded.questions[3].images[0].pixels(), pictures[1])
    assert loaded.questions[0].group == loaded.questions[2].group != loaded.questions[1].group
    assert len(load(f"vqa-rad:{tmp_path}", split="train").cases) == 4


def test_a_wrong_folder_says_what_was_looked_for(shared_data):
    with pytest.raises(DataError, match=r"'VQA_RAD Dataset Public.json' was looked for\. Found in .*: test\.json\."):
        load(f"vqa-rad:{shared_data / 'slake'}")


@pytest.mark.parametrize("broken", [True, False])
def test_unrelated_parquet_files_are_no_release(tmp_path, broken):
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "other.parquet")
    if broken:
        (tmp_path / "other.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(DataError, match=r"neither 'VQA_RAD Dataset Public.json' nor a hub snapshot .* other\.parquet"):
        load(f"vqa-rad:{tmp_path}")
