"""What stands in one row is of the same items, and no value looks exact because all items are alike."""

import math
from dataclasses import replace

import pytest
from tests.protocols.review.made_up import fill, places, sheets, write_pairs

from perimetry.cli import main
from perimetry.protocols.review import export_review, import_ratings, read_study, summarise
from perimetry.protocols.review.estimates import ALIKE
from perimetry.protocols.review.tables import few_rated, variation_rows

PAIRS = 12


def reviewed(folder, answer, variations=("hedging", "negation:explicit"), each=PAIRS):
    """A study that ann and bob rate alike: `answer(place, variation, side)` is a realism, or nothing."""
    pairs = write_pairs(folder / "pairs.jsonl", ["iu"], list(variations), each)
    review = folder / "review"
    export_review(pairs, review, tasks=["realism"], raters=["ann", "bob"])
    where, held = places(review, "realism"), read_study(review).pairs

    def said(item, rater):
        place, side = where[item]
        return answer(place, held[place].variation, side)

    import_ratings(review, [fill(sheet, said) for sheet in sheets(review)])
    return summarise(review, resamples=200), review


def row(result, metric, condition, comparator="", stratum="all"):
    (found,) = (
        one
        for one in result.estimates
        if (one.metric, one.condition, one.comparator, one.stratum) == (metric, condition, comparator, stratum)
    )
    return found


def test_both_sides_of_a_difference_are_of_the_same_pairs(tmp_path):
    # Originals of the first half stay open: their alternatives must not count beside a difference without them.
    def answer(place, variation, side):
        if side == "original":
            return None if place % 2 else "23"[place % 4 // 2]
        return "123"[place % 3]

    result, _ = reviewed(tmp_path, answer)
    for line in variation_rows(result.study, result.estimates, "realism"):
        gap, one, other = (
            line[key]
            for key in (
                "realism alternative-original",
                "realism_in_pairs alternative",
                "realism_in_pairs original",
            )
        )
        assert one - other == pytest.approx(gap)
        assert (
            line["realism alternative-original_n"]
            == line["realism_in_pairs alternative_n"]
            == line["realism_in_pairs original_n"]
            == line["realism_no_worse alternative-original_n"]
        )
    everywhere = row(result, "realism", "alternative")
    assert (everywhere.n, row(result, "realism_in_pairs", "alternative").n) == (2 * PAIRS, PAIRS)
    settled = [int(each.value) for each in result.settled if each.side == "alternative" and each.item.pair % 2 == 0]
    assert row(result, "realism_in_pairs", "alternative").value == pytest.approx(sum(settled) / len(settled))


def test_what_is_equal_in_all_studies_has_no_interval_of_no_width(tmp_path, capsys):
    result, review = reviewed(tmp_path, lambda _place, variation, side: "2" if (variation, side) == LOWERED else "3")
    for one in result.estimates:
        assert one.ci_high - one.ci_low != 0.0, one
    mean = row(result, "realism", "original")
    assert (mean.value, mean.method.startswith(ALIKE)) == (3.0, True)
    assert math.isnan(mean.ci_low)
    share = row(result, "realism_no_worse", "alternative", "original", "hedging")
    assert (share.value, share.ci_low) == (0.0, 0.0)
    assert share.ci_high == pytest.approx(1.959964**2 / (PAIRS + 1.959964**2))
    gap = row(result, "realism", "alternative", "original", "hedging")
    assert (gap.value, gap.p_value) == (-1.0, pytest.approx(2 * 0.5**PAIRS))
    assert row(result, "realism", "alternative", "original", "negation:explicit").p_value == 1.0
    assert main(["review", "summary", str(review), "--resamples", "50"]) == 0
    assert f"−1.00 ({ALIKE})" in capsys.readouterr().out
    assert f"({ALIKE})" in result.page.read_text()


LOWERED = ("hedging", "alternative")


def test_two_pairs_that_fall_alike_show_no_change(tmp_path):
    result, _ = reviewed(tmp_path, lambda _p, _v, side: "2" if side == "alternative" else "3", ["hedging"], 2)
    assert row(result, "realism", "alternative", "original").p_value == 0.5
    assert "no change shown" in result.page.read_text()


def test_few_items_carry_a_caution(tmp_path):
    result, _ = reviewed(tmp_path, lambda _p, variation, _s: "3" if variation == "hedging" else None)
    assert sorted(few_rated(result.study, result.settled, "realism")) == [
        ("negation:explicit", "alternative", 0),
        ("negation:explicit", "original", 0),
    ]
    assert "fewer than 10 items are settled of negation:explicit" in result.page.read_text()


def test_tasks_with_names_that_begin_alike_are_kept_apart(tmp_path):
    result, _ = reviewed(tmp_path, lambda place, _v, _s: "23"[place % 2])
    others = [one for one in result.estimates if one.metric == "realism"]
    mixed = [replace(one, metric="realism_2", value=9.0, p_value=0.7) for one in others]
    assert variation_rows(result.study, [*result.estimates, *mixed], "realism") == variation_rows(
        result.study, result.estimates, "realism"
    )
