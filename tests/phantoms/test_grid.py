import numpy as np
import pytest

from perimetry.phantoms.grid import bump, edge, grid, lattice, pixel_noise, ramp


def test_grid_is_shared_read_only_and_spans_the_units():
    assert grid(64) is grid(64)
    with pytest.raises(ValueError, match="read-only"):
        grid(64).x[0, 0] = 1.0
    assert grid(64).x[0, 0] == 2.0
    assert grid(64).y[-1, 0] == 254.0
    assert grid(512).pixel(128.0) == 256
    assert grid(512).pixel(-9.0) == 0
    assert grid(512).pixel(400.0) == 512


def test_ramp_edge_and_bump():
    values = np.array([-1.0, 0.0, 0.25, 0.5, 1.0, 3.0], dtype=np.float32)
    assert ramp(values).tolist() == [0.0, 0.0, 0.15625, 0.5, 1.0, 1.0]
    assert edge(values, 2.0)[1] == 0.5
    assert bump(values).tolist() == [4.0, 1.0, 0.5625, 0.25, 0.0, 0.0]


def test_lattice_meets_its_knots_and_stays_in_range():
    field = lattice((128, 96), (4, 3), 7, "knots")
    assert field.dtype == np.float32
    assert field.shape == (128, 96)
    assert np.abs(field).max() <= 1.0
    # Smooth: neighbours differ by less than the steepest slope between two knots allows.
    assert np.abs(np.diff(field, axis=0)).max() < 2 * 1.5 / 32


def test_pixel_noise_is_white_with_unit_deviation():
    noise = pixel_noise(256, 3, "grain")
    assert abs(float(noise.mean())) < 0.02
    assert abs(float(noise.std()) - 1.0) < 0.02
    neighbours = float((noise[:, 1:] * noise[:, :-1]).mean())
    assert abs(neighbours) < 0.02


def test_odd_sizes_have_noise_for_every_pixel():
    assert pixel_noise(65, 3, "grain").shape == (65, 65)
