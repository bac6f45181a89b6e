"""Verdicts, reversals and ties of two zeros on cases worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from perimetry.protocols.references.drawn import Drawing, Level
from perimetry.protocols.references.rankings import order_rows, orders
from perimetry.runs.estimates import Estimate
from perimetry.statistics import Distribution, kendall_tau


def level(value: float, samples: list[float]) -> Level:
    return Level(Estimate("references", "d", "m", "x"), Distribution(value, np.asarray(samples), 9))


def drawing(**conditions: dict[str, tuple[float, list[float]]]) -> Drawing:
    levels = {
        ("d", system, condition): level(*held)
        for condition, systems in conditions.items()
        for system, held in systems.items()
    }
    return Drawing(levels, {})


HIGH = (0.9, [0.9, 0.9, 0.8, 0.9])
LOW = (0.2, [0.2, 0.1, 0.2, 0.2])
ZERO = (0.0, [0.0, 0.0, 0.0, 0.0])
WIDE = (0.3, [0.1, 0.2, 0.95, 0.99])


@pytest.mark.parametrize(
    ("after", "change", "plain", "by_verdict"),
    [
        ({"a": HIGH, "b": LOW}, "kept", 0, 0),
        ({"a": LOW, "b": HIGH}, "flipped", 1, 1),
        ({"a": HIGH, "b": WIDE}, "lost", 0, 0),
        ({"a": LOW, "b": WIDE}, "lost", 1, 1),
        ({"a": ZERO, "b": ZERO}, "lost_to_zero", 0, 0),
    ],
    ids=["kept", "flipped", "tie", "reversed and tie", "two zeros"],
)
def test_what_becomes_of_a_win(after, change, plain, by_verdict):
    first, second = orders(
        drawing(original={"a": HIGH, "b": LOW}, other=after), ["other"], direction="higher", level=0.95
    )
    assert (first.condition, first.plain, first.count("kept")) == ("original", 0, 1)
    assert second.pairs[0].change == change
    assert (second.plain, second.by_verdict) == (plain, by_verdict)


def test_a_tie_that_ends_is_gained():
    before, after = {"a": LOW, "b": WIDE}, {"a": LOW, "b": HIGH}
    _, order = orders(drawing(original=before, other=after), ["other"], direction="higher", level=0.95)
    assert order.pairs[0].change == "gained"
    assert order.pairs[0].share == 0.25  # in the first resample alone b is behind a under the originals


def test_lower_is_better_turns_ranks_and_verdicts_and_no_sign():
    held = drawing(original={"a": HIGH, "b": LOW}, other={"a": HIGH, "b": LOW})
    for direction, place, verdict in (("higher", 1.0, "win"), ("lower", 2.0, "loss")):
        _, order = orders(held, ["other"], direction=direction, level=0.95)
        assert order.ranks[0].rank == place
        assert order.pairs[0].after.verdict == verdict
        assert order.pairs[0].after.gap.value == pytest.approx(0.7)


def test_neither_good_nor_bad_has_no_order():
    held = drawing(original={"a": HIGH, "b": LOW}, other={"a": LOW, "b": HIGH})
    assert orders(held, ["other"], direction="neutral", level=0.95) == ()


def test_tau_and_reversals_of_every_resample():
    dice = np.random.default_rng(3)
    tables = dice.integers(0, 4, (2, 4, 50)).astype(float)  # small numbers tie now and then
    conditions = {
        name: {f"s{row}": (float(table[row, 0]), list(table[row])) for row in range(4)}
        for name, table in zip(("original", "other"), tables, strict=True)
    }
    _, order = orders(drawing(**conditions), ["other"], direction="higher", level=0.95)
    for at in range(50):
        one, two = tables[0][:, at], tables[1][:, at]
        expected = kendall_tau(one, two)
        assert order.tau.samples[at] == pytest.approx(expected, nan_ok=True)
        turned = sum((one[i] - one[j]) * (two[i] - two[j]) < 0 for i in range(4) for j in range(i + 1, 4))
        assert order.resampled.samples[at] == turned
    assert order.plain == order.resampled.samples[0]


def test_rows_of_the_table():
    held = drawing(original={"a": HIGH, "b": LOW}, other={"a": LOW, "b": HIGH})
    _, order = orders(held, ["other"], direction="higher", level=0.95)
    template = Estimate("references", "", "", "rouge_l", direction="higher")
    rows = {(row.metric, row.model, row.comparator): row.value for row in order_rows(order, template, 0.95, 30, 2)}
    assert rows["rouge_l", "a", "model:b"] == pytest.approx(-0.7)
    assert rows["rank:rouge_l", "b", ""] == 1.0
    assert rows["reversals:rouge_l", "all systems", "original"] == 1.0
    assert rows["flips:rouge_l", "all systems", "original"] == 1.0
    assert rows["kendall_tau:rouge_l", "all systems", "original"] == -1.0
