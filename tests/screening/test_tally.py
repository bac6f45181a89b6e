"""Odds ratios against statsmodels, and the counts behind them."""

import random

import numpy as np
import pytest
from tests.screening.builders import LETTERS, item

from perimetry.screening.finding import Finding
from perimetry.screening.tally import Tally


def test_the_odds_ratio_is_that_of_statsmodels():
    from statsmodels.stats.contingency_tables import StratifiedTable

    dice = random.Random(3)
    tally, tables = Tally("option"), []
    for number in range(60):
        size = dice.randint(2, 6)
        labels = LETTERS[:size]
        key = dice.choice(labels)
        carried = tuple(label for label in labels if dice.random() < (0.6 if label == key else 0.3))
        made = item("What?", *(["x"] * size), key=key, identity=str(number))
        tally.add(made, Finding(carried) if carried else None)
        table = np.zeros((2, 2))
        for label in labels:
            table[int(label not in carried), int(label != key)] += 1
        if 0 < len(carried) < size:
            tables.append(table)
    oracle = StratifiedTable(tables)
    odds = tally.odds()
    assert odds.value == pytest.approx(oracle.oddsratio_pooled)
    low, high = oracle.oddsratio_pooled_confint()
    assert (odds.ci_low, odds.ci_high) == pytest.approx((low, high))
    assert odds.tables == odds.informative == len(tables)
    assert tally.items == 60


def test_groups_of_several_items_widen_nothing_but_change_the_interval():
    def filled(groups):
        tally = Tally("option")
        for number in range(40):
            carried = "A" if number % 3 else "B"
            tally.add(
                item("What?", "a", "b", "c", identity=str(number), group=str(number % groups)), Finding((carried,))
            )
        return tally.odds()

    alone, shared = filled(40), filled(10)
    assert alone.value == shared.value
    assert alone.ci_low != shared.ci_low


def test_a_cue_of_every_option_tells_nothing_and_is_counted():
    tally = Tally("option")
    tally.add(item("What?", "aa", "bb"), Finding(("A", "B")))
    assert (tally.found, tally.key, tally.carriers) == (1, 1, 2)
    assert tally.odds().tables == 0 and np.isnan(tally.odds().value)


def test_cues_of_the_item_have_no_key():
    tally = Tally("item")
    tally.add(item("What?", "aa", "bb"), Finding())
    tally.add(item("What?", "aa", "bb"), None)
    assert (tally.items, tally.found, tally.key) == (2, 1, 0)
