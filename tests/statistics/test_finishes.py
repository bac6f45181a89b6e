"""Finishes against scikit-learn and plain arithmetic."""

import math

import numpy as np
import pytest

from perimetry.statistics import (
    StatisticsError,
    divide,
    f1,
    f1_macro,
    f1_micro,
    macro,
    mean_of,
    pooled,
    ratio,
)


def counts(truth: np.ndarray, stated: np.ndarray) -> np.ndarray:
    return np.concatenate([(truth & stated).sum(0), (~truth & stated).sum(0), (truth & ~stated).sum(0)]).astype(float)


@pytest.fixture(params=range(5))
def labels(request):
    rng = np.random.default_rng(request.param)
    truth, stated = rng.random((60, 14)) < 0.2, rng.random((60, 14)) < 0.2
    truth[:, 3] = stated[:, 3] = False
    return truth, stated


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_f1_is_scikit_learns(labels, average):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, stated = labels
    finish = f1_micro(14) if average == "micro" else f1_macro(14, empty=0.0)
    expected = metrics.f1_score(truth, stated, average=average, zero_division=0)
    assert finish(counts(truth, stated)[None])[0] == pytest.approx(expected, abs=1e-12)


def test_a_class_that_nobody_states_leaves_the_macro_mean(labels):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, stated = labels
    kept = [k for k in range(14) if truth[:, k].any() or stated[:, k].any()]
    assert len(kept) < 14
    expected = metrics.f1_score(truth[:, kept], stated[:, kept], average="macro")
    assert f1_macro(14)(counts(truth, stated)[None])[0] == pytest.approx(expected, abs=1e-12)


def test_f1_without_any_class_is_undefined():
    assert math.isnan(f1_macro(2)(np.zeros((1, 6)))[0])
    assert math.isnan(f1_micro(2)(np.zeros((1, 6)))[0])
    assert f1(0, 1, 2, empty=0.0)(np.zeros((1, 3))).tolist() == [0.0]


def test_f1_starts_at_a_column():
    row = np.asarray([[9.0, 2.0, 0.0, 1.0, 0.0, 0.0, 1.0]])
    assert f1_micro(2, start=1)(row) == f1_micro(2)(row[:, 1:])
    assert f1_macro(2, start=1)(row) == f1_macro(2)(row[:, 1:])


def test_division_by_zero_is_missing():
    assert np.isnan(divide(np.asarray([0.0, 2.0]), np.asarray([0.0, 0.0]))).all()


def test_pooled_weighs_items_and_macro_weighs_strata():
    sums = np.asarray([[[8.0, 10.0]], [[1.0, 2.0]]])
    assert pooled(ratio(0, 1))(sums).tolist() == [9 / 12]
    assert macro(ratio(0, 1))(sums).tolist() == [pytest.approx((0.8 + 0.5) / 2)]


def test_macro_with_an_undefined_stratum_is_undefined():
    assert math.isnan(macro(ratio(0, 1))(np.asarray([[[8.0, 10.0]], [[0.0, 0.0]]]))[0])


def test_weighted_mean_of_rates():
    row = np.asarray([[1.0, 0.0, 4.0, 0.0]])
    rates = [ratio(0, 2), ratio(1, 3)]
    assert mean_of([ratio(0, 2), ratio(1, 2)], [1, 3])(row).tolist() == [0.25 * 0.25]
    assert math.isnan(mean_of(rates)(row)[0])
    assert mean_of(rates, skip_undefined=True)(row).tolist() == [0.25]
    assert mean_of(rates, [1, 0])(row).tolist() == [0.25]


@pytest.mark.parametrize("weights", [[1.0], [-1.0, 2.0], [0.0, 0.0], [math.nan, 1.0]])
def test_weights_that_do_not_fit_are_refused(weights):
    with pytest.raises(StatisticsError, match="weights: found"):
        mean_of([ratio(0, 1), ratio(0, 1)], weights)
