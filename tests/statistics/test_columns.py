"""Per-item columns: missing items count on neither side."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.statistics import StatisticsError, average_repeats, mean_columns, paired_columns

values = st.lists(st.one_of(st.just(math.nan), st.floats(-10, 10)), max_size=20)


@given(values)
@settings(deadline=None)
def test_mean_columns_sum_to_the_mean_of_what_is_there(given_values):
    there = [value for value in given_values if not math.isnan(value)]
    columns = mean_columns(given_values)
    assert columns.shape == (len(given_values), 2)
    assert columns[:, 1].sum() == len(there)
    assert columns[:, 0].sum() == pytest.approx(sum(there), abs=1e-9)


def test_paired_columns_keep_complete_cases():
    columns = paired_columns([1.0, math.nan, 0.0, 1.0], [0.0, 1.0, math.nan, 1.0])
    assert columns.tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0], [1, 1, 1]]


def test_paired_columns_of_unlike_length_are_refused():
    with pytest.raises(StatisticsError, match="left has 1, right has 2"):
        paired_columns([1.0], [1.0, 2.0])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_average_repeats_is_nanmean(axis):
    cube = np.random.default_rng(0).random((4, 3, 5))
    cube[cube < 0.4] = math.nan
    cube[0] = math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = np.nanmean(cube, axis=axis)
    assert np.allclose(average_repeats(cube, axis=axis), expected, equal_nan=True)
