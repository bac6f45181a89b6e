"""MMMU and MMMU-Pro: image marks, options in a string, subjects, configurations."""

from __future__ import annotations

import ast
import json

import numpy as np
import polars as pl
import pytest

from perimetry.cases import UsageError, load
from perimetry.cases.png import encode_png

PICTURES = {n: np.full((3, 3), 10 * n, np.uint8) for n in range(1, 8)}


def item(identity, question, options, answer, held=(), **more):
    images = {
        f"image_{n}": {"bytes": encode_png(PICTURES[n]), "path": f"{n}.png"} if n in held else None for n in PICTURES
    }
    return {"id": identity, "question": question, "options": options, "answer": answer, **images, **more}


ITEMS = [
    item("validation_Pharmacy_1", "See <image 1>.", "['x', 'y']", "B", (1,), explanation="secret"),
    item("validation_Pharmacy_2", "Which one fits <image 3>?", "['<image 1>', 'left <image 2>']", "A", (1, 2, 3)),
    item("validation_Pharmacy_3", "First <image 4>, then <image 2>.", "['x', 'y', 'z']", "C", (1, 2, 4)),
    item("validation_Pharmacy_4", "How many?", "[]", "['3', 'three']", (1, 2), question_type="open"),
    item("validation_Pharmacy_5", "Is it so?", "[]", "yes", ()),
    item("validation_Pharmacy_6", "See <image 1>.", "__import__('os').getcwd()", "A", (1,)),
    item("validation_Pharmacy_7", "See <image 5>.", "['x', 'y']", "A", (1,)),
    item("validation_Pharmacy_8", "See <image 1>.", "['x', 'y']", "?", (1,)),
    item("validation_Pharmacy_9", "See <image 1>.", "['<image 2> <image 3>', 'y']", "A", (1, 2, 3)),
    item("validation_Art_1", "See <image 1>.", "['x', 'y']", "B", (1,)),
]


def greys(images):
    return [int(image.pixels()[0, 0]) // 10 for image in images]


@pytest.fixture
def snapshot(tmp_path):
    for subject in ("Pharmacy", "Art"):
        rows = [row for row in ITEMS if subject in row["id"]]
        (tmp_path / subject).mkdir()
        names = dict.fromkeys(name for row in ITEMS for name in row)
        frame = pl.DataFrame([{name: row.get(name) for name in names} for row in rows], infer_schema_length=None)
        frame.write_parquet(tmp_path / subject / "validation-00000-of-00001.parquet")
    return tmp_path


def test_images_follow_their_marks(snapshot):
    cases = {case.id.rsplit("_", 1)[1]: case for case in load(f"mmmu:{snapshot}").questions}
    assert greys(cases["1"].images) == [1]
    assert (cases["2"].stem, greys(cases["2"].images)) == ("Which one fits <image 1>?", [3])
    assert [(o.label, o.text, greys([o.image])) for o in cases["2"].options] == [("A", "", [1]), ("B", "left", [2])]
    # Marks are renumbered in the order of the images; one that only the explanation shows stays out.
    assert (cases["3"].stem, greys(cases["3"].images)) == ("First <image 1>, then <image 2>.", [4, 2])
    assert (cases["4"].answer_type, cases["4"].accepted, greys(cases["4"].images)) == ("open", ("3", "three"), [1, 2])
    assert (cases["5"].answer_type, cases["5"].images) == ("closed", ())
    assert cases["1"].hidden == {
        "id": "validation_Pharmacy_1",
        "explanation": "secret",
        "subject": "Pharmacy",
    }


def test_what_cannot_be_used_is_counted(snapshot):
    loaded = load(f"mmmu:{snapshot}")
    left_out = {step.reason: step.examples for step in loaded.funnel.steps}
    assert left_out["of another subject"] == ("validation_Art_1 (Art)",)
    assert left_out["no answer"] == ("validation_Pharmacy_8",)
    assert left_out["a field that cannot be understood"] == (
        "validation_Pharmacy_6: a list was expected, found \"__import__('os').getcwd()\"",
        "validation_Pharmacy_7: <image 5> is named, but the item holds no such image",
        "validation_Pharmacy_9: option A names 2 images; one was expected",
    )
    assert len(loaded.cases) == 5


def test_subjects(snapshot):
    assert [case.id for case in load(f"mmmu:{snapshot},subjects=Art").cases] == ["validation_Art_1"]
    assert len(load(f"mmmu:{snapshot},subjects=all").cases) == 6
    assert len(load(f"mmmu:{snapshot},subjects=Art+Pharmacy").cases) == 6
    with pytest.raises(UsageError, match="The setting subjects is empty"):
        load(f"mmmu:{snapshot},subjects=")
    with pytest.raises(UsageError, match=r"no split 'dev' in .*; found: validation"):
        load(f"mmmu:{snapshot}", split="dev")


def test_pro_configurations(tmp_path):
    for folder, options in (("standard (10 options)", list("abcdefghij")), ("standard (4 options)", list("abcd"))):
        (tmp_path / folder).mkdir()
        row = {**item("test_Pharmacy_1", "See <image 1>.", str(options), "D", (1,)), "subject": "Pharmacy"}
        pl.DataFrame([row]).write_parquet(tmp_path / folder / "test-00000-of-00001.parquet")
    (tmp_path / "vision").mkdir()
    row = {
        "id": "test_Pharmacy_1",
        "image": {"bytes": encode_png(PICTURES[7]), "path": None},
        "options": "['a', 'b']",
        "answer": "B",
        "subject": "Pharmacy",
    }
    pl.DataFrame([row]).write_parquet(tmp_path / "vision" / "test-00000-of-00001.parquet")
    assert len(load(f"mmmu-pro:{tmp_path}").questions[0].options) == 10
    assert len(load(f"mmmu-pro:{tmp_path},config=standard4").questions[0].options) == 4
    vision = load(f"mmmu-pro:{tmp_path},config=vision").questions[0]
    assert (vision.stem, vision.answer, greys(vision.images)) == ("", "B", [7])


def test_real_items_without_their_images(shared_data):
    file = shared_data / "mmmu_pro" / "gpt-4o_standard_10_options_direct.jsonl"
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    loaded = load(f"mmmu-pro:{file}")
    assert len(loaded.cases) == 286
    assert loaded.funnel.notes == [
        "286 items come without the images that they name: the table has none",
        "no case has an image: conditions that change or take away the image do not apply",
    ]
    for case, record in zip(loaded.questions, records, strict=True):
        assert case.answer == record["answer"]
        assert [option.text for option in case.options] == [str(o).strip() for o in ast.literal_eval(record["options"])]
        assert case.hidden["response"] == record["response"].strip()
