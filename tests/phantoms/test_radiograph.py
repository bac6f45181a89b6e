import hashlib

import numpy as np
import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.phantoms.radiograph import RadiographSpec, layout, radiograph
from perimetry.phantoms.vocabulary import FINDINGS

PINNED = {
    (): "8676913871746e1fd11aab51c0d131927c91e626098f3ed668ec042bf14bcbf8",
    ("Pneumonia",): "afe8d61c8683bb849919b72afc94dfa0adc1bf736fd0a52ad284de28ee37708d",
    ("Cardiomegaly", "Edema"): "4235015651d84c8183897af38ea53ca71e364a422a2bcbc430c3835d961dda31",
    FINDINGS: "48cc6f29db73c6d2da55f7fa4e0efb1564f3799eca991f1fec7831c6b978bf70",
}
"""SHA-256 of phantoms of seed 5, 256 x 256, rounded to uint8. A change of drawing raises `DRAWING`."""


def digest(findings, size=256, seed=5):
    pixels = np.rint(radiograph(RadiographSpec(findings), size, seed).pixels).astype(np.uint8)
    return hashlib.sha256(pixels.tobytes()).hexdigest()


def inside(boxes, size):
    mask = np.zeros((size, size), dtype=bool)
    for box in boxes:
        mask[int(box.y) : int(box.y + box.height), int(box.x) : int(box.x + box.width)] = True
    return mask


@pytest.mark.parametrize("name", FINDINGS)
@pytest.mark.parametrize("size", [256, 320])
def test_a_finding_changes_its_boxes_and_nothing_else(name, size):
    for seed in range(4):
        without = radiograph(RadiographSpec(), size, seed)
        with_it = radiograph(RadiographSpec((name,)), size, seed)
        mask = inside(with_it.boxes, size)
        change = np.abs(with_it.pixels - without.pixels)
        assert with_it.findings == (name,)
        assert change[~mask].max() == 0.0
        # Visible: somewhere in each box it stands out of the grain (standard deviation 3) by far.
        for box in with_it.boxes:
            assert change[inside([box], size)].max() > 25.0
            assert box.classes == {name}
            assert box.finding


def test_boxes_lie_in_the_picture_and_keep_clear_of_each_other():
    for seed in range(40):
        drawn = layout(RadiographSpec(FINDINGS), seed)
        boxes = drawn.boxes(256)
        owners = np.zeros((256, 256), dtype=int)
        for box in boxes:
            assert 0 <= box.x < box.x + box.width <= 256
            assert 0 <= box.y < box.y + box.height <= 256
            owners[inside([box], 256)] += 1
        assert owners.max() == 1
        assert {name for name, _ in drawn.places}.isdisjoint(drawn.absent)
        assert {name for name, _ in drawn.places}.union(drawn.absent) == set(FINDINGS)


def test_what_finds_no_room_is_absent_and_the_first_take_precedence():
    crowded = [layout(RadiographSpec(FINDINGS), seed).absent for seed in range(40)]
    assert any(crowded)
    for seed in range(40):
        assert layout(RadiographSpec(FINDINGS[::-1]), seed).places[0][0] == FINDINGS[-1]


def test_overlap_gives_everything_room():
    assert all(layout(RadiographSpec(FINDINGS, overlap=True), seed).absent == () for seed in range(40))


def test_leaving_out_what_found_no_room_gives_the_same_picture():
    spec = RadiographSpec(FINDINGS)
    drawn = radiograph(spec, 128, 3)
    assert drawn.absent
    again = radiograph(RadiographSpec(drawn.findings), 128, 3)
    assert np.array_equal(drawn.pixels, again.pixels)
    assert drawn.boxes == again.boxes


@pytest.mark.parametrize("size", [64, 97, 256, 512])
def test_any_size_is_float32_in_range(size):
    drawn = radiograph(RadiographSpec(FINDINGS), size, 11)
    assert drawn.pixels.shape == (size, size)
    assert drawn.pixels.dtype == np.float32
    assert 0.0 <= drawn.pixels.min() < 30.0
    assert 200.0 < drawn.pixels.max() <= 255.0


def test_boxes_scale_with_the_size():
    small = layout(RadiographSpec(("Cardiomegaly",)), 4).boxes(128)[0]
    large = layout(RadiographSpec(("Cardiomegaly",)), 4).boxes(512)[0]
    assert abs(large.width - 4 * small.width) <= 4
    assert abs(large.x - 4 * small.x) <= 4


def test_lungs_are_dark_between_bright_ribs_and_heart():
    pixels = radiograph(RadiographSpec(), 256, 8).pixels
    heart, right_lung, left_lung = pixels[150:165, 125:150], pixels[80:150, 70:90], pixels[80:110, 170:190]
    assert heart.mean() > right_lung.mean() + 60
    assert heart.mean() > left_lung.mean() + 60
    assert pixels[:20, :20].mean() < 25  # air beside the neck


def test_another_seed_is_another_chest():
    one, other = (radiograph(RadiographSpec(), 256, seed).pixels for seed in (1, 2))
    assert np.abs(one - other).mean() > 3.0


@pytest.mark.parametrize(("findings", "expected"), PINNED.items(), ids=["none", "one", "two", "all"])
def test_pixels_are_pinned(findings, expected):
    assert digest(findings) == expected


def test_bad_requests_say_what_would_do():
    with pytest.raises(UnknownNameError, match="Pleural Effusion"):
        RadiographSpec(("Pleural Efusion",))
    with pytest.raises(UsageError, match="at most once"):
        RadiographSpec(("Edema", "Edema"))
    with pytest.raises(UsageError, match="found 32, expected 64 to 1024"):
        radiograph(RadiographSpec(), 32)
