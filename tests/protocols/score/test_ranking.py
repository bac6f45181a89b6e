"""Places over resamples against counting by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from perimetry.protocols.score.ranking import place_shares, rank_frame, rank_systems
from perimetry.statistics import Distribution


def systems(**samples):
    return {name: Distribution(float(x[0]), np.asarray(x, dtype=float), 9) for name, x in samples.items()}


def test_places_are_counted_and_ties_shared():
    given = systems(a=[3, 2, 1, 1], b=[2, 2, 2, 1], c=[1, 1, 3, 1])
    shares = place_shares(given, higher_is_better=True)
    third = 1 / 3
    assert shares["a"] == pytest.approx(((1 + 0.5 + 0 + third) / 4, (0 + 0.5 + 0 + third) / 4, (0 + 0 + 1 + third) / 4))
    assert shares["b"] == pytest.approx(((0 + 0.5 + 0 + third) / 4, (1 + 0.5 + 1 + third) / 4, third / 4))


def test_lower_is_better():
    assert place_shares(systems(a=[3, 2], b=[2, 3]), higher_is_better=False)["a"] == (0.5, 0.5)
    assert place_shares(systems(a=[3, 3], b=[2, 2]), higher_is_better=False)["a"] == (0.0, 1.0)


def test_resamples_without_a_value_are_left_out():
    shares = place_shares(systems(a=[3, math.nan, 1], b=[2, 9, 0]), higher_is_better=True)
    assert shares["a"] == (1.0, 0.0)


def test_a_system_without_a_value_leaves_the_order():
    ranking = rank_systems("m", systems(a=[1.0], b=[math.nan]), higher_is_better=True, n=0)
    assert ranking.order == ()
    assert ranking.place("a") is None
    assert rank_frame([ranking])["rank"].to_list() == [None, None]


def test_the_table_has_a_column_a_place():
    frame = rank_frame([rank_systems("m", systems(a=[1.0, 2.0], b=[0.0, 3.0]), higher_is_better=True, n=7)])
    assert frame.columns[-2:] == ["place_1", "place_2"]
    assert frame.rows()[0][:3] == ("m", "all", "a")
    assert frame["p_best"].to_list() == [0.5, 0.5]
    assert rank_frame([]).is_empty()
