import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from tests.screening.images.planting import phantom, plant_mark, plant_text

from perimetry.screening.images.panels import burnt_in_panels
from perimetry.screening.images.perceptual import fingerprint, near_duplicates
from perimetry.screening.images.views import OVERLAP, PIECE, SIDE, views


@pytest.mark.parametrize(
    "size", [(1, 1), (40, 2000), (256, 256), (1100, 1100), (1101, 700), (1500, 2321), (5000, 3000)]
)
def test_views_cover_the_image_in_bounded_pieces(size):
    covered = np.zeros(size, bool)
    for view in views(*size):
        piece = view.piece
        assert max(piece.width, piece.height) <= PIECE
        assert view.width % 32 == view.height % 32 == 0 and max(view.width, view.height) <= SIDE
        covered[piece.y : piece.bottom, piece.x : piece.right] = True
    assert covered.all()


def test_pieces_overlap_by_more_than_the_highest_line():
    starts = sorted({(view.piece.x, view.piece.right) for view in views(500, 3000)})
    assert all(before[1] - after[0] >= OVERLAP - 1 for before, after in pairwise(starts))


def test_panels_side_by_side_and_above_each_other_have_gutters():
    one, two = phantom(1, 256), phantom(2, 256)
    across = np.hstack([one, np.full((256, 8), 255, np.uint8), two])
    (panel,) = burnt_in_panels(across)
    assert (panel.kind, panel.frame.x, panel.frame.width, panel.frame.height) == ("gutter", 256, 8, 256)
    (below,) = burnt_in_panels(across.T.copy())
    assert (below.frame.y, below.frame.height) == (256, 8)


def test_a_border_is_no_panel_and_a_plate_is_one():
    picture = phantom(3, 256)
    assert burnt_in_panels(np.pad(picture, 12, constant_values=255)) == ()
    picture = np.clip(picture.astype(int) + 40, 0, 220).astype(np.uint8)
    picture[100:140, 60:150] = 0
    picture[115:120, 80:130] = 255
    (panel,) = burnt_in_panels(picture)
    assert panel.kind == "plate" and (panel.frame.x, panel.frame.y) == (60, 100)


def test_clean_phantoms_have_no_panels():
    assert [burnt_in_panels(phantom(number, 320)) for number in range(20)] == [()] * 20


def changed(picture, number):
    """The same picture smaller, in JPEG of low quality, less contrasted, with text, with a box."""
    image = Image.fromarray(picture)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=50)
    boxed = plant_mark(picture, number, "colour")
    assert boxed is not None
    return [
        np.asarray(image.resize((200, 200), Image.Resampling.BICUBIC)),
        np.asarray(Image.open(file)),
        (picture * 0.8 + 20).astype(np.uint8),
        plant_text(picture, number).pixels,
        boxed.pixels,
    ]


def test_a_changed_picture_is_found_again_and_another_phantom_is_not():
    pictures = [phantom(number, 320) for number in range(12)]
    prints = {f"{number:02d}": fingerprint(picture) for number, picture in enumerate(pictures)}
    assert near_duplicates(prints) == {}
    for number, picture in enumerate(pictures):
        for step, other in enumerate(changed(picture, number)):
            found = near_duplicates({**prints, "new": fingerprint(other)})
            assert found == {f"{number:02d}": ("new",), "new": (f"{number:02d}",)}, (number, step)


def test_even_pictures_equal_one_another_only():
    even, full = fingerprint(np.full((50, 50), 9, np.uint8)), fingerprint(phantom(1, 256))
    assert even.alike(fingerprint(np.full((90, 40), 200, np.uint8)))
    assert not even.alike(full) and not full.alike(even)
