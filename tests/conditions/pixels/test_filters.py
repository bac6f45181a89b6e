"""Deterministic operations against independent arithmetic."""

from __future__ import annotations

import io
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Pixels
from perimetry.conditions.pixels import Blank, Blur, Contrast, GridMask, Jpeg, Resolution, box_average
from perimetry.conditions.pixels.resample import box_sums, enlarge


def test_blank() -> None:
    pixels = np.array([[0, 255], [255, 255]], dtype=np.uint8)
    assert (Blank(0).apply(pixels, "d") == 0).all()
    assert (Blank().apply(pixels, "d") == 127).all()
    assert (Blank("mean").apply(pixels, "d") == 191).all()  # 191.25
    assert (Blank("mean").apply(np.array([[1, 2]], np.uint8), "d") == 2).all()  # 1.5, half up


@pytest.mark.parametrize(
    ("shape", "boxes"),
    [
        ((7, 5), (3, 2)),
        ((3, 4), (5, 9)),
        ((32, 32), (32, 32)),
        ((1, 1), (4, 4)),
        ((300, 2), (1, 1)),
        ((9, 8, 3), (4, 3)),
    ],
)
def test_box_sums_against_overlaps_counted_one_by_one(shape: tuple[int, ...], boxes: tuple[int, int]) -> None:
    pixels = (np.arange(np.prod(shape)) * 37 % 256).astype(np.uint8).reshape(shape)
    pixels[0] = 255

    def overlaps(length: int, parts: int) -> np.ndarray:
        return np.array(
            [
                [max(0, min((i + 1) * parts, (j + 1) * length) - max(i * parts, j * length)) for i in range(length)]
                for j in range(parts)
            ]
        )

    down, across = overlaps(shape[0], boxes[0]), overlaps(shape[1], boxes[1])
    expected = np.einsum("ih,hw...,jw->ij...", down, pixels.astype(np.int64), across)
    assert np.array_equal(box_sums(pixels, *boxes), expected)
    assert np.allclose(box_average(pixels, *boxes), expected / (shape[0] * shape[1]), rtol=1e-15)


def test_box_sums_of_the_brightest_tall_image_do_not_overflow() -> None:
    pixels = np.full((258 * 3, 2), 255, dtype=np.uint8)
    assert (box_average(pixels, 3, 1) == 255).all()
    assert (box_average(np.full((70_000, 1), 255, dtype=np.uint8), 1, 1) == 255).all()


def test_enlarge_repeats_pixels() -> None:
    small = np.array([[1, 2], [3, 4]], dtype=np.uint8)
    assert np.array_equal(enlarge(small, 4, 6), np.kron(small, np.ones((2, 3), dtype=np.uint8)))


def test_resolution_averages_even_boxes_and_leaves_small_images(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(40, 60)
    out = Resolution(10).apply(pixels, "d")
    means = pixels.reshape(10, 4, 15, 4).mean(axis=(1, 3))
    assert np.array_equal(out, np.kron(np.floor(means + 0.5), np.ones((4, 4))))
    assert np.array_equal(Resolution(40).apply(pixels, "d"), pixels)


def test_blur_against_scipy(pattern: Callable[..., Pixels]) -> None:
    from scipy.ndimage import gaussian_filter

    for colour in (False, True):
        pixels = pattern(100, 112, colour=colour)
        sigma = 3 * 100 / 224
        axes = (sigma, sigma, 0) if colour else (sigma, sigma)
        expected = gaussian_filter(pixels.astype(float), axes, mode="reflect", radius=int(np.ceil(3 * sigma)))
        assert np.abs(Blur(3).apply(pixels, "d") - expected).max() <= 0.5 + 0.02


def test_blur_keeps_a_constant_and_scales_with_the_image() -> None:
    assert (Blur(6).apply(np.full((50, 60), 201, np.uint8), "d") == 201).all()
    small = np.zeros((112, 112), dtype=np.uint8)
    small[40:72, 40:72] = 200
    large = np.kron(small, np.ones((4, 4), dtype=np.uint8))
    averaged = Blur(4).apply(large, "d").reshape(112, 4, 112, 4).mean(axis=(1, 3))
    assert np.abs(averaged - Blur(4).apply(small, "d")).max() < 4


def test_contrast_exactly(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(colour=True)
    mean = Fraction(int(pixels.astype(np.int64).sum()), pixels.size)
    expected = [int(mean + (value - mean) * Fraction(30, 100) + Fraction(1, 2)) for value in pixels.ravel().tolist()]
    assert Contrast(30).apply(pixels, "d").ravel().tolist() == expected
    assert np.array_equal(Contrast(100).apply(pixels, "d"), pixels)


def test_jpeg_is_a_round_trip_and_worse_at_lower_quality(pattern: Callable[..., Pixels]) -> None:
    from PIL import Image as PillowImage

    pixels = pattern(64, 64, colour=True)
    buffer = io.BytesIO()
    PillowImage.fromarray(pixels).save(buffer, "JPEG", quality=25, subsampling="4:2:0")
    assert np.array_equal(Jpeg(25).apply(pixels, "d"), np.asarray(PillowImage.open(buffer)))
    errors = [np.abs(Jpeg(quality).apply(pattern(), "d") - pattern().astype(float)).mean() for quality in (95, 25, 7)]
    assert errors == sorted(errors)
    assert 0 < errors[0] < errors[2]


def test_image_that_jpeg_cannot_hold_is_an_error_of_that_image_alone() -> None:
    with pytest.raises(ImageError, match="65600x1 pixels cannot be a JPEG"):
        Jpeg(25).apply(np.zeros((1, 65_600), dtype=np.uint8), "digest")


@pytest.mark.parametrize("fraction", [0.1, 0.25, 0.5, 0.75, 0.9])
@pytest.mark.parametrize("shape", [(256, 256), (101, 257), (512, 333)])
def test_gridmask_covers_the_share_evenly(fraction: float, shape: tuple[int, int]) -> None:
    pixels = np.full(shape, 10, dtype=np.uint8)
    covered = GridMask(fraction).apply(pixels, "d") == 127
    # Rows and columns covered are each within half a pixel of the root of the share.
    assert abs(covered.mean() - fraction) <= 0.5 / shape[0] + 0.5 / shape[1] + 1e-4
    quarters = [covered[: shape[0] // 2], covered[shape[0] // 2 :], covered[:, : shape[1] // 2]]
    assert max(abs(quarter.mean() - fraction) for quarter in quarters) < 0.05
    assert np.array_equal(covered, np.outer(covered.any(axis=1), covered.any(axis=0)))


def test_gridmask_counts_its_cells() -> None:
    covered = GridMask(0.25, cells=4).apply(np.zeros((80, 160), dtype=np.uint8), "d") == 127
    rises = np.diff(covered.any(axis=1).astype(int), prepend=0) == 1
    assert rises.sum() == 4
    assert (np.diff(covered.any(axis=0).astype(int), prepend=0) == 1).sum() == 8
