"""What counts as style, sentence by sentence."""

from __future__ import annotations

import numpy as np
import pytest

from perimetry.protocols.references.profiles import correlation, slope
from perimetry.protocols.references.style import FEATURES, style_matrix, style_values

NAMES = ("words", "sentences", *(feature.name for feature in FEATURES[1:]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, {}),
        ("", {}),
        ("XXXX ___ .", {"words": 1, "sentences": 1}),
        ("Normal", {"words": 1, "sentences": 1, "normal": 1}),
        ("No effusion.", {"words": 2, "sentences": 1, "normal": 1, "negations": 1}),
        ("Effusion without pneumothorax.", {"words": 3, "sentences": 1, "negations": 1}),
        ("1. Clear lungs. 2. Large effusion.", {"words": 6, "sentences": 2, "structure": 2, "normal": 1}),
        ("1 . clear lungs . 2 . large effusion .", {"words": 6, "sentences": 2, "structure": 2, "normal": 1}),
        ("LUNGS: Clear.\nHEART: Enlarged.", {"words": 4, "sentences": 2, "structure": 2, "normal": 1}),
        ("- Possible 1.5 x 2 cm nodule", {"words": 7, "sentences": 1, "structure": 1, "hedges": 1, "measurements": 1}),
        ("STABLE CARDIOMEDIASTINAL SILHOUETTE.", {"words": 3, "sentences": 1, "normal": 1, "compound": 1}),
        ("may represent edema versus pneumonia .", {"words": 5, "sentences": 1, "hedges": 3}),
    ],
)
def test_by_hand(text, expected):
    assert dict(zip(NAMES, style_values(text), strict=True)) == dict.fromkeys(NAMES, 0.0) | expected


def test_a_set_is_a_ratio_of_sums():
    texts = ["No effusion. Large mass.", "Possible edema.", None]
    up, down = style_matrix(texts)
    value = dict(zip((feature.name for feature in FEATURES), up.sum(axis=0) / down.sum(axis=0), strict=True))
    assert value["words"] == pytest.approx(6 / 3)
    assert value["negations"] == pytest.approx(1 / 3)
    assert value["hedges"] == pytest.approx(100 / 6)


def test_correlation_as_numpy_has_it():
    dice = np.random.default_rng(1)
    x, y = dice.normal(size=40), dice.normal(size=40)
    sums = np.asarray([40.0, x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum()])
    assert float(correlation(sums)) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    assert float(slope(sums)) == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-9)
    level = np.asarray([3.0, 6.0, 9.0, 12.0, 18.0, 29.0])  # every x is 2
    assert np.isnan(correlation(level))
    assert np.isnan(slope(level))
