import builtins
import importlib.util
import threading

import numpy as np
import pytest
from tests.screening.images.planting import phantom, plant_text

from perimetry.cases import UsageError
from perimetry.screening.images.ocr import open_reader, why_not
from perimetry.screening.images.quads import Quad, merged


@pytest.fixture(scope="module")
def reader():
    pytest.importorskip("rapidocr", reason="the extra ocr is not installed")
    opened = open_reader()
    yield opened
    opened.close()


@pytest.mark.parametrize("number", range(4))
def test_planted_text_is_located_and_read(reader, number):
    planted = plant_text(phantom(number, 512), number, "Left pleural effusion")
    (line,) = reader.read(planted.pixels).lines
    assert planted.frame.share_in(line.frame) > 0.5 and line.frame.area < 3 * planted.frame.area
    assert line.text.replace(" ", "").lower() == "leftpleuraleffusion"


def test_a_line_across_two_pieces_of_a_large_image_is_read_whole(reader):
    wide = np.full((300, 1500), 40, np.uint8)
    small = plant_text(np.full((40, 360), 40, np.uint8), 2, "left pleural effusion")
    wide[100:140, 560:920] = small.pixels
    (line,) = reader.read(wide).lines
    assert line.text.replace(" ", "").lower() == "leftpleuraleffusion"


def test_pixels_of_any_shape_are_taken_and_an_empty_picture_holds_no_text(reader):
    for shape in ((3, 2), (1, 400), (400, 1), (64, 64, 3)):
        assert reader.read(np.zeros(shape, np.uint8)).lines == ()


def test_it_reads_in_a_thread_of_its_own_and_says_what_failed(reader):
    class Broken:
        def __init__(self):
            self.threads = set()

        def __call__(self, *_, **__):
            self.threads.add(threading.current_thread())
            raise RuntimeError("network broke")

    broken = Broken()
    reading = type(reader)(broken, reader.thread).read(np.zeros((64, 64), np.uint8))
    assert reading.error == "text not read: RuntimeError: network broke" and reading.lines == ()
    assert threading.main_thread() not in broken.threads


def test_without_the_extra_one_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *_: None if name == "rapidocr" else builtins)
    assert "perimetry[ocr]" in why_not()
    with pytest.raises(UsageError, match=r"rapidocr: pip install 'perimetry\[ocr\]'"):
        open_reader()


def level(x, y, wide, high):
    return Quad(np.array([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], float))


def test_quads_of_one_line_are_joined_and_lines_above_each_other_are_not():
    (joined,) = merged([level(0, 10, 100, 20), level(80, 11, 90, 19)])
    assert (joined.bounds.x, joined.bounds.right) == (0, 170)
    assert len(merged([level(0, 10, 100, 20), level(0, 28, 100, 20)])) == 2
    assert len(merged([level(0, 10, 100, 20), level(120, 10, 100, 20)])) == 2


@pytest.mark.parametrize("number", [2, 3, 8])
def test_a_clean_phantom_holds_no_text(reader, number):
    assert reader.read(phantom(number, 512)).lines == ()
