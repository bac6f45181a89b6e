"""Which files are passed on as they are."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from perimetry.cases.sources.passthrough import media_type


def png(**save: object) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.arange(64, dtype=np.uint8).reshape(8, 8)).save(buffer, format="PNG", **save)
    return buffer.getvalue()


def exif(orientation: int) -> Image.Exif:
    marks = Image.Exif()
    marks[0x0112] = orientation
    return marks


def late_exif(data: bytes) -> bytes:
    """The same PNG with its eXIf chunk moved behind the pixels, where Pillow only finds it by decoding them."""
    start = data.index(b"eXIf") - 4
    length = int.from_bytes(data[start : start + 4], "big") + 12
    chunk, rest = data[start : start + length], data[:start] + data[start + length :]
    return rest[:-12] + chunk + rest[-12:]


def xmp(orientation: int, compressed: bool) -> bytes:
    text = f'<x:xmpmeta xmlns:x="adobe:ns:meta/" tiff:Orientation="{orientation}"/>'
    info = PngInfo()
    info.add_itxt("XML:com.adobe.xmp", text, zip=compressed)
    return png(pnginfo=info)


def test_a_plain_png_is_passed_on_without_being_decoded(monkeypatch):
    data = png()

    def load(self: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", load)
    assert media_type(data) == "image/png"


@pytest.mark.parametrize("place", [lambda data: data, late_exif])
def test_a_turned_png_is_not_passed_on_wherever_it_says_so(place):
    assert media_type(place(png(exif=exif(6)))) is None
    assert media_type(place(png(exif=exif(1)))) == "image/png"


@pytest.mark.parametrize("compressed", [False, True])
def test_a_png_turned_by_its_xmp_is_not_passed_on(compressed):
    assert media_type(xmp(6, compressed)) is None
    assert media_type(xmp(1, compressed)) == "image/png"
