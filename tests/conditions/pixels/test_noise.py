"""The noise field against scipy's normal distribution."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from perimetry.conditions.pixels import AddNoise, normal_field
from perimetry.conditions.pixels.noise import UNITS_PER_SD, _quantiles
from perimetry.statistics.streams import raw_integers


def test_table_is_the_inverse_normal_distribution() -> None:
    from scipy.stats import norm

    table = _quantiles()
    expected = norm.ppf((np.arange(65536) + 0.5) / 65536)
    assert np.abs(table / UNITS_PER_SD - expected).max() <= 0.5 / UNITS_PER_SD + 1e-9
    assert np.array_equal(table, -table[::-1])
    assert abs((table / UNITS_PER_SD).std() - 1) < 1e-3
    assert not table.flags.writeable
    digest = hashlib.sha256(table.astype("<i2").tobytes()).hexdigest()
    assert digest == "1ea009ce409dac97d6bd609266910f809c5fb912f78e16bd89145b08174d6fc5"


def test_field_takes_sixteen_bits_a_value_low_bits_first() -> None:
    field = normal_field(42, "noise", "digest", (3, 5))
    raw = raw_integers(42, "noise", "digest", 3, 5, size=4).tolist()
    draws = [(value >> shift) & 0xFFFF for value in raw for shift in (0, 16, 32, 48)][:15]
    expected = np.array([_quantiles()[draw] for draw in draws]).reshape(3, 5) / UNITS_PER_SD
    assert field.dtype == np.float32
    assert np.array_equal(field, expected)


def test_field_is_normal_and_uncorrelated() -> None:
    from scipy.stats import kstest

    field = normal_field(42, "noise", "digest", (300, 300))
    assert kstest(field.ravel(), "norm").pvalue > 1e-3
    assert abs(np.corrcoef(field[:, :-1].ravel(), field[:, 1:].ravel())[0, 1]) < 0.017
    other = normal_field(42, "occlusion", "digest", (300, 300))
    assert abs(np.corrcoef(field.ravel(), other.ravel())[0, 1]) < 0.017


def test_field_of_any_size() -> None:
    for shape in ((0,), (1,), (2, 3), (4, 4), (3, 3, 3)):
        assert normal_field(1, "noise", "digest", shape).shape == shape


@pytest.mark.parametrize("sixteenths", [326, 1550])
def test_noise_adds_the_scaled_field_and_clips(sixteenths: int) -> None:
    pixels = np.tile(np.arange(256, dtype=np.uint8), (64, 1))
    field = normal_field(42, "noise", "digest", pixels.shape).astype(np.float64)
    expected = np.clip(np.floor(pixels + field * sixteenths / 16 + 0.5), 0, 255)
    assert np.array_equal(AddNoise(sixteenths).apply(pixels, "digest"), expected)


def test_noise_is_the_same_in_all_channels_and_strengths_share_a_field() -> None:
    grey = np.full((40, 50), 128, dtype=np.uint8)
    colour = np.repeat(grey[:, :, None], 3, axis=2)
    noisy = AddNoise(326).apply(colour, "digest")
    assert np.array_equal(noisy[:, :, 0], noisy[:, :, 2])
    assert np.array_equal(noisy[:, :, 0], AddNoise(326).apply(grey, "digest"))
    weak = AddNoise(160).apply(grey, "digest").astype(float) - 128
    strong = AddNoise(320).apply(grey, "digest").astype(float) - 128
    assert np.abs(strong - 2 * weak).max() <= 1.5
