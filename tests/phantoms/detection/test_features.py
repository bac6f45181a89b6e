import numpy as np
import pytest

from perimetry.phantoms import population
from perimetry.phantoms.detection.features import CELLS, FEATURES, cell_features
from perimetry.phantoms.detection.normal import normalised


@pytest.fixture(scope="module")
def pictures():
    return [study.images[0].pixels() for study in population(n=26, cooccurrence=0.5, seed=77).studies]


def test_level_spread_and_gradients_of_a_slope():
    slope = np.tile(np.arange(256, dtype=np.uint8), (256, 1))
    values = cell_features(slope).values
    assert values.shape == (CELLS, CELLS, len(FEATURES))
    gain = (168.0 - 12.0) / (242 - 12)  # percentiles 5 and 95 of 0..255
    inner = values[2:-2, 2:-2]
    assert inner[..., FEATURES.index("across")] == pytest.approx(gain, rel=0.02)
    assert np.abs(inner[..., FEATURES.index("down")]).max() < 1e-3
    assert np.diff(inner[0, :, FEATURES.index("level")]) == pytest.approx(4 * gain, rel=0.02)
    assert inner[..., FEATURES.index("spread")] == pytest.approx(gain * np.std(np.arange(4)), rel=0.02)


def test_phantoms_are_readable_nearly_everywhere(pictures):
    shares = [cell_features(pixels).readable.mean() for pixels in pictures]
    assert min(shares) > 0.97
    assert np.mean(shares) > 0.995


@pytest.mark.parametrize("level", [0, 127, 255])
def test_flat_pictures_are_not(level):
    assert not cell_features(np.full((256, 256), level, dtype=np.uint8)).readable.any()


def test_shuffled_pictures_are_not(pictures):
    draw = np.random.default_rng(1)
    for pixels in pictures[:4]:
        shuffled = draw.permutation(pixels.ravel()).reshape(pixels.shape)
        assert cell_features(shuffled).readable.mean() < 0.01


@pytest.mark.parametrize("fill", ["noise", "black", "mean"])
def test_a_covered_box_is_not_and_the_rest_is(pictures, fill):
    draw = np.random.default_rng(2)
    for pixels in pictures:
        spoiled = pixels.copy()
        noise = np.clip(draw.normal(110, 55, (60, 80)), 0, 255)
        spoiled[100:160, 40:120] = {"noise": noise, "black": 0, "mean": 110}[fill]
        before, after = cell_features(pixels).readable, cell_features(spoiled).readable
        assert not after[25:40, 10:30].any()
        outside = np.ones((CELLS, CELLS), dtype=bool)
        outside[23:42, 8:32] = False
        assert (after == before)[outside].mean() > 0.995


@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (40, 30), (512, 512), (1024, 768), (300, 200, 3), (90, 90, 4)])
def test_every_shape_is_brought_onto_the_grid(shape):
    pixels = np.random.default_rng(3).integers(0, 256, shape).astype(np.uint8)
    assert normalised(pixels).shape == (256, 256)
    assert np.isfinite(cell_features(pixels).values).all()


def test_grey_levels_do_not_matter(pictures):
    for pixels in pictures[:6]:
        darker = np.rint(pixels * 0.6 + 20).astype(np.uint8)
        assert np.abs(normalised(darker) - normalised(pixels)).mean() < 2.0
