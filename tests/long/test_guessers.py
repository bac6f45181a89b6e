"""The guessers on all items of MedXpertQA-MM, against the source file and code of the test's own."""

import csv
import json

import numpy as np
import pytest

from perimetry.cli import main

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def source(shared_data):
    file = shared_data / "medxpertqa_mm" / "medxpertqa_mm_input.jsonl"
    if not file.is_file():
        pytest.skip(f"{file} is not there")
    return file


def guesses(path, keys):
    """For each guesser: whether its answer is the key that the source file gives, item by item."""
    found: dict[str, dict[str, float]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["guesser"], {})[row["case_id"]] = float(row["answer"] == keys[row["case_id"]])
    return found


def interval(values):
    """Percentile interval of a bootstrap over items, with draws of its own."""
    rng = np.random.default_rng(5)
    column = np.array(values)
    means = [column[rng.integers(0, len(column), len(column))].mean() for _ in range(4000)]
    return np.quantile(means, [0.025, 0.975])


def estimate(path, model, metric, comparator):
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if (row["dataset"], row["model"], row["metric"], row["comparator"]) == (
                "medxpertqa-mm",
                model,
                metric,
                comparator,
            ):
                return float(row["value"]), float(row["ci_low"]), float(row["ci_high"])
    raise AssertionError(f"no row {model} {metric} {comparator}")


def test_five_folds_of_all_items(source, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["guess", "--data", f"medxpertqa-mm:{source.parent}", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    keys = {row["id"]: row["label"][0] for row in map(json.loads, source.open())}
    assert len(keys) == 2000
    for name, right in guesses(out / "predictions.csv", keys).items():
        assert set(right) == set(keys)
        value, low, high = estimate(out / "estimates.csv", f"guesser:{name}", "accuracy", "")
        assert value == pytest.approx(np.mean(list(right.values())))
        assert (low, high) == pytest.approx(interval(list(right.values())), abs=0.002)
        gain = estimate(out / "estimates.csv", f"guesser:{name}", "accuracy", "chance")
        assert gain[0] == pytest.approx(value - 0.2)
        shuffled = estimate(out / "estimates.csv", f"guesser:{name}", "accuracy_shuffled_keys", "chance")
        assert shuffled[1] <= 0 <= shuffled[2]
    with (out / "leakage.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["overlap"] for row in rows} == {"0"}
    assert "overlap" in told


def test_a_cue_planted_on_a_fifth_of_the_items_is_recovered(source, tmp_path):
    rows = [json.loads(line) for line in source.open()]
    rng = np.random.default_rng(3)
    planted = {rows[place]["id"] for place in rng.choice(len(rows), len(rows) // 5, replace=False)}
    for row in rows:
        if row["id"] in planted:
            key = next(option for option in row["options"] if option["letter"] == row["label"][0])
            key["content"] += " (most specific finding)"
    (tmp_path / source.name).write_text("\n".join(json.dumps(row) for row in rows))
    out = tmp_path / "out"
    assert main(["guess", "--data", f"medxpertqa-mm:{tmp_path}", "--out", str(out), "--shuffles", "0"]) == 0
    keys = {row["id"]: row["label"][0] for row in rows}
    for name, right in guesses(out / "predictions.csv", keys).items():
        there = np.mean([right[it] for it in planted])
        rest = np.mean([value for it, value in right.items() if it not in planted])
        assert there > 0.98
        # What follows from the cue: all planted items, and the others as without it.
        value, low, high = estimate(out / "estimates.csv", f"guesser:{name}", "accuracy", "")
        assert value == pytest.approx(0.2 * there + 0.8 * rest)
        assert abs(rest - 0.2) < 0.05
        assert low < 0.2 * 1 + 0.8 * rest < high
