from __future__ import annotations

import math

import numpy as np
import pytest

from perimetry.cases.errors import DataError
from perimetry.scoring.embeddings.baseline import Baseline, read_baseline
from perimetry.scoring.embeddings.greedy import Match, greedy_match, harmonic, idf_table, unit


def plain_loop(hypothesis, reference, hypothesis_weights, reference_weights):
    """BERTScore as section 3 of the paper writes it, one token at a time."""

    def cosine(a, b):
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return dot / math.sqrt(sum(x * x for x in a)) / math.sqrt(sum(x * x for x in b))

    def side(one, other, weights):
        total = 0.0
        for token, weight in zip(one, weights, strict=True):
            total += weight * max(cosine(token, candidate) for candidate in other)
        return total / sum(weights)

    precision = side(hypothesis, reference, hypothesis_weights)
    recall = side(reference, hypothesis, reference_weights)
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("seed", range(8))
def test_greedy_matching_is_the_plain_loop(seed):
    draw = np.random.default_rng(seed)
    ours, theirs = draw.normal(0.7, 1, (draw.integers(1, 9), 6)), draw.normal(0.7, 1, (draw.integers(1, 9), 6))
    left, right = draw.uniform(0.1, 2, len(ours)), draw.uniform(0.1, 2, len(theirs))
    found = greedy_match(ours, theirs, left, right)
    assert found == pytest.approx(plain_loop(ours.tolist(), theirs.tolist(), left.tolist(), right.tolist()), abs=1e-12)


def test_precision_and_recall_are_not_swapped():
    match = greedy_match([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [1.0], [1.0, 1.0, 1.0])
    assert match == pytest.approx((1.0, 1 / 3, 0.5))


def test_a_token_of_weight_zero_counts_nowhere_but_can_be_taken():
    ours, theirs = [[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    assert greedy_match(ours, theirs, [1.0], [0.0, 1.0]) == pytest.approx((1.0, 0.0, 0.0))


def test_identical_texts_score_one_and_never_more():
    rows = np.random.default_rng(3).normal(size=(40, 16)).astype(np.float32)
    match = greedy_match(rows, rows, np.ones(40), np.ones(40))
    assert match == pytest.approx((1.0, 1.0, 1.0), abs=1e-12)
    assert max(match) <= 1.0


def test_harmonic_mean_of_what_is_not_positive_is_zero():
    # The original formula gives -0.4 for the first and a number without end near the second.
    assert harmonic(-0.1, 0.2) == harmonic(-0.1, 0.1000001) == harmonic(0.0, 0.0) == 0.0


def test_a_vector_of_zeros_is_similar_to_nothing():
    assert not np.isnan(unit(np.zeros((2, 3)))).any()
    assert greedy_match([[0.0, 0.0]], [[1.0, 0.0]], [1.0], [1.0]).f1 == 0.0


def test_idf_against_the_formula():
    table, unseen = idf_table([[7, 7, 8], [8], [8, 9]])
    assert table == pytest.approx({7: math.log(4 / 2), 8: 0.0, 9: math.log(4 / 2)})
    assert unseen == pytest.approx(math.log(4))


def test_baseline_rescales_each_by_its_own(tmp_path):
    path = tmp_path / "base.tsv"
    path.write_text("LAYER,P,R,F\n0,0.2,0.2,0.2\n1,0.5,0.25,0.75\n", encoding="utf-8")
    assert read_baseline(path, 1) == Baseline(0.5, 0.25, 0.75)
    assert read_baseline(path, 1).rescaled(Match(0.75, 0.25, 1.0)) == pytest.approx((0.5, 0.0, 1.0))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"LAYER,P,R\n1,0.1,0.1\n", "columns LAYER,P,R"),
        (b"", "columns none"),
        (b"LAYER,P,R,F\n2,0.1,0.1,0.1\n", "0 rows for layer 1"),
        (b"LAYER,P,R,F\n1,0.1,0.1,0.1\n1,0.1,0.1,0.1\n", "2 rows for layer 1"),
        (b"LAYER,P,R,F\n1,0.1,x,0.1\n", "R of layer 1 is 'x'"),
        (b"LAYER,P,R,F\n1,0.1,0.1,1.0\n", "F of layer 1 is '1.0'"),
        (b"LAYER,P,R,F\n1,0.1\n", "R of layer 1 is None"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_a_baseline_file_that_is_none_is_named(tmp_path, content, words):
    path = tmp_path / "base.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        read_baseline(path, 1)
    assert str(path) in str(caught.value)
