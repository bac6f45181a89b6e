"""Decoded images that are kept: the same pixels, decoded once, within a bound."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.png import encode_png
from perimetry.cases.sources.file import FileSource
from perimetry.conditions.pixels import AddNoise, Shuffle
from perimetry.models.decoded import DecodedImages
from perimetry.models.rendering import ImagePolicy, render


@dataclass(eq=False)
class Counted:
    """A source that counts its readings and takes its time."""

    number: int
    broken: bool = False
    readings: list[int] = field(default_factory=list)
    held: Pixels = field(default_factory=lambda: np.arange(60, dtype=np.uint8).reshape(6, 10))

    @property
    def digest(self) -> str:
        return f"{self.number:032x}"

    @property
    def name(self) -> str:
        return f"image {self.number}"

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        self.readings.append(threading.get_ident())
        time.sleep(0.02)
        if self.broken:
            raise ImageError(f"{self.name} is broken")
        return self.held

    def encoded(self) -> None:
        return None


def test_rendering_gives_the_same_bytes_with_and_without():
    decoded = DecodedImages()
    for operations in ((), (Shuffle(),), (Shuffle(7), AddNoise(40))):
        image = Image(Counted(1), operations)
        assert render(image, ImagePolicy(), decoded) == render(image)


def test_many_threads_decode_an_image_once():
    source, decoded = Counted(1), DecodedImages()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: decoded.source(Image(source)), range(16)))
    assert len(source.readings) == 1
    assert all(np.array_equal(pixels, source.held) for pixels in found)


def test_what_is_kept_cannot_be_written_to_and_the_source_still_can():
    source, decoded = Counted(1), DecodedImages()
    with pytest.raises(ValueError, match="read-only"):
        decoded.source(Image(source))[0, 0] = 1
    assert source.held.flags.writeable


def test_the_image_that_was_asked_for_longest_ago_goes_first():
    sources, decoded = [Counted(number) for number in range(3)], DecodedImages(kept_bytes=120)
    for number in (0, 1, 0, 2, 0, 1):
        decoded.source(Image(sources[number]))
    # The third image drove out the second, which was then decoded anew; the first was never let go.
    assert [len(source.readings) for source in sources] == [1, 2, 1]


def test_an_image_above_the_bound_is_not_kept():
    source, decoded = Counted(1), DecodedImages(kept_bytes=59)
    for _ in range(2):
        assert np.array_equal(decoded.source(Image(source)), source.held)
    assert len(source.readings) == 2


def test_everybody_who_waits_for_a_broken_image_is_told_and_it_is_tried_again():
    source, decoded = Counted(1, broken=True), DecodedImages()

    def told(_: int) -> str:
        with pytest.raises(ImageError) as caught:
            decoded.source(Image(source))
        return str(caught.value)

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(told, range(4))) == {"image 1 is broken"}
    source.broken = False
    assert np.array_equal(decoded.source(Image(source)), source.held)


def test_a_file_that_was_replaced_is_decoded_anew(tmp_path: Path):
    path, decoded = tmp_path / "a.png", DecodedImages()
    image = Image(FileSource(path))
    for value in (3, 200):
        path.write_bytes(encode_png(np.full((4, 4 + value), value, np.uint8)))
        assert decoded.source(image)[0, 0] == value
