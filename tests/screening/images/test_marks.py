import numpy as np
import pytest
from PIL import Image, ImageDraw
from tests.screening.images.planting import phantom, plant_mark

from perimetry.screening.images.luma import picture_kind
from perimetry.screening.images.marks import drawn_marks
from perimetry.screening.images.reading import Frame

WANTED = {
    "box": {"white box"},
    "circle": {"white circle"},
    "arrow": {"white arrow", "white arrowhead"},
    "colour": {"coloured mark", "coloured area"},
}


def grey(side=128, level=70):
    return Image.fromarray(np.full((side, side, 3), level, np.uint8))


def kinds(picture, text=()):
    return [mark.kind for mark in drawn_marks(np.asarray(picture), text)]


@pytest.mark.parametrize("kind", WANTED)
def test_planted_marks_are_found_where_they_are(kind):
    found = asked = 0
    for number in range(8):
        planted = plant_mark(phantom(number, 320), number, kind)
        if planted is None:
            continue
        asked += 1
        found += any(
            mark.kind in WANTED[kind] and planted.frame.share_in(mark.frame.grown(3)) > 0.6
            for mark in drawn_marks(planted.pixels)
        )
    assert asked >= 5
    assert found >= asked - 2 if kind == "arrow" else found >= asked - 1


def test_clean_phantoms_have_none():
    assert [drawn_marks(phantom(number, 320)) for number in range(10)] == [()] * 10


def test_an_outline_with_a_line_across_is_still_one_mark_of_colour():
    picture = grey()
    draw = ImageDraw.Draw(picture)
    draw.ellipse((30, 30, 90, 90), outline=(0, 255, 0), width=2)
    draw.line((30, 60, 90, 60), fill=(0, 255, 0))
    assert kinds(picture) == ["coloured mark"]


def test_a_filled_colour_is_an_area_and_a_coloured_letter_no_mark():
    picture = grey()
    ImageDraw.Draw(picture).rectangle((30, 30, 60, 60), fill=(255, 0, 0))
    assert kinds(picture) == ["coloured area"]
    assert kinds(picture, [Frame(25, 25, 45, 45)]) == []


@pytest.mark.parametrize("level", [120, 180, 210])
def test_lines_that_are_not_white_are_left_to_anatomy(level):
    picture = grey()
    ImageDraw.Draw(picture).rectangle((30, 30, 90, 80), outline=(level,) * 3, width=3)
    assert kinds(picture) == []


def test_an_open_outline_and_a_filled_disc_are_neither_box_nor_circle():
    picture = grey()
    draw = ImageDraw.Draw(picture)
    draw.arc((20, 20, 80, 80), 0, 270, fill=(255, 255, 255), width=3)
    draw.ellipse((90, 90, 120, 120), fill=(255, 255, 255))
    assert not {"white box", "white circle"} & set(kinds(picture))


def test_a_plain_line_is_no_arrow():
    picture = grey()
    ImageDraw.Draw(picture).line((20, 20, 90, 70), fill=(255, 255, 255), width=3)
    assert kinds(picture) == []


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_arrows_are_found_whichever_way_they_point(turn):
    picture = grey(200)
    draw = ImageDraw.Draw(picture)
    draw.line((30, 64, 80, 64), fill=(255, 255, 255), width=3)
    draw.polygon([(95, 64), (80, 57), (80, 71)], fill=(255, 255, 255))
    assert kinds(picture.rotate(turn)) == ["white arrow"]


def test_colour_photographs_and_pages_are_not_looked_at():
    photograph = np.zeros((64, 64, 3), np.uint8)
    photograph[..., 0] = np.linspace(90, 255, 64).astype(np.uint8)
    page = grey(level=255)
    ImageDraw.Draw(page).rectangle((30, 30, 90, 80), outline=(255, 0, 0), width=2)
    assert (picture_kind(photograph), picture_kind(np.asarray(page))) == ("colour", "page")
    assert drawn_marks(photograph) == () and kinds(page) == []


def test_marks_move_with_the_picture():
    picture = np.full((160, 160), 70, np.uint8)
    picture[40:80, 40:90] = 255
    picture[43:77, 43:87] = 70
    (here,) = drawn_marks(picture)
    (there,) = drawn_marks(np.roll(picture, (17, 23), (0, 1)))
    assert (there.frame.x - here.frame.x, there.frame.y - here.frame.y) == (23, 17)
    assert (there.frame.width, there.frame.height, there.kind) == (here.frame.width, here.frame.height, here.kind)
