"""Shuffles against a plain-Python oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from perimetry.cases.image import Pixels
from perimetry.conditions.pixels import PatchShuffle, Shuffle
from perimetry.statistics.streams import raw_integers


@pytest.mark.parametrize("colour", [False, True])
def test_shuffle_is_the_permutation_of_its_stream(colour: bool, pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(colour=colour)
    height, width = pixels.shape[:2]
    size = height * width
    raw = raw_integers(42, "shuffle", "digest", height, width, size=2 * size).tolist()
    halves = (half for word in raw for half in (word & 0xFFFFFFFF, word >> 32))
    order = list(range(size))
    # Durstenfeld's shuffle from the last place down, draws out of range passed over.
    for place in range(size - 1, 0, -1):
        mask = (1 << place.bit_length()) - 1
        other = next(draw for half in halves if (draw := half & mask) <= place)
        order[place], order[other] = order[other], order[place]
    expected = pixels.reshape(size, -1)[order].reshape(pixels.shape)
    assert np.array_equal(Shuffle().apply(pixels, "digest"), expected)


def test_shuffle_moves_channels_together(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(colour=True)
    out = Shuffle().apply(pixels, "digest")
    assert Counter(map(tuple, out.reshape(-1, 3).tolist())) == Counter(map(tuple, pixels.reshape(-1, 3).tolist()))
    grey = Shuffle().apply(np.ascontiguousarray(pixels[:, :, 1]), "digest")
    assert np.array_equal(out[:, :, 1], grey)


def test_shuffle_depends_on_seed_digest_and_size(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern()
    base = Shuffle().apply(pixels, "digest")
    assert not np.array_equal(base, Shuffle().apply(pixels, "other"))
    assert not np.array_equal(base, Shuffle(1).apply(pixels, "digest"))
    turned = Shuffle().apply(pixels.reshape(53, 37), "digest")
    assert not np.array_equal(base.ravel(), turned.ravel())


def test_shuffle_leaves_no_spatial_structure() -> None:
    rows, columns = np.mgrid[:128, :128]
    smooth = (rows + columns).astype(np.uint8)
    out = Shuffle().apply(smooth, "digest").astype(float)
    between = np.corrcoef(out[:, :-1].ravel(), out[:, 1:].ravel())[0, 1]
    assert abs(between) < 0.04  # five standard errors of 16,256 pairs
    assert abs(np.corrcoef(out.ravel(), smooth.ravel())[0, 1]) < 0.04


def test_tiles_move_whole_and_edges_among_themselves() -> None:
    pixels = np.arange(11 * 14, dtype=np.uint8).reshape(11, 14)
    out = PatchShuffle(4).apply(pixels, "digest")

    def tiles(image: Pixels, rows: range, columns: range, height: int, width: int) -> Counter[bytes]:
        return Counter(
            image[row : row + height, column : column + width].tobytes() for row in rows for column in columns
        )

    inner = (range(0, 8, 4), range(0, 12, 4), 4, 4)
    right = (range(0, 8, 4), range(12, 13), 4, 2)
    bottom = (range(8, 9), range(0, 12, 4), 3, 4)
    for rows, columns, height, width in (inner, right, bottom):
        assert tiles(out, rows, columns, height, width) == tiles(pixels, rows, columns, height, width)
    assert np.array_equal(out[8:, 12:], pixels[8:, 12:])
    assert not np.array_equal(out[:8, :12], pixels[:8, :12])


def test_tile_of_one_pixel_permutes_pixels_and_a_large_one_nothing(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern()
    ones = PatchShuffle(1).apply(pixels, "digest")
    assert Counter(ones.ravel().tolist()) == Counter(pixels.ravel().tolist())
    assert not np.array_equal(ones, pixels)
    assert np.array_equal(PatchShuffle(64).apply(pixels, "digest"), pixels)
