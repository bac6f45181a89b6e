"""Studies from records: names of classes, labels and boxes as people write them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from perimetry.cases.errors import CaseError
from perimetry.cases.image import Image
from perimetry.cases.png import encode_png
from perimetry.cases.records import study_from
from perimetry.cases.sources import BytesSource
from perimetry.cases.study import Study

BOX = {"image": 0, "x": 2, "y": 3, "width": 4, "height": 5}


def made(**values: Any) -> Study:
    import numpy as np

    image = Image(BytesSource(encode_png(np.zeros((20, 20), np.uint8)), "made"))
    return study_from({"id": "s1", **values}, "mine", (image,), "1")


@pytest.mark.parametrize("name", ["cardiomegaly", "CARDIOMEGALY", " Cardiomegaly "])
def test_a_class_is_known_in_any_case(name: str) -> None:
    study = made(labels={name: 1, "lung_opacity": "0", "pleural effusion": -1}, boxes=[{**BOX, "classes": [name]}])
    assert study.labels == {"Cardiomegaly": 1.0, "Lung Opacity": 0.0, "Pleural Effusion": -1.0}
    assert study.boxes[0].classes == {"Cardiomegaly"}


def test_other_names_stay_as_they_are_and_nothing_is_no_label() -> None:
    study = made(labels={"Hernia": 3, "Edema": None, "Pneumonia": math.nan, "Fracture": ""})
    assert study.labels == {"Hernia": 3.0}


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"edema": 5}, "label 'edema' is 5; expected 1"),
        ({"Edema": "x"}, "label 'Edema': a number was expected, found 'x'"),
        ({"Edema": math.inf}, "a finite number was expected"),
        ({"Edema": 1, "edema": 0}, "another spelling"),
    ],
)
def test_a_label_that_cannot_be_is_an_error_that_names_it(labels: dict[str, Any], told: str) -> None:
    with pytest.raises(CaseError, match=told):
        made(labels=labels)


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ([1, 2, 3, 4], "a box is"),
        ({"x1": 1, "y1": 2, "x2": 3, "y2": 4}, "width is x2 - x1"),
        ({"x": 1, "y": 2, "width": 3}, "a box has no height"),
        ({**BOX, "width": "wide"}, "box width: a number was expected, found 'wide'"),
    ],
)
def test_a_box_that_cannot_be_says_what_was_found_and_expected(box: Any, told: str) -> None:
    with pytest.raises(CaseError, match=told):
        made(boxes=[box])
