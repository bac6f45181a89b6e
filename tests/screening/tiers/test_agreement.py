"""Folders about other data sets, or about other items of one name, are refused by name."""

import json

import polars as pl
import pytest
from tests.screening.tiers import folders

from perimetry.cases import load
from perimetry.cases.errors import DataError, UsageError
from perimetry.screening import screen
from perimetry.screening.guessers import guess
from perimetry.screening.guessers.contents import cases_digest
from perimetry.screening.tiers import read_inputs


def table(path, **changed):
    rows = [
        {"id": f"q{n}", "question": f"Is it always {n}?", "options": ["always so", f"thing {n}", "rest"], "answer": "A"}
        for n in range(12)
    ]
    rows[3] |= changed
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return f"table:{path},name=ward"


def test_screens_of_one_set_and_guesses_of_another(tmp_path):
    screens = folders.screens(tmp_path / "s", [{"case_id": "1", "cue": "x", "dataset": "other"}])
    guesses = folders.guesses(tmp_path / "g", [{"case_id": "1"}])
    with pytest.raises(UsageError, match=r"s is about other; .*g is about d: .*screen and .*guess have no data set"):
        read_inputs([guesses, screens])


def test_guesses_of_one_set_and_a_run_of_another(tmp_path):
    guesses = folders.guesses(tmp_path / "g", [{"case_id": "1"}])
    run = folders.outcomes(tmp_path / "r", [{"case_id": "1", "dataset": "other"}])
    with pytest.raises(UsageError, match=r"guess and perimetry audit routes have no data set in common"):
        read_inputs([guesses, run])


def test_a_set_that_some_folders_do_not_have_is_told(tmp_path):
    guesses = folders.guesses(tmp_path / "g", [{"case_id": "1"}, {"case_id": "1", "dataset": "e"}])
    run = folders.outcomes(tmp_path / "r", [{"case_id": "1"}])
    told = read_inputs([guesses, run]).missing
    assert "e: in no folder of perimetry audit routes, though others are about it" in told


@pytest.mark.parametrize(
    ("made", "name", "rows", "command"),
    [
        (folders.screens, "candidates", [{"case_id": "1", "cue": "x"}], "perimetry screen"),
        (folders.guesses, "predictions", [{"case_id": "1"}], "perimetry guess"),
    ],
)
def test_a_folder_with_columns_of_older_names_is_made_again_by_its_own_command(tmp_path, made, name, rows, command):
    other = folders.outcomes(tmp_path / "r", [{"case_id": "1"}])
    old = made(tmp_path / "old", rows)
    table = pl.read_parquet(old / f"{name}.parquet").rename({"dataset": "data set", "case_id": "item"})
    table.write_parquet(old / f"{name}.parquet")
    with pytest.raises(DataError, match=rf"no column dataset, case_id. `{command}` makes it again; give") as refused:
        read_inputs([old, other])
    assert str(refused.value).endswith("that made it: perimetry") and "perimetry report" not in str(refused.value)
    (other / "outcomes.parquet").write_bytes(b"no table")
    with pytest.raises(DataError, match=r"`perimetry report .*r` makes it again from the responses"):
        read_inputs([other])


def test_no_item_in_common(tmp_path):
    guesses = folders.guesses(tmp_path / "g", [{"case_id": "1"}])
    run = folders.outcomes(tmp_path / "r", [{"case_id": "2"}])
    with pytest.raises(DataError, match="d has no item in common, 1 and 2 for example"):
        read_inputs([guesses, run])


@pytest.mark.parametrize(
    "changed", [{"answer": "B"}, {"question": "Is it never 3?"}, {"options": ["always so", "another", "rest"]}]
)
def test_items_of_one_name_that_say_something_else(tmp_path, changed):
    screen([table(tmp_path / "one.jsonl")], out=tmp_path / "s")
    guess(table(tmp_path / "two.jsonl", **changed), out=tmp_path / "g", folds=2, shuffles=0, resamples=10)
    with pytest.raises(DataError, match="1 of 12 items of ward differ in stem, options or keys, such as q3"):
        read_inputs([tmp_path / "s", tmp_path / "g"])


def test_the_same_items_agree_although_some_are_left_out(tmp_path):
    spec = table(tmp_path / "one.jsonl")
    screen([spec], out=tmp_path / "s")
    guess(spec, out=tmp_path / "g", folds=2, limit=8, shuffles=0, resamples=10)
    told = read_inputs([tmp_path / "s", tmp_path / "g"]).missing
    assert any(it.startswith("4 items of") and it.endswith("not part of the subset") for it in told)


def digested(path, digest, cases=1):
    lines = f'[digests]\nd = "{digest}"\n[[data]]\nname = "d"\ncases = {cases}\n'
    settings = next(path.glob("*.toml"))
    settings.write_text(lines)
    return path


def test_runs_and_guesses_over_the_same_cases_have_one_digest(tmp_path):
    run = digested(folders.outcomes(tmp_path / "r", [{"case_id": "1"}]), "aa")
    same = digested(folders.guesses(tmp_path / "g", [{"case_id": "1"}]), "aa")
    assert read_inputs([run, same]).items.height == 1
    other = digested(folders.guesses(tmp_path / "h", [{"case_id": "1"}]), "bb")
    with pytest.raises(DataError, match=r"1 cases of d have the same names .*digests bb and aa"):
        read_inputs([other, run])
    # Over other numbers of cases digests differ anyway.
    assert read_inputs([digested(other, "bb", cases=9), run]).items.height == 1


def test_the_digest_is_the_one_of_a_run():
    from perimetry.conditions import Surroundings
    from perimetry.models import Decoding
    from perimetry.runs.plan import build_plan

    cases = load("phantom:n=6")
    plan = build_plan([cases], [], Surroundings(1), "p", Decoding())
    assert plan.digests["phantom"] == cases_digest(cases.questions)
