"""Data sets that are read from hub snapshots, written here with the official field names."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from perimetry.cases import DataError, load
from perimetry.cases.datasets.vqav2 import agreed_answers
from perimetry.cases.png import encode_png

PICTURES = [np.full((3, 3), 40 * n, np.uint8) for n in range(4)]
IMAGES = [{"bytes": encode_png(picture), "path": f"{n}.png"} for n, picture in enumerate(PICTURES)]


def parquet(folder, name, rows):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)
    return folder


def grey(case):
    return int(case.images[0].pixels()[0, 0])


def test_path_vqa_hub_and_raw(tmp_path):
    parquet(tmp_path / "hub", "data/test-0.parquet", [{"image": IMAGES[1], "question": "q?", "answer": "no"}])
    case = load(f"path-vqa:{tmp_path / 'hub'}").questions[0]
    assert (case.stem, case.answer, case.answer_type, grey(case)) == ("q?", "no", "closed", 40)
    raw = tmp_path / "raw.csv"
    raw.write_text("Image_ID,Questions,Answers\ntest_0001.jpg,Where?,in the wall\n")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "test_0001.jpg").write_bytes(IMAGES[2]["bytes"])
    case = load(f"path-vqa:{raw}").questions[0]
    assert (case.stem, case.answer, case.answer_type, grey(case)) == ("Where?", "in the wall", "open", 80)
    assert (case.id, case.group) == ("test-0", "test_0001.jpg")


def test_medthinkvqa_hides_what_gives_the_diagnosis_away(tmp_path, file_keys):
    row = {
        "title": "A case of SECRET",
        "CLINICAL_HISTORY": "A man with a cough.",
        "IMAGING_FINDINGS": "SECRET shadow",
        "discussion": "SECRET",
        "options": {"A": "Tuberculosis", "B": "Sarcoidosis", "C": None, "D": "Lymphoma", "E": "Silicosis"},
        "correct_answer": "b",
        **{f"image_{n:02d}_id": f"x{n}" for n in (2, 1, 10)},
        **{f"image_{n:02d}_path": f"{n}.png" for n in (2, 1, 10)},
        **{f"image_{n:02d}_caption": "SECRET" for n in (2, 1, 10)},
        "image_03_path": None,
    }
    (tmp_path / "test.jsonl").write_text(json.dumps(row))
    loaded = load(f"medthinkvqa:{tmp_path}")
    case = loaded.questions[0]
    assert (case.stem, case.answer, case.labels) == ("A man with a cough.", "B", ("A", "B", "D", "E"))
    assert file_keys(case) == ["1.png", "2.png", "10.png"]
    assert {image.view for image in case.images} == {""}
    assert "SECRET" not in case.stem + "".join(option.text for option in case.options)
    assert {"title", "IMAGING_FINDINGS", "discussion", "image_10_caption"} <= set(case.hidden)
    assert loaded.data_use == "restricted"


@pytest.mark.parametrize(
    "row",
    [
        {"image": IMAGES[1], "query": "How much?", "label": ["14", "fourteen"], "human_or_machine": 0},
        {"image": IMAGES[1], "question": "How much?", "answer": "14", "type": "human_test"},
    ],
)
def test_chartqa(tmp_path, row):
    parquet(tmp_path, "data/test-0.parquet", [row])
    case = load(f"chartqa:{tmp_path}").questions[0]
    assert (case.stem, case.answer, case.answer_type, grey(case)) == ("How much?", "14", "open", 40)
    assert case.also_accepted == (("fourteen",) if "query" in row else ())


def test_scienceqa_keeps_items_with_images(tmp_path):
    row = {
        "image": IMAGES[1],
        "question": "Which?",
        "choices": ["air", "sea"],
        "answer": 1,
        "hint": "Look.",
        "solution": "x",
    }
    rows = [row, {**row, "image": None}, {**row, "answer": 2}, {**row, "answer": None}]
    parquet(tmp_path, "data/test-0.parquet", rows)
    loaded = load(f"scienceqa:{tmp_path}")
    case = loaded.questions[0]
    assert (case.stem, case.answer, grey(case)) == ("Look.\nWhich?", "B", 40)
    assert set(case.hidden) == {"answer", "solution"}
    assert {step.reason: step.removed for step in loaded.funnel.steps} == {
        "no image (images=all keeps them)": 1,
        "answer not among the options": 1,
        "a field that cannot be understood": 1,
    }
    assert [case.id for case in load(f"scienceqa:{tmp_path},images=all").cases] == ["test-0", "test-1"]


def test_vqav2_takes_the_commonest_answer(tmp_path, file_keys):
    given = ["red"] * 4 + ["dark red"] * 4 + ["pink"] * 2
    row = {
        "image": IMAGES[1],
        "question": "What colour?",
        "question_id": 99,
        "image_id": 7,
        "answer_type": "other",
        "multiple_choice_answer": "dark red",
        "answers": [{"answer": each, "answer_id": n} for n, each in enumerate(given)],
    }
    yes = {**row, "question_id": 100, "answer_type": "yes/no", "answers": [{"answer": "yes", "answer_id": 0}] * 10}
    parquet(tmp_path, "data/validation-0.parquet", [row, yes, {**row, "question_id": 101, "answers": None}])
    text = tmp_path / "as_text.jsonl"
    plain = {**row, "image": "[1].jpg", "answers": "['red', 'pink', 'pink']"}
    text.write_text("\n".join(json.dumps(each) for each in (plain, {**plain, "answers": "red"})))
    spelled = load(f"vqav2:{text}")
    assert [case.answer for case in spelled.questions] == ["pink"]
    assert file_keys(spelled.questions[0]) == ["[1].jpg"]
    assert spelled.funnel.steps[0].reason == "a field that cannot be understood"
    loaded = load(f"vqav2:{tmp_path}")
    assert [(case.id, case.accepted, case.answer_type) for case in loaded.questions] == [
        ("99", ("dark red", "red"), "open"),
        ("100", ("yes",), "closed"),
    ]
    assert loaded.questions[0].group == "7"
    assert loaded.funnel.steps[0].reason == "no answer"
    assert agreed_answers(["a", "b", "b", "", "c"]) == ("b",)
    assert agreed_answers([]) == ()


def test_gqa_joins_its_two_tables(tmp_path):
    question = {"id": "201", "imageId": "n5", "question": "Is it?", "answer": "yes", "fullAnswer": "Yes, it is."}
    other = {**question, "id": "202", "imageId": "n6"}
    parquet(tmp_path, "testdev_balanced_instructions/testdev-0.parquet", [question, other])
    parquet(tmp_path, "testdev_balanced_images/testdev-0.parquet", [{"id": "n5", "image": IMAGES[3]}])
    parquet(tmp_path, "testdev_all_instructions/testdev-0.parquet", [question] * 5)
    loaded = load(f"gqa:{tmp_path}")
    assert [(case.id, case.group, case.answer_type) for case in loaded.questions] == [
        ("201", "n5", "closed"),
        ("202", "n6", "closed"),
    ]
    assert grey(loaded.questions[0]) == 120
    assert "1 of 1 image files are missing" in loaded.funnel.notes[0]
    assert "fullAnswer" in loaded.questions[0].hidden


@pytest.mark.parametrize(
    "name", ["chartqa", "scienceqa", "vqav2", "gqa", "medthinkvqa", "path-vqa", "mmmu", "mmmu-pro"]
)
def test_other_layouts_are_named(tmp_path, name):
    with pytest.raises(DataError, match=rf"{name}: no table files .* were found\. The folder .* is empty"):
        load(f"{name}:{tmp_path}")
    parquet(tmp_path, "data/x.parquet", [{"strange": 1}])
    with pytest.raises(DataError, match=rf"{name}: .*"):
        load(f"{name}:{tmp_path}")
