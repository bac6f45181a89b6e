from collections import Counter

import pytest

from perimetry.phantoms.dice import Dice
from perimetry.statistics.streams import raw_integers


def test_reads_its_stream_in_order_and_past_the_first_block():
    dice = Dice(5, "example", "part")
    expected = [int(word) for word in raw_integers(5, "example", "part", size=128)]
    first = [dice.raw() for _ in range(64)]
    assert first == expected[:64]
    # Past the first block the numbers go on as those of the stream do.
    assert [dice.raw() for _ in range(64)] == expected[64:]


def test_unit_and_below_are_scaled_raw_integers():
    word = int(raw_integers(1, "a", size=1)[0])
    assert Dice(1, "a").unit() == (word >> 11) / 2**53
    assert Dice(1, "a").below(7) == word * 7 // 2**64


def test_shuffled_reaches_every_order_about_equally():
    counts = Counter(tuple(Dice(seed, "order").shuffled("abc")) for seed in range(1200))
    assert len(counts) == 6
    assert min(counts.values()) > 140  # expected 200, standard deviation 13


def test_between_stays_in_range():
    dice = Dice(2, "range")
    values = [dice.between(-2.0, 3.0) for _ in range(200)]
    assert -2.0 <= min(values) < -1.5
    assert 2.5 < max(values) < 3.0


@pytest.mark.parametrize("parts", [("a", "bc"), ("ab", "c")])
def test_streams_with_other_parts_are_others(parts):
    assert Dice(1, "name", *parts).raw() != Dice(1, "name", "abc").raw()
