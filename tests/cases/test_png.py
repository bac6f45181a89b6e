"""The PNG writer is proved by another decoder, pixel by pixel, and by its sizes beside Pillow's writer."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage

from perimetry.cases.png import encode_jpeg, encode_png

RNG = np.random.default_rng(5)


def decoded(data):
    image = PillowImage.open(io.BytesIO(data))
    image.verify()
    return np.asarray(PillowImage.open(io.BytesIO(data)))


def pillow_size(pixels: np.ndarray) -> int:
    buffer = io.BytesIO()
    PillowImage.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return len(buffer.getvalue())


def smooth(height, width):
    """A radiograph-like field: gradients, a few edges, a little noise."""
    y, x = np.mgrid[:height, :width].astype(float)
    field = 120 + 60 * np.sin(x / 90) * np.cos(y / 130) + 40 * ((x - width / 2) ** 2 + y**2 < (width / 3) ** 2)
    return np.clip(field + RNG.normal(0, 1.5, field.shape), 0, 255).astype(np.uint8)


PICTURES = {
    "smooth": smooth(300, 400),
    "shuffled": RNG.permutation(smooth(300, 400).ravel()).reshape(300, 400),
    "noise": RNG.integers(0, 256, (300, 400), dtype=np.uint8),
    "colour noise": RNG.integers(0, 256, (200, 300, 3), dtype=np.uint8),
    "blank": np.full((300, 400), 127, np.uint8),
    "rows": np.repeat(RNG.integers(0, 256, (300, 1), dtype=np.uint8), 400, axis=1),
    "columns": np.repeat(RNG.integers(0, 256, (1, 400), dtype=np.uint8), 300, axis=0),
    "equal channels": np.repeat(smooth(120, 150)[..., None], 3, axis=2),
    "tiled": np.tile(RNG.integers(0, 256, (40, 50, 3), dtype=np.uint8), (8, 8, 1)),
    "one pixel": np.array([[7]], np.uint8),
    "one row": RNG.integers(0, 256, (1, 9, 3), dtype=np.uint8),
    "not contiguous": smooth(300, 400)[::2, ::-3],
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("effort", ["fast", "small"])
def test_lossless(name, effort):
    pixels = PICTURES[name]
    before = pixels.copy()
    result = decoded(encode_png(pixels, effort))
    assert result.dtype == np.uint8
    assert np.array_equal(result, pixels)
    assert np.array_equal(pixels, before)


@settings(max_examples=60, deadline=None)
@given(
    height=st.integers(1, 70),
    width=st.integers(1, 40),
    colour=st.booleans(),
    levels=st.integers(1, 256),
    seed=st.integers(0, 2**32 - 1),
)
def test_lossless_for_any_shape(height, width, colour, levels, seed):
    shape = (height, width, 3) if colour else (height, width)
    pixels = np.random.default_rng(seed).integers(0, levels, shape, dtype=np.uint8)
    assert np.array_equal(decoded(encode_png(pixels)), pixels)


@pytest.mark.parametrize("name", ["smooth", "shuffled", "noise", "colour noise", "blank", "equal channels"])
def test_no_larger_than_pillows_fast_level(name):
    assert len(encode_png(PICTURES[name])) <= pillow_size(PICTURES[name])


@pytest.mark.parametrize("name", PICTURES)
def test_small_is_no_larger_than_fast(name):
    assert len(encode_png(PICTURES[name], "small")) <= len(encode_png(PICTURES[name])) + 16


def test_real_radiographs_are_no_larger_than_pillows(shared_data):
    for file in sorted((shared_data / "nih_cxr14" / "images").glob("*.png"))[::6]:
        pixels = np.asarray(PillowImage.open(file).convert("L"))
        data = encode_png(pixels)
        assert np.array_equal(decoded(data), pixels)
        assert len(data) <= 0.9 * pillow_size(pixels)
        shuffled = RNG.permutation(pixels.ravel()).reshape(pixels.shape)
        assert len(encode_png(shuffled)) <= pillow_size(shuffled)


def test_equal_channels_may_become_grey():
    pixels = PICTURES["equal channels"]
    data = encode_png(pixels, grey_if_equal=True)
    assert np.array_equal(decoded(data), pixels[..., 0])
    assert len(data) < len(encode_png(pixels)) / 2 + 2000
    odd = pixels.copy()
    odd[-1, -1, 2] ^= 1
    assert np.array_equal(decoded(encode_png(odd, grey_if_equal=True)), odd)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 4), np.uint16),
        np.zeros((0, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4,), np.uint8),
        np.zeros((2, 4, 4, 3), np.uint8),
    ],
)
def test_other_arrays_are_refused(pixels):
    with pytest.raises(ValueError, match=r"uint8 pixels .* were expected, found"):
        encode_png(pixels)
    with pytest.raises(ValueError, match=r"uint8 pixels .* were expected, found"):
        encode_jpeg(pixels)


def test_jpeg_is_close_and_keeps_colour_resolution():
    pixels = smooth(64, 64)
    assert np.abs(decoded(encode_jpeg(pixels, 95)).astype(int) - pixels).mean() < 2
    # One red column beside blue ones: halved colour resolution would smear it.
    stripes = np.zeros((32, 32, 3), np.uint8)
    stripes[..., 2] = 200
    stripes[:, 16] = (200, 0, 0)
    result = decoded(encode_jpeg(stripes, 100)).astype(int)
    assert np.abs(result - stripes).max() < 20
    assert len(encode_jpeg(pixels, 30)) < len(encode_jpeg(pixels, 95))
    with pytest.raises(ValueError, match="quality is 0"):
        encode_jpeg(pixels, 0)


@pytest.mark.parametrize("shape", [(256, 256), (256, 256, 3)])
def test_patterns_without_smoothness_are_still_matched(shape):
    """Scrambled neighbours alone do not mean noise: a chequered or tiled picture repeats itself."""
    cell = np.random.default_rng(0).choice(np.array([0, 60, 130, 200, 255], dtype=np.uint8), size=(8, 8))
    pixels = np.tile(cell, (shape[0] // 8, shape[1] // 8))
    pixels = pixels if len(shape) == 2 else np.stack([pixels] * 3, axis=-1)
    data = encode_png(pixels)
    assert np.array_equal(decoded(data), pixels)
    assert len(data) <= 1.1 * pillow_size(pixels)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_without_compression_the_pixels_are_the_same(name):
    pixels = PICTURES[name]
    data = encode_png(pixels, effort="none")
    assert np.array_equal(decoded(data), pixels)
    assert len(data) >= pixels.size
