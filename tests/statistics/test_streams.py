"""Named streams against a plain implementation, pinned values and uniformity."""

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from perimetry.statistics import (
    StatisticsError,
    below,
    derangement,
    permutation,
    philox,
    raw_integers,
    stream_key,
    uniform,
)

MASK = (1 << 64) - 1
PINNED_PERMUTATION = [4, 7, 6, 5, 2, 0, 3, 1]
PINNED_RAW = [2363275264509890829, 16289857788131744577]


def plain_philox(counter: int, key: int) -> list[int]:
    """Philox-4x64, ten rounds, in Python integers, from the paper's constants."""
    c = [(counter >> (64 * i)) & MASK for i in range(4)]
    k = [(key >> (64 * i)) & MASK for i in range(2)]
    for _ in range(10):
        one, two = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
        c = [(two >> 64) ^ c[1] ^ k[0], two & MASK, (one >> 64) ^ c[3] ^ k[1], one & MASK]
        k = [(k[0] + 0x9E3779B97F4A7C15) & MASK, (k[1] + 0xBB67AE8584CAA73B) & MASK]
    return c


def test_raw_integers_are_the_published_generator():
    key = stream_key(42, "noise", "digest")
    # numpy steps the counter before each block
    expected = [word for counter in (1, 2, 3) for word in plain_philox(counter, key)]
    assert raw_integers(42, "noise", "digest", size=12).tolist() == expected
    assert philox(42, "noise", "digest", block=2).random_raw(4).tolist() == expected[8:]


def test_key_is_the_digest_of_typed_and_sized_fields():
    text = b""
    for tag, data in ((b"i", b"42"), (b"s", b"noise"), (b"s", "é".encode()), (b"i", b"-7"), (b"b", b"\x00")):
        text += tag + len(data).to_bytes(8, "little") + data
    digest = hashlib.blake2b(text, digest_size=16, person=b"perimetry").digest()
    assert stream_key(42, "noise", "é", -7, b"\x00") == int.from_bytes(digest, "little")


def test_keys_differ_wherever_a_field_does():
    keys = [
        stream_key(42, "a", "bc"),
        stream_key(42, "ab", "c"),
        stream_key(42, "abc"),
        stream_key(42, "a", "b", "c"),
        stream_key(43, "a", "bc"),
        stream_key(42, "a", b"bc"),
        stream_key(42, "a", 1),
        stream_key(42, "a", "1"),
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("part", [1.5, None, True, ("a",)])
def test_other_parts_are_refused(part):
    with pytest.raises(StatisticsError, match="stream part: found"):
        stream_key(42, "a", part)


def test_another_process_draws_the_same():
    code = "from perimetry.statistics import permutation; print(permutation(42, 'shuffle', 'x', size=50).tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(permutation(42, "shuffle", "x", size=50).tolist())


def test_pinned_values():
    assert permutation(42, "shuffle", "digest", size=8).tolist() == PINNED_PERMUTATION
    assert raw_integers(42, "noise", "digest", size=2).tolist() == PINNED_RAW


@given(st.integers(0, 300), st.integers())
@settings(max_examples=60, deadline=None)
def test_permutation_holds_every_index_once(size, seed):
    assert sorted(permutation(seed, "p", size=size).tolist()) == list(range(size))


@pytest.mark.parametrize("size", [0, 1, 2, 3, 64, 65, 1000])
def test_permutation_is_the_shuffle_of_fisher_and_yates_over_the_raw_integers(size):
    raw = raw_integers(42, "p", size=4 * size + 64).tolist()
    halves = iter([half for word in raw for half in (word & 0xFFFFFFFF, word >> 32)])
    expected = list(range(size))
    for i in range(size - 1, 0, -1):
        mask = (1 << i.bit_length()) - 1
        while (j := next(halves) & mask) > i:
            pass
        expected[i], expected[j] = expected[j], expected[i]
    assert permutation(42, "p", size=size).tolist() == expected


def test_every_permutation_of_four_is_equally_likely():
    drawn = [tuple(permutation(seed, "p", size=4).tolist()) for seed in range(6000)]
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert counts.size == 24
    assert stats.chisquare(counts).pvalue > 1e-4


def test_uniform_is_uniform_and_below_one():
    values = uniform(42, "u", size=20_000)
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert stats.kstest(values, "uniform").pvalue > 1e-4


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20), st.integers(1, 2**32))
@settings(max_examples=200, deadline=None)
def test_below_is_the_high_word_of_the_exact_product(raw, bound):
    found = below(np.asarray(raw, dtype=np.uint64), bound)
    assert found.tolist() == [(word * bound) >> 64 for word in raw]


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_below_refuses_other_bounds(bound):
    with pytest.raises(StatisticsError, match="bound: found"):
        below(np.zeros(1, dtype=np.uint64), bound)


@pytest.mark.parametrize("size", [-1, 2**32 + 1])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(StatisticsError, match="size: found"):
        raw_integers(42, "x", size=size)


@given(st.lists(st.integers(0, 4), min_size=0, max_size=40), st.integers(0, 10_000))
@settings(max_examples=300, deadline=None)
def test_derangement_never_meets_its_own_label_and_fails_only_where_none_exists(labels, seed):
    possible = all(2 * labels.count(label) <= len(labels) for label in labels)
    if not possible:
        with pytest.raises(StatisticsError, match="one label holds"):
            derangement(seed, "d", labels=labels)
        return
    order = derangement(seed, "d", labels=labels).tolist()
    assert sorted(order) == list(range(len(labels)))
    assert all(labels[j] != labels[i] for i, j in enumerate(order))


def test_every_derangement_of_four_turns_up():
    drawn = {tuple(derangement(seed, "d", labels=range(4)).tolist()) for seed in range(500)}
    assert len(drawn) == 9
