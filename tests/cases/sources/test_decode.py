"""Decoding is compared with pixels that were known before they were encoded."""

from __future__ import annotations

import io
import struct
import sys
import zlib

import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import TiffImagePlugin

from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.sources.decode import decode, pixel_limit

RNG = np.random.default_rng(0)
GREY = RNG.integers(0, 256, (13, 17), dtype=np.uint8)
COLOUR = RNG.integers(0, 256, (13, 17, 3), dtype=np.uint8)


def saved(image: PillowImage.Image, kind: str = "PNG", **options) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("pixels", [GREY, COLOUR], ids=["grey", "rgb"])
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP"])
def test_eight_bits_come_back_unchanged(pixels, kind):
    decoded = decode(saved(PillowImage.fromarray(pixels), kind), "it")
    assert np.array_equal(decoded.pixels, pixels)
    assert decoded.pixels.dtype == np.uint8
    assert decoded.conversion == ""


def test_one_bit_becomes_grey():
    bits = GREY > 127
    decoded = decode(saved(PillowImage.fromarray(bits)), "it")
    assert np.array_equal(decoded.pixels, np.where(bits, 255, 0))
    assert decoded.conversion == "1 to L"


def test_palette_becomes_its_colours():
    image = PillowImage.fromarray(GREY % 4)
    image.putpalette([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120])
    palette = np.array([[10, 20, 30], [40, 50, 60], [70, 80, 90], [100, 110, 120]], np.uint8)
    image = image.convert("P") if image.mode != "P" else image
    assert np.array_equal(decode(saved(image), "it").pixels, palette[GREY % 4])


def test_opaque_alpha_is_dropped():
    opaque = np.dstack([COLOUR, np.full(GREY.shape, 255, np.uint8)])
    assert np.array_equal(decode(saved(PillowImage.fromarray(opaque)), "it").pixels, COLOUR)
    grey = np.dstack([GREY, np.full(GREY.shape, 255, np.uint8)])
    assert np.array_equal(decode(saved(PillowImage.fromarray(grey)), "it").pixels, GREY)


def test_alpha_is_laid_on_black():
    alpha = RNG.integers(0, 256, GREY.shape, dtype=np.uint8)
    decoded = decode(saved(PillowImage.fromarray(np.dstack([COLOUR, alpha]))), "it")
    exact = COLOUR * (alpha[..., None] / 255.0)
    assert np.abs(decoded.pixels - exact).max() <= 0.5 + 1e-9
    assert decoded.conversion == "alpha laid on black"
    decoded = decode(saved(PillowImage.fromarray(np.dstack([GREY, alpha]))), "it")
    assert decoded.pixels.shape == GREY.shape
    assert np.abs(decoded.pixels - GREY * (alpha / 255.0)).max() <= 0.5 + 1e-9


def test_a_transparent_grey_value_becomes_black():
    grey = GREY.copy()
    grey[0, :5] = 200
    pixels = decode(saved(PillowImage.fromarray(grey), transparency=200), "it").pixels
    assert (pixels[grey == 200] == 0).all()
    assert np.array_equal(pixels[grey != 200], grey[grey != 200])


def test_cmyk_becomes_rgb():
    ink = np.zeros((4, 4, 4), np.uint8)
    ink[:2, :, 0] = 255
    pixels = decode(saved(PillowImage.fromarray(ink, "CMYK"), "TIFF"), "it").pixels
    assert pixels[0, 0].tolist() == [0, 255, 255]
    assert pixels[3, 3].tolist() == [255, 255, 255]


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_use_their_percentile_range(kind):
    values = RNG.integers(900, 3200, (60, 50)).astype(np.uint16)
    values[0, 0], values[-1, -1] = 0, 65535  # marks and dead pixels must not squeeze the rest
    low, high = np.percentile(values, (0.5, 99.5))
    expected = np.clip((values - low) / (high - low), 0, 1) * 255
    decoded = decode(saved(PillowImage.fromarray(values), kind), "it")
    assert np.abs(decoded.pixels - expected).max() <= 0.5 + 1e-6
    assert decoded.pixels.dtype == np.uint8
    assert "16-bit grey" in decoded.conversion
    assert f"{low:g}..{high:g}" in decoded.conversion


def test_sixteen_bit_white_is_zero_tiff_is_inverted():
    values = np.linspace(0, 60000, 400).astype(np.uint16).reshape(20, 20)
    plain = decode(saved(PillowImage.fromarray(values), "TIFF"), "it").pixels
    data = saved(PillowImage.fromarray(values), "TIFF", tiffinfo={262: 0})
    assert TiffImagePlugin.TiffImageFile(io.BytesIO(data)).tag_v2[262] == 0
    assert np.array_equal(decode(data, "it").pixels, 255 - plain)


def test_flat_and_unusual_deep_images_do_not_fail():
    flat = np.full((5, 5), 4000, np.uint16)
    assert (decode(saved(PillowImage.fromarray(flat)), "it").pixels == 0).all()
    floats = np.array([[0.0, 1.0], [np.nan, 2.0]], np.float32)
    pixels = decode(saved(PillowImage.fromarray(floats), "TIFF"), "it").pixels
    assert pixels[0, 0] == pixels[1, 0] == 0
    assert pixels[1, 1] == 255


@pytest.mark.parametrize("turn", range(1, 9))
def test_orientation_is_applied(turn):
    exif = PillowImage.Exif()
    exif[0x0112] = turn
    decoded = decode(saved(PillowImage.fromarray(GREY), exif=exif), "it")
    # What a viewer must do for each value (TIFF 6.0, tag Orientation).
    upright = {
        1: GREY,
        2: GREY[:, ::-1],
        3: GREY[::-1, ::-1],
        4: GREY[::-1],
        5: GREY.T,
        6: np.rot90(GREY, -1),
        7: np.rot90(GREY, 2).T,
        8: np.rot90(GREY, 1),
    }[turn]
    assert np.array_equal(decoded.pixels, upright)
    assert bool(decoded.conversion) == (turn != 1)


def test_zero_bytes():
    with pytest.raises(ImageError, match=r"heart\.png is empty \(0 bytes\)"):
        decode(b"", "heart.png")


def test_not_an_image():
    with pytest.raises(ImageError, match=r"heart\.png is not an image.*b'<html>no'.*Replace the file"):
        decode(b"<html>not found</html>", "heart.png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_truncated(kind):
    data = saved(PillowImage.fromarray(RNG.integers(0, 256, (200, 200), dtype=np.uint8)), kind)
    with pytest.raises(ImageError, match=r"heart"):
        decode(data[: len(data) // 2], "heart")


def huge_png(width: int, height: int) -> bytes:
    """The header of a huge PNG, with next to no data."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_bombs_are_refused_before_they_are_decoded():
    with pytest.raises(ImageError, match=r"bomb is too large: 9000 x 9000 = 81,000,000 pixels.*limit is 80,000,000"):
        decode(huge_png(9000, 9000), "bomb")
    with pytest.raises(ImageError, match=r"bomb is too large: .*3600000000 pixels.*Downscale the image"):
        decode(huge_png(60000, 60000), "bomb")


def test_the_limit_can_be_set(monkeypatch):
    monkeypatch.setenv("PERIMETRY_MAX_PIXELS", "100")
    assert pixel_limit() == 100
    with pytest.raises(ImageError, match=r"17 x 13 = 221 pixels.*limit is 100"):
        decode(saved(PillowImage.fromarray(GREY)), "it")
    monkeypatch.setenv("PERIMETRY_MAX_PIXELS", "many")
    with pytest.raises(UsageError, match="PERIMETRY_MAX_PIXELS is 'many'"):
        decode(saved(PillowImage.fromarray(GREY)), "it")


def test_dicom_without_the_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydicom", None)
    with pytest.raises(ImageError, match=r"scan\.dcm is a DICOM file.*perimetry\[dicom\]"):
        decode(b"\0" * 128 + b"DICM" + b"\0" * 20, "scan.dcm")
