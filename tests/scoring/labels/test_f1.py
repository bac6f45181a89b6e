"""F1 of labels against scikit-learn on random labels, and what happens to reports that state nothing."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from sklearn.metrics import f1_score

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels.classes import ABNORMAL, CHEXBERT_ORDER, FIVE, class_index, columns_in
from perimetry.scoring.labels.f1 import NOTHING_STATED, LabelF1, f1_rate, label_f1
from perimetry.scoring.labels.options import LabelOptions, read_label_options
from perimetry.scoring.labels.table import LabelTable
from perimetry.scoring.metric import MetricInfo
from perimetry.statistics import Resampling, pooled

INFO = MetricInfo("told", "told/1", "higher", 0.0, 1.0, "A test.", "none")


def _random(seed, rows=400):
    rng = np.random.default_rng(seed)
    labels = rng.choice(4, size=(rows, 14), p=(0.6, 0.2, 0.1, 0.1)).astype(np.int8)
    labels[:, class_index("Pneumothorax")] = 0  # a class that nobody states
    labels[rng.random(rows) < 0.2] = 0  # reports that state nothing
    return LabelTable(labels, ("",) * rows)


def _binary(table, uncertain, classes):
    stated = (1, 3) if uncertain == "positive" else (1,)
    return np.isin(table.labels[:, list(columns_in(classes))], stated).astype(int)


@pytest.mark.parametrize("classes", [CHEXBERT_ORDER, ABNORMAL, FIVE], ids=["14", "13", "5"])
@pytest.mark.parametrize("uncertain", ["positive", "negative"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_aggregates_are_those_of_scikit_learn(classes, uncertain, average):
    ours, theirs = _random(1), _random(2)
    table = label_f1(ours, theirs, uncertain, classes)
    expected = f1_score(
        _binary(theirs, uncertain, classes), _binary(ours, uncertain, classes), average=average, zero_division=0
    )
    assert f1_rate(average, len(classes))(table.statistics.sum(axis=0)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("uncertain", ["positive", "negative"])
def test_classes_and_reports_are_those_of_scikit_learn(uncertain):
    ours, theirs = _random(3), _random(4)
    table = label_f1(ours, theirs, uncertain)
    truth, said = _binary(theirs, uncertain, CHEXBERT_ORDER), _binary(ours, uncertain, CHEXBERT_ORDER)
    per_class = f1_score(truth, said, average=None, zero_division=np.nan)
    rates = _Told(ours, theirs, LabelOptions(uncertain=uncertain)).class_rates
    found = [rates[name](table.statistics.sum(axis=0)) for name in CHEXBERT_ORDER]
    np.testing.assert_allclose(found, per_class, atol=1e-6)
    for row in range(50):
        if truth[row].any() or said[row].any():
            assert table.values[row] == pytest.approx(f1_score(truth[row], said[row]), abs=1e-6)
            assert table.reasons[row] == ""
        else:
            assert np.isnan(table.values[row])
            assert table.reasons[row] == NOTHING_STATED


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_every_resample_is_scikit_learn_on_the_drawn_reports(average):
    ours, theirs = _random(5, 60), _random(6, 60)
    table = label_f1(ours, theirs)
    plan = Resampling.from_groups(list(range(60)), resamples=20)
    truth, said = _binary(theirs, "negative", CHEXBERT_ORDER), _binary(ours, "negative", CHEXBERT_ORDER)
    drawn = plan.sums(table.statistics)
    values = f1_rate(average, 14)(drawn[0])
    order = np.argsort(plan.codes)
    for weights, value in zip(plan.weights(0), values, strict=True):
        rows = np.repeat(order, weights.astype(int))
        expected = f1_score(truth[rows], said[rows], average=average, zero_division=0)
        assert value == pytest.approx(expected, abs=1e-6)
    assert pooled(f1_rate(average, 14))(drawn).shape == (20,)


class _Told(LabelF1):
    """Labels that are known beforehand: a text names its row."""

    info = INFO

    def __init__(self, ours, theirs, options=None):
        super().__init__(options)
        self.tables = {"h": ours, "r": theirs}
        self.asked: list[str] = []

    def label(self, texts):
        self.asked += texts
        rows = [self.tables[text[0]].labels[int(text[1:])] for text in texts]
        return LabelTable(np.asarray(rows, dtype=np.int8).reshape(-1, 14), ("",) * len(texts))


def test_row_order_changes_nothing_and_a_text_is_labelled_once():
    ours, theirs = _random(7, 30), _random(8, 30)
    metric = _Told(ours, theirs)
    hypotheses, references = [f"h{row}" for row in range(30)], [f"r{row}" for row in range(30)]
    straight = metric.score(hypotheses * 2, references * 2)
    assert sorted(metric.asked) == sorted(hypotheses + references)
    turned = metric.score(hypotheses[::-1], references[::-1])
    np.testing.assert_array_equal(straight.values[:30], turned.values[::-1])
    np.testing.assert_array_equal(straight.statistics[30:], turned.statistics[::-1])
    alone = [metric.score([ours], [theirs]).values[0] for ours, theirs in zip(hypotheses, references, strict=True)]
    np.testing.assert_array_equal(straight.values[:30], alone)


@pytest.fixture
def told():
    labels = np.zeros((2, 14), dtype=np.int8)
    labels[0, class_index("Edema")] = 1
    table = LabelTable(labels, ("", ""))
    return _Told(table, table)


@pytest.mark.parametrize("nothing", ["", None, " \n", "...", "\x00\x07"])
def test_a_report_without_a_word_scores_the_worst_value(told, nothing):
    table = told.score([nothing, "h0", nothing], ["r0", nothing, "r1"])
    assert table.values.tolist() == [0.0, 0.0, 0.0]
    assert table.reasons == ("", "", "")
    assert table.statistics.sum(axis=0)[[4, 18, 32]].tolist() == [0.0, 1.0, 1.0]  # tp, fp, fn of Edema


def test_two_reports_without_a_word_are_missing_and_the_reason_says_how(told):
    table = told.score([None, "", "..."], ["", "", None])
    assert np.isnan(table.values).all()
    assert table.reasons == (
        "the hypothesis is None and the reference is empty",
        "the hypothesis is empty and the reference is empty",
        "the hypothesis holds no word and the reference is None",
    )
    assert not table.statistics.any()
    assert told.asked == []


def test_nothing_to_aggregate_is_nan_and_no_rows_are_no_error(told):
    table = told.score([], [])
    assert table.statistics.shape == (0, 42)
    assert np.isnan(told.aggregate(table))


def test_unequal_lengths_are_one_clear_error(told):
    with pytest.raises(UsageError, match="2 hypotheses and 1 references"):
        told.score(["h0", "h1"], ["r0"])
    with pytest.raises(UsageError, match="400 labelled hypotheses and 10"):
        label_f1(_random(1), _random(1, 10))


class _Deaf(LabelF1):
    info = INFO

    def label(self, texts):
        labels = np.zeros((len(texts), 14), dtype=np.int8)
        labels[[text == "edema" for text in texts], class_index("Edema")] = 1
        return LabelTable(labels, tuple("" if text == "edema" else "cannot be read" for text in texts))


def test_an_unread_hypothesis_is_its_own_failure_and_an_unread_reference_leaves_the_pair_missing():
    table = _Deaf().score(["word", "edema", "word"], ["edema", "word", "word"])
    assert table.values[0] == 0.0
    assert np.isnan(table.values[1:]).all()
    assert table.reasons == ("", "reference: cannot be read", "reference: cannot be read")
    assert table.statistics[1:].sum() == 0.0


def test_options_are_read_and_wrong_ones_are_named():
    options = read_label_options(
        {"average": "macro", "classes": "5", "uncertain": "positive", "weights": "x"}, "m", ("weights",)
    )
    assert options == LabelOptions("macro", "5", "positive")
    for parameters, told in (
        ({"averge": "macro"}, "averge"),
        ({"average": "mean"}, "'mean'"),
        ({"uncertain": "blank"}, "'blank'"),
        ({"classes": "7"}, "'7'"),
    ):
        with pytest.raises(UsageError, match=told):
            read_label_options(parameters, "m")
    with pytest.raises(UsageError, match="average"):
        cast("Any", LabelOptions)(average="mean")
