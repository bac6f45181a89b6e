"""Region conditions on examined studies: what they cover, when they apply, which of them are one request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases import Box, BytesSource, Examined, FileSource, Image, Study, UsageError
from perimetry.cases.box_sizes import box_sizes
from perimetry.cases.errors import ImageError
from perimetry.cases.examined import examine
from perimetry.cases.png import encode_png
from perimetry.cases.question import Question
from perimetry.conditions import Surroundings, parse_condition
from perimetry.conditions.kinds.occlusion import RegionCondition
from perimetry.phantoms import population

NAMES = ("oco", "doco", "ro", "romatched")
EDEMA, EFFUSION = frozenset({"Edema"}), frozenset({"Pleural Effusion"})


def picture(seed: int, height: int = 120, width: int = 100) -> Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width), dtype=np.uint8)
    return Image(BytesSource(encode_png(pixels), f"picture {seed}"))


SIZES = Surroundings(box_sizes={"made-up": ((0.1, 0.1), (0.2, 0.1))})
DISEASE = (Box(0, 10.5, 20, 30, 25.2, EDEMA), Box(0, 60, 80, 10, 10, EDEMA))
OTHER = (Box(0, 70, 10, 20, 20, EFFUSION),)
STUDY = Study("s", "made-up", "p", (picture(1),), boxes=(*DISEASE, *OTHER))
CASE = replace(STUDY, id="s#Edema", examined=Examined("s", "Edema", True, DISEASE, OTHER))


def condition(spelling: str) -> RegionCondition:
    found = parse_condition(spelling)
    assert isinstance(found, RegionCondition)
    return found


def changed(spelling: str, case: Study = CASE, surroundings: Surroundings = SIZES) -> np.ndarray:
    """Where a condition changes the first image."""
    out = condition(spelling).apply(case, surroundings)
    assert out is not None
    return np.asarray(out.images[0].pixels() != case.images[0].pixels())


def inside(boxes: tuple[Box, ...], height: int = 120, width: int = 100) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    mask = np.zeros((height, width), bool)
    for box in boxes:
        mask |= (rows + 1 > box.y) & (rows < box.y + box.height) & (columns + 1 > box.x) & (columns < box.x + box.width)
    return mask


def test_each_condition_covers_its_boxes_and_nothing_else() -> None:
    for name, boxes in (("oco", DISEASE), ("doco", OTHER)):
        mask = inside(boxes)
        moved = changed(f"{name}@100(fill=black)")
        black = CASE.images[0].pixels() == 0
        assert np.array_equal(moved, mask & ~black)
    for name in ("ro", "romatched"):
        assert not changed(f"{name}@100")[inside((*DISEASE, *OTHER))].any()
        found = condition(f"{name}@100").boxes(CASE, SIZES)
        assert found is not None
        black = CASE.images[0].pixels() == 0
        assert np.array_equal(changed(f"{name}@100(fill=black)"), inside(found) & ~black)


def test_measure_is_the_share_of_the_disease_area() -> None:
    area = inside(DISEASE).sum()
    for name in NAMES:
        found = condition(f"{name}@60").measure(CASE, SIZES)
        boxes = condition(f"{name}@60").boxes(CASE, SIZES)
        assert found is not None and boxes is not None
        assert found.area_share == pytest.approx(inside(boxes).sum() / area)
        assert found.boxes == len(boxes)
    matched = condition("romatched@100").measure(CASE, SIZES)
    assert matched is not None and matched.area_share == 1


def test_strengths_share_their_regions_and_zero_is_the_real_case() -> None:
    for name in NAMES:
        zero = condition(f"{name}@0")
        assert zero.recipe(CASE, SIZES) == ""
        assert zero.apply(CASE, SIZES) is CASE
        places = {condition(f"{name}@{strength}").boxes(CASE, SIZES) for strength in (0, 20, 40, 60, 80, 100)}
        assert len(places) == 1
        recipes = {condition(f"{name}@{strength}").recipe(CASE, SIZES) for strength in (0, 20, 40, 60, 80, 100)}
        assert len(recipes) == 6


def test_one_operation_an_image() -> None:
    for name in NAMES:
        out = condition(f"{name}@60").apply(CASE, SIZES)
        assert out is not None and len(out.images[0].operations) == 1


def test_conditions_that_cover_the_same_pixels_alike_are_one_request() -> None:
    other_way = replace(CASE, examined=Examined("s", "Pleural Effusion", True, OTHER, DISEASE))
    assert condition("oco@60").recipe(CASE, SIZES) == condition("doco@60").recipe(other_way, SIZES)
    assert condition("oco@60(fill=black,center=median)").recipe(CASE, SIZES) == condition("oco@60(fill=black)").recipe(
        CASE, SIZES
    )
    assert condition("oco@60").recipe(CASE, SIZES) != condition("oco@60(center=median)").recipe(CASE, SIZES)
    assert condition("oco@60").recipe(CASE, SIZES) != condition("oco@60").recipe(CASE, replace(SIZES, seed=7))


def test_noise_is_the_same_for_every_condition_and_strength() -> None:
    whole = parse_condition("fullnoise").apply(CASE, SIZES)
    assert whole is not None
    noise = whole.images[0].pixels()
    for name in NAMES:
        out = condition(f"{name}@100").apply(CASE, SIZES)
        boxes = condition(f"{name}@100").boxes(CASE, SIZES)
        assert out is not None and boxes is not None
        assert np.array_equal(out.images[0].pixels()[inside(boxes)], noise[inside(boxes)])


def test_when_it_does_not_apply(make_question: Callable[..., Question]) -> None:
    alone = replace(CASE, examined=Examined("s", "Edema", True, DISEASE))
    full = replace(CASE, examined=Examined("s", "Edema", True, (Box(0, 0, 0, 100, 120, EDEMA),)))
    for strength in (0, 60):
        assert condition(f"doco@{strength}").recipe(alone, SIZES) is None
        assert condition(f"doco@{strength}").apply(alone, SIZES) is None
        assert condition(f"doco@{strength}").boxes(alone, SIZES) is None
        assert condition(f"doco@{strength}").measure(alone, SIZES) is None
        for name in ("ro", "romatched"):
            assert condition(f"{name}@{strength}").recipe(full, SIZES) is None
        for case in (STUDY, make_question(1)):
            for name in NAMES:
                assert condition(f"{name}@{strength}").recipe(case, SIZES) is None
                assert condition(f"{name}@{strength}").apply(case, SIZES) is None
    assert parse_condition("fullnoise").recipe(make_question(1), SIZES) is not None
    assert parse_condition("fullnoise").recipe(make_question(1, images=()), SIZES) is None


def test_missing_box_sizes_are_told() -> None:
    with pytest.raises(UsageError, match="'made-up'; sizes found for: none"):
        condition("ro@100").recipe(CASE, Surroundings())


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("oco", "'strength' is missing; expected an integer from 0 to 100"),
        ("oco@101", "'strength' is '101'"),
        ("oco@60(fill=grey)", "'fill' is 'grey'; expected noise, black"),
        ("oco@60(blur=-1)", "'blur' is '-1'"),
        ("fullnoise(fill=inpaint)", "'fill' is 'inpaint'"),
        ("ro@60(center=mode)", "'center' is 'mode'; expected mean or median"),
    ],
)
def test_bad_spellings_are_told(spelling: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_condition(spelling)
    assert words in str(error.value)


def test_spelling_leaves_defaults_out() -> None:
    long = "oco@60( feather=0, fill=noise, blur=1.50, center=median )"
    assert parse_condition(long).spelling == "oco@60(blur=1.5,center=median)"
    assert parse_condition("romatched@100(fill=noise)").spelling == "romatched@100"


def test_an_unreadable_image_is_planned_and_fails_when_it_is_rendered(tmp_path: Path) -> None:
    case = replace(CASE, images=(Image(FileSource(tmp_path / "gone.png")),))
    for name in NAMES:
        one = condition(f"{name}@60")
        assert one.recipe(case, SIZES) is not None
        assert condition(f"{name}@0").recipe(case, SIZES) == ""
        assert one.measure(case, SIZES) is None and one.boxes(case, SIZES) is None
        out = one.apply(case, SIZES)
        assert out is not None
        with pytest.raises(ImageError, match=r"gone\.png does not exist"):
            out.images[0].pixels()
    alone = replace(case, examined=Examined("s", "Edema", True, DISEASE))
    assert condition("doco@60").recipe(alone, SIZES) is None


def test_regions_on_several_images() -> None:
    second = Box(1, 5, 5, 20, 20, EDEMA)
    case = replace(
        CASE,
        images=(picture(1), picture(2, 60, 60), picture(3)),
        examined=Examined("s", "Edema", True, (*DISEASE, second), OTHER),
    )
    out = condition("oco@100").apply(case, SIZES)
    assert out is not None
    assert [len(image.operations) for image in out.images] == [1, 1, 0]
    assert np.argwhere(out.images[1].pixels() != case.images[1].pixels()).max() < 25
    control = condition("romatched@100").measure(case, SIZES)
    assert control is not None and control.area_share == 1


def test_box_sizes_pass_over_what_cannot_be_right(tmp_path: Path) -> None:
    faulty = replace(STUDY, boxes=(Box(0, 90, 0, 30, 10, EDEMA),))
    gone = replace(STUDY, images=(Image(FileSource(tmp_path / "gone.png")),))
    sizes = box_sizes([STUDY, faulty, gone, replace(STUDY, boxes=())])
    assert sizes == tuple((box.width / 100, box.height / 120) for box in STUDY.boxes)


def test_planning_a_population_reads_no_pixels_and_controls_keep_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    from perimetry.phantoms.source import PhantomSource

    people = population(60, cooccurrence=0.8, seed=5)

    def refuse(self: PhantomSource) -> None:
        raise AssertionError("planning must not read pixels")

    monkeypatch.setattr(PhantomSource, "read", refuse)
    surroundings = Surroundings(box_sizes={"phantom": box_sizes(people.studies)})
    cases = examine(people.studies, min_images=5).cases
    assert len(cases) > 100
    for case in cases:
        assert case.examined is not None
        barred = inside((*case.examined.boxes, *case.examined.others), 256, 256)
        for name in NAMES:
            recipe = condition(f"{name}@60").recipe(case, surroundings)
            found = condition(f"{name}@60").boxes(case, surroundings)
            assert (recipe is None) == (found is None)
            if name in ("ro", "romatched") and found is not None:
                assert not (inside(found, 256, 256) & barred).any()
            assert recipe is None or len(recipe) < 1000
