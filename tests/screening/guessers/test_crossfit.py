"""Cross-fitted guesses: planted cues, shuffled keys, order and processes, leakage."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from tests.screening.guessers.planted import drawn_items, planted_ids, with_cue

from perimetry.cases.errors import UsageError
from perimetry.screening.guessers import GUESSERS, GuessItem, cross_fit, overlaps
from perimetry.screening.guessers.crossfit import shuffled_places
from perimetry.screening.guessers.identity import identities
from perimetry.screening.guessers.leakage import Trained

OPTIONS, QUESTION = GUESSERS["options"], GUESSERS["question+options"]


def accuracy(table: pl.DataFrame) -> float:
    return float(table["correct"].mean())  # type: ignore[arg-type]


@pytest.mark.parametrize(("cue", "guesser"), [("word", OPTIONS), ("length", OPTIONS), ("stem", QUESTION)])
def test_a_planted_cue_is_recovered(cue, guesser):
    items = drawn_items(500)
    planted = planted_ids(items, 0.2)
    cued = [with_cue(item, cue) if item.id in planted else item for item in items]
    table = cross_fit(cued, shuffles=0, guessers=[guesser]).predictions
    there = table.filter(pl.col("case_id").is_in(planted))
    rest = table.filter(~pl.col("case_id").is_in(planted))
    assert accuracy(there) > 0.97
    # The rest is guessed by chance: four standard deviations of 400 draws.
    assert abs(accuracy(rest) - 0.2) < 4 * (0.16 / 400) ** 0.5
    assert accuracy(table) == pytest.approx(0.2 * accuracy(there) + 0.8 * accuracy(rest))


def test_a_cue_in_the_stem_is_hidden_from_the_guesser_of_options():
    items = [with_cue(item, "stem") for item in drawn_items(300)]
    table = cross_fit(items, shuffles=0).predictions
    by_name = {name: accuracy(part) for (name,), part in table.partition_by("guesser", as_dict=True).items()}
    assert by_name["question+options"] > 0.97
    assert by_name["options"] < 0.2 + 4 * (0.16 / 300) ** 0.5


def test_shuffled_keys_are_guessed_by_chance_even_where_a_cue_gives_every_key_away():
    items = [with_cue(item, "word") for item in drawn_items(400)]
    table = cross_fit(items, shuffles=2, guessers=[OPTIONS]).predictions
    assert accuracy(table.filter(pl.col("shuffle") == 0)) > 0.97
    assert abs(accuracy(table.filter(pl.col("shuffle") > 0)) - 0.2) < 4 * (0.16 / 800) ** 0.5


def test_every_option_is_a_shuffled_key_equally_often():
    items = drawn_items(3000, options=4)
    drawn = [place for (place,) in shuffled_places(items, 42, 1)]
    moved = [(place - item.places[0]) % 4 for place, item in zip(drawn, items, strict=True)]
    for counts in (np.bincount(drawn), np.bincount(moved)):
        assert ((counts - 750) ** 2 / 750).sum() < 16.3  # chi-square, 3 degrees of freedom, p = 0.001
    assert shuffled_places(items, 42, 2) != shuffled_places(items, 42, 1)


def test_the_order_of_items_changes_nothing():
    items = drawn_items(120)
    rng = np.random.default_rng(0)
    mixed = [items[place] for place in rng.permutation(len(items))]
    first, second = cross_fit(items, shuffles=1), cross_fit(mixed, shuffles=1)
    assert first.predictions.equals(second.predictions)


def test_another_process_guesses_the_same():
    script = (
        "from tests.screening.guessers.planted import drawn_items\n"
        "from perimetry.screening.guessers import cross_fit\n"
        "table = cross_fit(drawn_items(80), shuffles=1).predictions\n"
        "print(table.hash_rows(seed=0).sum(), ''.join(table['answer'].to_list()))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_every_item_is_guessed_once_by_a_fold_that_did_not_train_on_it():
    items = drawn_items(200)
    fit = cross_fit(items, shuffles=0)
    guessed = np.concatenate([one.evaluation for one in fit.trained])
    assert sorted(guessed.tolist()) == list(range(200))
    for one in fit.trained:
        training = {(fit.items[place].group) for place in one.training}
        evaluation = {(fit.items[place].group) for place in one.evaluation}
        assert not training & evaluation
        assert len(one.training) + len(one.evaluation) == 200


def test_items_that_share_a_stem_an_image_or_options_do_not_leak():
    items = drawn_items(200)
    twins = [
        GuessItem("drawn", f"twin{item.id}", f"t{item.id}", item.stem.upper() + "?", item.options[::-1], item.keys)
        for item in items[:60]
    ]
    pictured = [
        GuessItem(
            "other", f"p{n}", f"p{n}", f"Picture {n}", (("A", f"one {n}"), ("B", f"two {n}")), ("A",), (f"i{n // 3}",)
        )
        for n in range(90)
    ]
    fit = cross_fit([*items, *twins, *pictured], shuffles=0, guessers=[OPTIONS])
    found = {one.kind: one for one in overlaps(fit.identities, fit.trained)}
    assert {one.overlap for one in found.values()} == {0}
    assert found["stem"].repeated == 60
    assert found["options"].repeated == 60
    assert found["stem+options"].repeated == 60
    assert found["image"].repeated == 30


def test_the_proof_tells_a_leak():
    items = drawn_items(10)
    twin = GuessItem("drawn", "twin", "apart", items[0].stem, items[1].options, items[1].keys)
    known = identities([*items, twin])
    leaky = Trained(0, np.arange(10), np.array([10]))
    told = {one.kind: one.overlap for one in overlaps(known, [leaky])}
    assert told == {"id": 0, "group": 0, "image": 0, "stem": 1, "options": 1, "stem+options": 0}


def test_templates_are_told_and_do_not_bind_items_together():
    pair = (("A", "Yes"), ("B", "No"))
    items = [GuessItem("d", f"{n:03}", str(n), f"Is sign {n} there?", pair, ("AB"[n % 2],)) for n in range(100)]
    fit = cross_fit(items, shuffles=0, guessers=[OPTIONS])
    found = {one.kind: one for one in overlaps(fit.identities, fit.trained)}
    assert (found["options"].templates, found["options"].template_items, found["options"].overlap) == (1, 100, 0)
    assert [len(one.evaluation) for one in fit.trained] == [20] * 5


def test_too_few_items_are_one_clear_error():
    with pytest.raises(UsageError, match=r"3 usable items fall into 2 blocks .* 5 folds"):
        cross_fit(drawn_items(3))


def test_larger_pools_are_sampled_and_everything_is_guessed(monkeypatch):
    monkeypatch.setattr("perimetry.screening.guessers.crossfit.TRAINING_ITEMS", 100)
    monkeypatch.setattr("perimetry.screening.guessers.crossfit.ENCODED_AT_ONCE", 64)
    items = [with_cue(item, "word") for item in drawn_items(300)]
    fit = cross_fit(items, shuffles=0, guessers=[OPTIONS])
    assert fit.predictions.height == 300
    assert accuracy(fit.predictions) > 0.97
    assert sum(len(one.training) for one in fit.trained) == 4 * 100
