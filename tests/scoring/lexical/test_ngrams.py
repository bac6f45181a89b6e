"""Counts by sorting against counts by `Counter`."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from perimetry.scoring.lexical.ngrams import ngram_counts
from perimetry.scoring.lexical.pairs import TokenPair


def by_hand(pair: TokenPair, order: int) -> list[int]:
    def grams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1))

    matches = [(grams(pair.hypothesis, n) & grams(pair.reference, n)).total() for n in range(1, order + 1)]
    totals = [grams(pair.hypothesis, n).total() for n in range(1, order + 1)]
    return [len(pair.hypothesis), len(pair.reference), *matches, *totals]


@pytest.mark.parametrize("order", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("letters", ["a", "ab", "abcdefgh"])
def test_they_are_counters(order, letters):
    draw = random.Random(order)
    pairs = [
        TokenPair(draw.choices(letters, k=draw.randint(0, 30)), draw.choices(letters, k=draw.choice([0, 1, 3, 25])))
        for _ in range(100)
    ]
    assert ngram_counts(pairs, order).tolist() == [by_hand(pair, order) for pair in pairs]


def test_texts_do_not_run_into_each_other():
    pairs = [TokenPair(["a"], ["b"]), TokenPair(["b"], ["a", "b"])]
    assert ngram_counts(pairs, 2).tolist() == [[1, 1, 0, 0, 1, 0], [1, 2, 1, 0, 1, 0]]


def test_tokens_are_told_apart_by_their_boundaries():
    assert ngram_counts([TokenPair(["a b", "c"], ["a", "b c"])], 2).tolist() == [[2, 2, 0, 0, 2, 1]]


@pytest.mark.parametrize("pairs", [[], [TokenPair([], [])]])
def test_nothing(pairs):
    assert ngram_counts(pairs, 2).tolist() == [[0] * 6] * len(pairs)
