"""What empty, odd and mistaken input does to lexical metrics."""

from __future__ import annotations

import math

import pytest
from tests.scoring.lexical.corpus import pairs

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical import Bleu, RougeL
from perimetry.scoring.report_metric import ReportMetric

METRICS = [
    Bleu(1),
    Bleu(2, "13a"),
    Bleu(4),
    Bleu(4, "space", "none"),
    RougeL(),
    RougeL(stem=True),
    RougeL(1.2, tokens="space"),
    RougeL(tokens="13a"),
]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.info.signature)
WITHOUT_A_WORD = [None, "", "  \n\t ", ".", " . , -- ?\n"]


@each_metric
@pytest.mark.parametrize("nothing", WITHOUT_A_WORD)
def test_silence_scores_the_worst_value(metric: ReportMetric, nothing: str | None) -> None:
    table = metric.score([nothing, "no effusion ."], ["no effusion .", nothing])
    assert table.values.tolist() == [0.0, 0.0]
    assert table.reasons == ("", "")
    assert metric.aggregate(table) == 0.0


@each_metric
def test_silence_on_both_sides_is_missing_with_its_reason(metric: ReportMetric) -> None:
    table = metric.score([None, "", "..."], ["", " \n", None])
    assert all(math.isnan(value) for value in table.values)
    assert table.reasons == (
        "the hypothesis is None and the reference is empty",
        "the hypothesis is empty and the reference is empty",
        "the hypothesis holds no word and the reference is None",
    )
    assert not table.statistics.any()
    assert math.isnan(metric.aggregate(table))


@each_metric
def test_a_silent_hypothesis_lowers_the_metric_and_a_missing_pair_does_not_touch_it(metric: ReportMetric) -> None:
    text = "the lungs are clear of disease ."
    full, silent, missing = (
        metric.aggregate(metric.score([text, other[0]], [text, other[1]]))
        for other in ((text, text), (None, text), (None, ""))
    )
    assert full == pytest.approx(1.0)
    assert silent < 0.7
    assert missing == full


def test_a_script_that_the_tokeniser_cannot_read_is_missing_not_zero() -> None:
    chinese = "两肺清晰"
    table = RougeL().score([chinese, chinese, "lungs clear"], [chinese, "lungs clear", chinese])
    assert table.reasons == (
        "the hypothesis has no letter or digit that the tokeniser knows and the reference has no letter or digit that "
        "the tokeniser knows",
        "",
        "",
    )
    assert table.values[1:].tolist() == [0.0, 0.0]
    assert RougeL(tokens="whitespace").score([chinese], [chinese]).values.tolist() == [1.0]
    assert Bleu(4).score(["肺 清晰 无 积液 ."], ["肺 清晰 无 积液 ."]).values.tolist() == [1.0]


@each_metric
def test_identical_reports_score_one_however_odd(metric: ReportMetric) -> None:
    odd = ["clear", "a\x00b\x1bc\r\nd\x85e", "heart \ud800 size", "the " * 10_000, "é́ ä ﬁ lungs", "5", "\n x \n"]
    table = metric.score(odd, odd)
    exact = isinstance(metric, Bleu) and metric.smooth == "none"
    for text, value in zip(odd, table.values.tolist(), strict=True):
        # Without smoothing a report of fewer tokens than the order has no run of that length, and no credit.
        assert value == pytest.approx(1.0) or (exact and len(text.split(" ")) < 4 and value == 0.0)


@each_metric
def test_ten_thousand_words(metric: ReportMetric) -> None:
    words = [f"word{number % 701}" for number in range(10_000)]
    table = metric.score([" ".join(words)], [" ".join(words[:5_000] + ["other"] * 5_000)])
    assert 0.4 < table.values[0] < 0.6


@each_metric
def test_order_and_company_never_change_a_score(metric: ReportMetric) -> None:
    hypotheses, references = pairs(200, seed=11)
    hypotheses[3], references[7], hypotheses[9], references[9] = "", None, ".", None  # type: ignore[call-overload]
    whole = metric.score(hypotheses, references)
    order = [*range(100, 200), *range(99, -1, -1)]
    turned = metric.score([hypotheses[row] for row in order], [references[row] for row in order])
    alone = [metric.score([ours], [theirs]) for ours, theirs in zip(hypotheses, references, strict=True)]
    for at, row in enumerate(order):
        for table, place in ((turned, at), (alone[row], 0)):
            assert str(table.values[place]) == str(whole.values[row])
            assert table.statistics[place].tolist() == whole.statistics[row].tolist()
            assert table.reasons[place] == whole.reasons[row]


@each_metric
def test_no_reports(metric: ReportMetric) -> None:
    table = metric.score([], [])
    assert table.values.shape == (0,)
    assert math.isnan(metric.aggregate(table))


@each_metric
@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "2 hypotheses and 1 references"),
        ("clear lungs", "clear lungs", "hypotheses are one text"),
        (["a"], "b", "references are one text"),
        (["a", float("nan")], ["a", "b"], r"hypotheses\[1\] is of type float \(nan\)"),
        (["a"], [["b"]], r"references\[0\] is of type list"),
    ],
)
def test_what_is_no_column_of_reports_is_refused(metric: ReportMetric, hypotheses, references, message) -> None:
    with pytest.raises(UsageError, match=message):
        metric.score(hypotheses, references)
