"""The figures of MedQA-MM, Table 11, on the items themselves; and what other data sets give."""

import random

import polars as pl
import pytest

from perimetry.cases import load
from perimetry.screening.output import screen
from perimetry.screening.registry import chosen_screens
from perimetry.screening.run import screen_items


@pytest.fixture(scope="module")
def medxpertqa(shared_data):
    return screen([f"medxpertqa-mm:{shared_data / 'medxpertqa_mm'}"])


def test_table_11_of_medxpertqa_mm(medxpertqa):
    rows = {row["cue"]: row for row in medxpertqa.prevalence.to_dicts()}
    assert rows["valid"]["items"] == 2000
    assert rows["random"]["share"] == 0.2
    longest = rows["longest-option"]
    assert (longest["items"], longest["key_has_cue"], round(longest["share"], 3)) == (2000, 598, 0.299)
    lone = rows["unique-longest-option"]
    assert (lone["items"], lone["key_has_cue"], round(lone["share"], 3)) == (2000, 296, 0.148)
    assert rows["large-gap"]["key_has_cue"] == 9
    assert rows["longest-option-by-words"]["key_has_cue"] == 921
    assert rows["unique-longest-option-by-words"]["key_has_cue"] == 168


def test_the_columns_of_the_table(medxpertqa):
    assert medxpertqa.prevalence.columns == [
        *("dataset", "cue", "unit", "items", "key_has_cue", "share", "odds_ratio", "ci_low", "ci_high")
    ]


def test_keys_by_place_are_all_keys(medxpertqa):
    places = medxpertqa.prevalence.filter(pl.col("cue").str.starts_with("key-position-"))
    assert places["key_has_cue"].sum() == 2000
    assert places["items"].unique().to_list() == [2000]


def test_the_order_of_items_leaves_no_trace(shared_data):
    """300 items forwards and shuffled: the same candidates and the same counts."""
    from perimetry.screening.item import Item

    questions = load(f"medxpertqa-mm:{shared_data / 'medxpertqa_mm'}").questions[:300]
    items = [Item.of(question) for question in questions]
    shuffled = list(items)
    random.Random(7).shuffle(shuffled)
    one = screen_items(lambda: items, dataset="medxpertqa-mm")
    other = screen_items(lambda: shuffled, dataset="medxpertqa-mm")
    assert one.candidates.equals(other.candidates)
    for name, tally in one.tallies.items():
        again = other.tallies[name]
        assert (tally.items, tally.found, tally.key, tally.carriers) == (
            again.items,
            again.found,
            again.key,
            again.carriers,
        )
        assert repr(tally.odds().value) == repr(again.odds().value) or tally.odds().value == pytest.approx(
            again.odds().value
        )
    assert one.denominators.random == other.denominators.random


def test_a_text_screen_of_a_real_set_without_options(shared_data):
    result = screen([f"vqa-rad:{shared_data / 'vqa_rad'}"])
    rows = {row["cue"]: row for row in result.prevalence.to_dicts()}
    assert rows["valid"]["items"] == 0 and "random" not in rows
    assert rows["large-gap"]["items"] == 0 and rows["large-gap"]["share"] is None
    assert rows["patient-sex"]["items"] == 451
    told = {remark.what: remark.items for remark in result.screenings[0].denominators.unusable}
    assert told == {
        "closed question: it has no labelled options": 272,
        "open question: it has no labelled options": 179,
    }


def test_meta_options_of_mmmu_pro_lean_to_the_key(shared_data):
    """In the health items of MMMU-Pro "all of the above" is the key in four of five items that offer it."""
    file = shared_data / "mmmu_pro" / "gpt-4o_standard_10_options_direct.jsonl"
    result = screen([f"mmmu-pro:{file}"], screens=["all-of-the-above", "both-options", "duplicate-options"])
    rows = {row["cue"]: row for row in result.cues.to_dicts()}
    everything = rows["all-of-the-above"]
    assert (everything["items_with_cue"], everything["key_has_cue"]) == (5, 4)
    assert everything["ci_low"] > 1
    assert rows["duplicate-options"]["items_with_cue"] == 2
    assert rows["duplicate-options"]["key_has_cue"] == 0


def test_chinese_questions_are_left_to_the_screens_that_can_read_them(shared_data):
    result = screen([f"slake:{shared_data / 'slake'},lang=zh"])
    counts = result.screenings[0].denominators
    told = {remark.what: remark.items for remark in counts.peculiar}
    assert told["not in English"] == counts.items
    assert result.screenings[0].tallies["negative-lead-in"].items == 0
    assert result.screenings[0].tallies["repeated-template"].items == counts.items


def test_every_text_screen_was_run(medxpertqa):
    assert set(medxpertqa.screenings[0].tallies) == {each.name for each in chosen_screens()}
