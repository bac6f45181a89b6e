"""Who enters for a class, with which boxes; who stands in without it; what is left out and why."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from perimetry.cases import Box, BytesSource, Image, Study, UsageError
from perimetry.cases.errors import ImageError
from perimetry.cases.examined import Examination, examine, spill
from perimetry.cases.png import encode_png

EDEMA, EFFUSION, LESION = "Edema", "Pleural Effusion", "Lung Lesion"


def image(height: int = 100, width: int = 100) -> Image:
    return Image(BytesSource(encode_png(np.zeros((height, width), np.uint8)), "made"))


def box(x: float, y: float, width: float, height: float, *classes: str, image: int = 0) -> Box:
    return Box(image, x, y, width, height, frozenset(classes))


def study(
    name: str, *boxes: Box, labels: dict[str, float] | None = None, images: tuple[Image, ...] | None = None
) -> Study:
    return Study(name, "made-up", name, (image(),) if images is None else images, boxes=boxes, labels=labels or {})


def by_id(examination: Examination) -> dict[str, Study]:
    return {case.id: case for case in examination.cases}


def test_boxes_are_parted_by_class_and_overlap() -> None:
    disease = box(10, 10, 20, 20, EDEMA)
    both = box(60, 60, 10, 10, EDEMA, EFFUSION)
    far = box(60, 10, 20, 20, EFFUSION)
    near = box(15, 10, 20, 20, LESION)  # IoU 300 / 500
    case = by_id(examine([study("a", disease, both, far, near)], min_images=1))["a#Edema"]
    assert case.examined is not None
    assert case.examined.boxes == (disease, both)
    assert case.examined.others == (far,)
    assert case.study_id == "a"
    assert case.digest == study("a", disease, both, far, near).digest


def test_overlap_below_the_cut_with_every_box_is_needed() -> None:
    # IoU with the second disease box is exactly 0.15: 30 of 200.
    one, two = box(0, 80, 5, 5, EDEMA), box(0, 0, 10, 10, EDEMA)
    other = box(0, 7, 10, 13, EFFUSION)
    assert 30 / (100 + 130 - 30) == 0.15
    case = by_id(examine([study("a", one, two, other)], min_images=1))["a#Edema"]
    assert case.examined is not None and case.examined.others == ()
    case = by_id(examine([study("a", one, two, other)], min_images=1, max_iou=0.16))["a#Edema"]
    assert case.examined is not None and case.examined.others == (other,)


def test_small_box_inside_a_large_one_spills() -> None:
    inside = study("a", box(0, 0, 50, 50, EDEMA), box(0, 0, 10, 25, EFFUSION))
    beside = study("b", box(0, 0, 50, 50, EDEMA), box(60, 60, 10, 10, EFFUSION))
    found = by_id(examine([inside, beside], classes=[EDEMA], min_images=1))
    assert [spill(case.examined) for case in found.values() if case.examined] == [0.1, 0.0]
    cut = examine([inside, beside], classes=[EDEMA], min_images=1, max_spill=0.05)
    assert list(by_id(cut)) == ["b#Edema"]
    assert cut.spilled == {EDEMA: 1}


def test_classes_with_few_images_are_left_out_and_named() -> None:
    studies = [study(f"s{number}", box(5, 5, 9, 9, EDEMA)) for number in range(3)]
    studies.append(study("t", box(5, 5, 9, 9, LESION)))
    found = examine(studies, min_images=3, absent=False)
    assert found.classes == (EDEMA,) and found.images == {EDEMA: 3} and found.few == {LESION: 1}
    assert "Lung Lesion 1" in found.notes()[0]
    assert examine(studies, classes=[EFFUSION], min_images=1).few == {EFFUSION: 0}


def test_studies_without_the_class_get_the_boxes_of_donors_at_their_own_size() -> None:
    sick = [study(f"sick{number}", box(10, 20, 30, 40, EDEMA)) for number in range(4)]
    own = box(150, 10, 20, 10, EFFUSION)
    under = box(20, 10, 60, 20, EFFUSION)  # exactly where the donor's box comes to lie
    well = [study(f"well{number}", own, under, images=(image(50, 200),)) for number in range(9)]
    found = by_id(examine([*sick, *well], classes=[EDEMA], min_images=1))
    stand_ins = [case for case in found.values() if case.examined and not case.examined.present]
    assert len(stand_ins) == 4
    assert {case.examined.donor for case in stand_ins if case.examined} == {one.id for one in sick}
    for case in stand_ins:
        assert case.examined is not None
        (laid,) = case.examined.boxes
        assert (laid.x, laid.y, laid.width, laid.height) == (20, 10, 60, 20)
        assert case.examined.others == (own,)
        assert case.id == f"{case.study_id}#Edema"


def test_positive_or_uncertain_label_is_not_without_the_class() -> None:
    sick = [study(f"sick{number}", box(10, 20, 30, 40, EDEMA)) for number in range(4)]
    told = [study("positive", labels={EDEMA: 1}), study("uncertain", labels={EDEMA: -1})]
    free = [study("negative", labels={EDEMA: 0}), study("silent")]
    found = examine([*sick, *told, *free], classes=[EDEMA], min_images=1)
    assert {case.study_id for case in found.cases if case.examined and not case.examined.present} == {
        "negative",
        "silent",
    }
    assert found.lacking == {EDEMA: 2}


def test_the_draw_does_not_depend_on_the_order_of_the_studies() -> None:
    studies = [study(f"sick{number}", box(number, 20, 30, 40, EDEMA)) for number in range(5)]
    studies += [study(f"well{number}", box(70, 70, 5, 5, LESION)) for number in range(20)]
    first = by_id(examine(studies, min_images=1))
    random.Random(3).shuffle(studies)
    assert by_id(examine(studies, min_images=1)) == first
    assert by_id(examine(studies, min_images=1, seed=43)) != first


@pytest.mark.parametrize(
    ("bad", "kind", "words"),
    [
        (box(90, 10, 30, 10, EDEMA), "box outside its image", "image of 100 x 100"),
        (box(-2, 10, 30, 10, EDEMA), "box outside its image", "(-2, 10)"),
        (box(10, 10, 0, 10, EDEMA), "box of no area", "width 0"),
        (box(0.1, 0.2, 0.3, 0.4, EDEMA), "box in shares of the image where pixels are expected", "multiply"),
        (box(float("nan"), 1, 2, 3, EDEMA), "box that is not a number", "x nan"),
        (box(1, 1, 2, 3, EDEMA, image=1), "box on an image that the study has not", "the study has 1"),
    ],
)
def test_a_bad_box_costs_its_study_alone(bad: Box, kind: str, words: str) -> None:
    good = [study(f"s{number}", box(5, 5, 9, 9, EDEMA)) for number in range(3)]
    found = examine([good[0], study("bad", box(5, 5, 9, 9, EDEMA), bad), *good[1:]], min_images=1)
    assert {case.study_id for case in found.cases} == {one.id for one in good}
    (fault,) = found.faults
    assert (fault.study, fault.kind) == ("bad", kind)
    assert words in fault.detail and "box 2" in fault.detail
    assert any(kind in line and "bad" in line for line in found.notes())
    assert not any("bad" in line for line in found.notes(quoting=False))


def test_rounding_of_a_pixel_is_no_fault() -> None:
    assert examine([study("a", box(0, 0, 100.6, 100, EDEMA))], min_images=1).cases


def test_unknown_names_are_counted() -> None:
    found = examine([study("a", box(5, 5, 9, 9, "Goitre", EDEMA), box(50, 5, 9, 9, "Goitre"))], min_images=1)
    assert found.unknown == {"Goitre": 2}
    assert found.classes == (EDEMA,)


@dataclass(frozen=True)
class Unreadable:
    name: str = "gone.png"
    digest: str = "gone"

    @property
    def shape(self) -> tuple[int, int]:
        raise ImageError("gone.png does not exist.")

    def read(self) -> np.ndarray:
        raise ImageError("gone.png does not exist.")

    def encoded(self) -> None:
        return None


def test_an_unreadable_image_is_still_planned() -> None:
    gone = study("gone", box(500, 5, 9, 9, EDEMA), images=(Image(Unreadable()),))
    well = study("well")
    found = examine([gone, well], min_images=1)
    assert [case.id for case in found.cases] == ["gone#Edema"]
    # Its boxes cannot be laid on another image: its size is not known.
    assert found.unread == {EDEMA: 1} and not found.lacking and not found.faults
    assert any("cannot be read" in line for line in found.notes())
    here = study("here", box(5, 5, 9, 9, EDEMA))
    assert [case.id for case in examine([here, replace(gone, boxes=())], min_images=1).cases] == [
        "here#Edema",
        "gone#Edema",
    ]


def test_wrong_arguments_are_told() -> None:
    with pytest.raises(UsageError, match="Did you mean Edema"):
        examine([], classes=["Oedema"])
    with pytest.raises(UsageError, match="max_spill is 2"):
        examine([], max_spill=2)
    with pytest.raises(UsageError, match="min_images is 0"):
        examine([], min_images=0)


def test_a_class_that_spill_empties_is_named() -> None:
    inside = study("a", box(0, 0, 50, 50, EDEMA), box(0, 0, 10, 25, EFFUSION))
    found = examine([inside], min_images=1, max_spill=0.05)
    # The small box lies wholly under the large one as well.
    assert found.few == {EDEMA: 0, EFFUSION: 0}
    assert found.classes == () and not found.cases


def test_a_study_left_out_for_spill_is_no_study_without_the_class() -> None:
    inside = study("a", box(0, 0, 50, 50, EDEMA), box(0, 0, 10, 25, EFFUSION))
    beside = study("b", box(0, 0, 50, 50, EDEMA))
    found = examine([inside, beside, study("c")], classes=[EDEMA], min_images=1, max_spill=0.05)
    assert [case.id for case in found.cases] == ["b#Edema", "c#Edema"]
    assert found.lacking == {} and found.spilled == {EDEMA: 1}


def test_a_name_nobody_understood_is_told_and_never_stands_for_without() -> None:
    sick = study("a", box(10, 10, 20, 20, EDEMA), box(60, 60, 20, 20), labels={EDEMA: 1.0})
    unclear = study("b", labels={"oedema": 1.0})
    drawn_over = study("c", box(5, 5, 9, 9, "Edemas"))
    denied = study("d", labels={"oedema": 0.0})
    found = examine([sick, unclear, drawn_over], min_images=1)
    assert [case.id for case in found.cases] == ["a#Edema"]
    assert found.unclear == 2 and found.unclassed == 1 and found.lacking == {EDEMA: 1}
    assert found.unknown == {"Edemas": 1} and found.unknown_labels == {"oedema": 1}
    told = "\n".join(found.notes())
    assert "Edemas 1 (did you mean Edema?)" in told and "oedema 1 (did you mean Edema?)" in told
    assert "2 studies with such a name" in told and "1 boxes name no class" in told
    assert "d#Edema" in by_id(examine([sick, unclear, denied], min_images=1))


@pytest.mark.parametrize("name", ["pleural effusion", "PLEURAL_EFFUSION", " Pleural-Effusion", "PleuralEffusion"])
def test_classes_are_asked_for_in_any_spelling(name: str) -> None:
    assert examine([study("a", box(1, 1, 9, 9, EFFUSION))], classes=[name], min_images=1).images == {EFFUSION: 1}
