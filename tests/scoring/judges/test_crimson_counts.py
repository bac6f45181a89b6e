"""CRIMSON's arithmetic against values worked by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isclose

import pytest

from perimetry.scoring.judges.crimson_counts import IMPORTANCE, SEVERITY, UNKNOWN, CrimsonCounts, credit, weigh


def test_weights() -> None:
    for ours, official, weight in (
        ("urgent", "urgent", 1.0),
        ("actionable", "actionable_not_urgent", 0.5),
        ("not_actionable", "not_actionable_not_urgent", 0.25),
        ("expected", "benign_expected", 0.0),
    ):
        assert weigh(ours, IMPORTANCE) == weigh(official, IMPORTANCE) == (weight, True)
    assert weigh("significant", SEVERITY) == (0.5, True)
    assert weigh("negligible", SEVERITY) == (0.0, True)


@pytest.mark.parametrize("label", ["severe", "", None, 3, ["urgent"], "urgently"])
def test_unknown_labels_weigh_a_quarter(label: object) -> None:
    assert weigh(label, IMPORTANCE) == weigh(label, SEVERITY) == (0.25, False)
    assert UNKNOWN == 0.25


def test_labels_are_read_in_any_spelling() -> None:
    assert weigh(" Not actionable-not urgent ", IMPORTANCE) == (0.25, True)
    assert weigh("Benign expected", IMPORTANCE) == (0.0, True)


@pytest.mark.parametrize(
    ("weight", "errors", "earned"),
    [
        (1.0, (), Fraction(1)),
        (1.0, (0.5,), Fraction(2, 3)),  # 1 / (1 + 1/2)
        (0.5, (0.5,), Fraction(1, 4)),  # (1/4) / (1/2 + 1/2)
        (0.5, (0.5, 0.25, 0.0), Fraction(1, 5)),  # (1/4) / (1/2 + 3/4)
        (0.25, (0.0,), Fraction(1, 4)),
        (0.0, (0.5,), Fraction(0)),
        (0.0, (), Fraction(0)),
    ],
)
def test_credit(weight: float, errors: tuple[float, ...], earned: Fraction) -> None:
    assert isclose(credit(weight, errors), earned, abs_tol=1e-15)


@pytest.mark.parametrize(
    ("total", "correct", "false", "missed", "value"),
    [
        (1.5, 1.5, 0.0, 0.0, Fraction(1)),
        (1.5, 1.0, 0.25, 0.5, Fraction(1, 2)),  # (1 - 1/4) / (3/2)
        (1.0, 0.5, 0.5, 0.5, Fraction(0)),
        (1.0, 0.0, 0.0, 1.0, Fraction(0)),  # everything missed, nothing invented
        (1.0, 0.25, 1.25, 0.75, Fraction(-1, 2)),  # d = 1
        (0.25, 0.0, 3.0, 0.25, Fraction(-3, 4)),  # d = 3, whatever N is
        (0.0, 0.0, 0.0, 0.0, Fraction(1)),  # normal study, nothing invented
        (0.0, 0.0, 0.5, 0.0, Fraction(-1, 3)),  # normal study, d = 1/2
        (0.0, 0.0, 1.0, 0.0, Fraction(-1, 2)),
        (0.0, 0.0, 0.0, 0.5, Fraction(0)),  # S is below 0 but nothing was invented
    ],
)
def test_values(total: float, correct: float, false: float, missed: float, value: Fraction) -> None:
    counts = CrimsonCounts(total, correct, false, missed)
    assert isclose(counts.value, value, abs_tol=1e-15)
    assert -1 < counts.value <= 1


def test_without_reference_weights() -> None:
    assert CrimsonCounts(0.0, 0.0, 0.5, 0.25).share == -1.75


def test_the_value_falls_with_every_invention_and_stays_above_minus_one() -> None:
    values = [CrimsonCounts(1.0, 0.5, false / 4, 0.5).value for false in range(4000)]
    assert all(later < earlier for earlier, later in pairwise(values))
    assert values[-1] > -1
