"""`perimetry guess` end to end: files, recomputed figures, refusals."""

import csv
import json
import tomllib
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from tests.screening.guessers.planted import drawn_items, planted_ids, with_cue

from perimetry.cases.errors import DataError, UsageError
from perimetry.screening.guessers import cross_fit, estimate_guesses, guess


@dataclass(frozen=True)
class Recomputed:
    accuracy: float
    low: float
    high: float
    chance: float


def recomputed(path, guesser, key_of):
    """Accuracy and its bootstrap interval from the saved guesses and the keys of the data, by other code."""
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["guesser"] == guesser]
    groups: dict[str, list[int]] = {}
    for row in rows:
        right, count = groups.setdefault(row["group"], [0, 0])
        groups[row["group"]] = [right + (row["answer"] == key_of[row["case_id"]]), count + 1]
    sums = np.array(list(groups.values()), dtype=float)
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, len(sums), (2000, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.quantile(totals[:, 0] / totals[:, 1], [0.025, 0.975])
    chance = sum(1 / int(row["options"]) for row in rows) / len(rows)
    return Recomputed(sums[:, 0].sum() / sums[:, 1].sum(), low, high, chance)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Items with a cue on a fifth of them, as a table of one's own, guessed."""
    folder = tmp_path_factory.mktemp("guess")
    items = drawn_items(240)
    planted = planted_ids(items, 0.2)
    items = [with_cue(item, "word") if item.id in planted else item for item in items]
    rows = [
        {
            "id": item.id,
            "image": "",
            "question": item.stem,
            "options": [text for _, text in item.options],
            "answer": item.keys[0],
            "group": item.group,
        }
        for item in items
    ]
    rows.append({"id": "open", "question": "Why?", "answer": "so", "group": "x"})
    table = folder / "mine.jsonl"
    table.write_text("\n".join(json.dumps(row) for row in rows))
    result = guess(
        f"table:{table},name=mine", out=folder / "out", shuffles=1, resamples=2000, command="perimetry guess"
    )
    return items, planted, result


def test_accuracy_and_interval_follow_from_the_saved_guesses(written):
    items, _, result = written
    keys = {item.id: item.keys[0] for item in items}
    for reading in result.readings:
        again = recomputed(result.path / "predictions.csv", reading.guesser, keys)
        assert reading.accuracy.value == pytest.approx(again.accuracy)
        assert reading.accuracy.ci_low == pytest.approx(again.low, abs=0.012)
        assert reading.accuracy.ci_high == pytest.approx(again.high, abs=0.012)
        assert reading.chance.value == pytest.approx(again.chance)
        assert reading.gain.value == pytest.approx(again.accuracy - again.chance)
        assert reading.sane


def test_the_accuracy_is_the_one_that_follows_from_the_planted_cue(written):
    _, planted, result = written
    table = pl.read_parquet(result.path / "predictions.parquet").filter(pl.col("guesser") == "options")
    there = table.filter(pl.col("case_id").is_in(planted))
    assert there["correct"].all()
    reading = result.readings[0]
    assert (reading.guesser, reading.verdict) == ("options", "above chance")
    assert reading.accuracy.ci_low < 0.2 + 0.8 * 0.2 < reading.accuracy.ci_high


def test_the_folder_holds_what_the_docs_say(written):
    _, _, result = written
    path = result.path
    estimates = pl.read_csv(path / "estimates.csv")
    assert estimates.filter(pl.col("model") == "chance")["value"][0] == pytest.approx(0.2)
    assert pl.read_csv(path / "leakage.csv")["overlap"].sum() == 0
    assert set(pl.read_csv(path / "shuffled.csv")["shuffle"]) == {1}
    settings = tomllib.loads((path / "guess.toml").read_text())
    assert settings["asked"]["sources"][0]["name"] == "mine"
    told = json.loads((path / "guess.json").read_text())
    assert told["left_out"] == {"mine": {"no options": 1}}
    assert told["items"] == 240
    page = (path / "report" / "index.html").read_text()
    assert "Leakage proof" in page
    assert "no options" in page


def test_by_number_of_options_and_pooled_over_data_sets():
    items = [*drawn_items(100), *drawn_items(60, options=3, dataset="other")]
    rows = estimate_guesses(cross_fit(items, shuffles=0).predictions, resamples=200)
    known = {(row.model, row.comparator, row.dataset, row.stratum): row for row in rows}
    assert known["chance", "", "pooled", "all"].value == pytest.approx((100 / 5 + 60 / 3) / 160)
    assert known["chance", "", "macro", "all"].value == pytest.approx((1 / 5 + 1 / 3) / 2)
    assert known["guesser:options", "", "other", "options=3"].n == 60
    assert known["guesser:options", "", "drawn", "options=3"].n == 0
    table = cross_fit(items, shuffles=0).predictions.filter(pl.col("guesser") == "options")
    assert known["guesser:options", "", "pooled", "all"].value == pytest.approx(table["correct"].mean())


@pytest.mark.parametrize(
    ("asked", "error", "told"),
    [
        ({"data": ["phantom-studies:n=4"]}, DataError, "holds no questions"),
        ({"data": ["phantom:n=6"] * 2}, UsageError, "more than once"),
        ({"data": "phantom:n=6", "shuffles": -1}, UsageError, "--shuffles is -1"),
        ({"data": "phantom:n=6", "folds": 1}, UsageError, "--folds is 1"),
        ({"data": "nowhere:x"}, UsageError, "no data set called"),
    ],
)
def test_refusals(asked, error, told, tmp_path):
    with pytest.raises(error, match=told):
        guess(**asked, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_of_others_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        guess("phantom:n=40", out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
