"""BLEU against sacrebleu, NLTK and arithmetic on paper."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from tests.scoring.lexical.corpus import pairs

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical import Bleu, bleu_from_counts, splitter
from perimetry.scoring.metrics_registry import metric_kinds, parse_metric
from perimetry.statistics import Resampling, pooled

ORDERS = (1, 2, 3, 4)
SEEDS = (1, 2, 3)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_corpus_value_is_sacrebleus(order, seed):
    peer = pytest.importorskip("sacrebleu.metrics").BLEU(tokenize="13a", max_ngram_order=order)
    hypotheses, references = pairs(80, seed)
    bleu = Bleu(order, "13a")
    expected = peer.corpus_score(hypotheses, [references]).score / 100
    assert 0.01 < expected < 0.99
    assert bleu.aggregate(bleu.score(hypotheses, references)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("longest", [4, 60])
def test_values_of_reports_are_sacrebleus_sentence_scores(order, longest):
    metrics = pytest.importorskip("sacrebleu.metrics")
    hypotheses, references = pairs(300, 4, longest)
    hypotheses += ["clear", "no", "unlike anything there"]
    references += ["clear", "no acute disease", "clear lungs today"]
    peer = metrics.BLEU(tokenize="13a", max_ngram_order=order, effective_order=True)
    expected = [
        peer.sentence_score(ours, [theirs]).score / 100 for ours, theirs in zip(hypotheses, references, strict=True)
    ]
    assert Bleu(order, "13a").score(hypotheses, references).values.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("tokens", ["whitespace", "space", "rouge"])
def test_corpus_value_is_nltks(order, tokens):
    peer = pytest.importorskip("nltk.translate.bleu_score")
    split = splitter(tokens)
    both = [pair for pair in zip(*pairs(80, 5), strict=True) if len(split(pair[0])) >= order]
    hypotheses, references = zip(*both, strict=True)
    assert len(both) > 60
    expected = peer.corpus_bleu(
        [[split(reference)] for reference in references],
        [split(hypothesis) for hypothesis in hypotheses],
        weights=(1 / order,) * order,
    )
    bleu = Bleu(order, tokens)
    assert bleu.aggregate(bleu.score(hypotheses, references)) == pytest.approx(expected, abs=1e-9)


def test_nltk_counts_an_n_gram_that_a_short_report_does_not_have():
    # Why reports shorter than the order are left out above: its denominators are at least one for every report.
    peer = pytest.importorskip("nltk.translate.bleu_score")
    hypotheses, references = ["clear", "no acute disease"], ["clear", "no acute disease"]
    theirs = peer.corpus_bleu(
        [[text.split()] for text in references], [text.split() for text in hypotheses], (0.5, 0.5)
    )
    bleu = Bleu(2)
    assert theirs == pytest.approx(math.sqrt(2 / 3))
    assert bleu.aggregate(bleu.score(hypotheses, references)) == pytest.approx(1.0)


@pytest.mark.parametrize("order", ORDERS)
def test_unsmoothed_values_of_reports_are_nltks(order):
    peer = pytest.importorskip("nltk.translate.bleu_score")
    hypotheses, references = pairs(200, 6, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            peer.sentence_bleu([theirs.split()], ours.split(), weights=(1 / order,) * order)
            for ours, theirs in zip(hypotheses, references, strict=True)
        ]
    values = Bleu(order, smooth="none").score(hypotheses, references).values
    assert sum(value > 0.0 for value in expected) > 50
    assert values.tolist() == pytest.approx(expected, abs=1e-6)


def test_by_hand():
    # Five words against seven: 4 of 5 words and 2 of 4 pairs match, and the report is two words short.
    table = Bleu(2).score(["the heart is not enlarged"], ["today the heart is normal not large"])
    assert table.statistics.tolist() == [[5, 7, 4, 2, 5, 4]]
    assert table.values[0] == pytest.approx(math.exp(1 - 7 / 5) * math.sqrt(4 / 5 * 2 / 4))


def test_smoothing_by_hand():
    # One word of four matches; pairs, triples and the quadruple count as 1/2, 1/4 and 1/8 of a match.
    table = Bleu(4).score(["clear a b c"], ["clear d e f"])
    assert table.values[0] == pytest.approx((1 / 4 * (1 / 2) / 3 * (1 / 4) / 2 * (1 / 8) / 1) ** 0.25)
    assert Bleu(4, smooth="none").score(["clear a b c"], ["clear d e f"]).values.tolist() == [0.0]


def test_a_repeated_word_earns_no_more_than_the_reference_holds():
    assert Bleu(1).score(["the the the the"], ["the heart and the lungs"]).values[0] == pytest.approx(
        math.exp(1 - 5 / 4) * 2 / 4
    )


def test_nothing_in_common_is_zero_under_any_smoothing():
    for smooth in ("exp", "none"):
        assert Bleu(4, smooth=smooth).score(["a b c d e"], ["v w x y z"]).values.tolist() == [0.0]


def test_the_value_of_a_set_is_no_mean_and_never_smoothed():
    bleu = Bleu(4)
    hypotheses, references = ["a b c", "d e f g h"], ["a b c", "d e f x h"]
    table = bleu.score(hypotheses, references)
    assert bleu.aggregate(table) == 0.0
    assert table.values.mean() > 0.5


def test_weights_count_reports_as_often_as_they_say():
    hypotheses, references = pairs(4, 8)
    bleu = Bleu(2)
    table = bleu.score(hypotheses, references)
    repeated = [0, 2, 2, 2, 3]
    again = bleu.score([hypotheses[row] for row in repeated], [references[row] for row in repeated])
    assert bleu.aggregate(table, [1, 0, 3, 1]) == pytest.approx(bleu.aggregate(again), rel=1e-12)


def test_the_rate_runs_over_all_resamples_at_once():
    hypotheses, references = pairs(50, 9)
    bleu = Bleu(4)
    table = bleu.score(hypotheses, references)
    result = (
        Resampling.from_groups([f"report{row}" for row in range(50)], resamples=200)
        .resample(table.statistics)
        .estimate(pooled(bleu.rate))
    )
    assert result.value == pytest.approx(bleu.aggregate(table))
    assert result.ci_low < result.value < result.ci_high
    stacked = np.stack([table.statistics[:25].sum(axis=0), table.statistics.sum(axis=0), np.zeros(10)])
    expected = [bleu_from_counts(row, 4).item() for row in stacked[:2]]
    assert bleu.rate(stacked)[:2].tolist() == expected
    assert math.isnan(bleu.rate(stacked)[2])


def test_the_tokeniser_is_part_of_the_signature_because_it_changes_the_value():
    hypotheses, references = pairs(80, 1)
    values = {
        bleu.info.signature: bleu.aggregate(bleu.score(hypotheses, references))
        for bleu in (Bleu(4, tokens) for tokens in ("whitespace", "space", "13a", "rouge"))
    }
    assert len(values) == len({round(value, 4) for value in values.values()}) == 4
    assert "bleu_4|bleu/1|smooth=exp|tokens=13a" in values


@pytest.mark.parametrize("order", ORDERS)
def test_the_registry_makes_it(order):
    assert parse_metric(f"bleu_{order}") == Bleu(order)
    assert parse_metric(f"bleu_{order}(tokens=13a,smooth=none)") == Bleu(order, "13a", "none")
    kind = metric_kinds().get(f"bleu_{order}")
    assert (kind.direction, kind.needs) == ("higher", "")
    assert dict(entry.split("=") for entry in kind.parameters) == dict(kind.make({}).info.parameters)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("bleu_4(token=13a)", r"bleu_4 takes no parameter 'token'\. It takes: smooth=exp, tokens=whitespace"),
        ("bleu_4(tokens=moses)", r"bleu_4: tokens is 'moses'; expected one of whitespace, space, 13a, rouge"),
        ("bleu_2(smooth=floor)", r"bleu_2: smooth is 'floor'; expected one of exp, none"),
    ],
)
def test_bad_parameters(spelling, message):
    with pytest.raises(UsageError, match=message):
        parse_metric(spelling)


def test_bad_order():
    with pytest.raises(UsageError, match=r"order is 5; expected one of 1, 2, 3, 4"):
        Bleu(5)
