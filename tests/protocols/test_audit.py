"""The whole path on phantoms: run, resume, extend, count, rebuild."""

from __future__ import annotations

import json

import polars as pl
import pytest

import perimetry
from perimetry.cases.errors import DataError, UsageError
from perimetry.inference import Settings
from perimetry.protocols.audit import dry_run
from perimetry.protocols.finish import rebuild
from perimetry.protocols.registry import find_protocol
from perimetry.runs.asked import Asked
from perimetry.runs.estimates import ESTIMATE_SCHEMA

DATA = "phantom:n=24,size=64"
SOME = ("real", "retest", "blank", "shuffle", "noimage", "mismatch")


def run(out, models=("reader:blind", "reader:random"), **more):
    return perimetry.audit(data=DATA, models=models, out=out, conditions=more.pop("conditions", SOME), **more)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return run(tmp_path_factory.mktemp("audit") / "run")


def test_the_folder_holds_what_the_design_says(finished):
    path = finished.run.path
    for name in ("run.toml", "plan.parquet", "outcomes.parquet", "estimates.parquet", "estimates.csv", "verdicts.json"):
        assert (path / name).is_file(), name
    assert finished.run.page.is_file()
    assert list((path / "responses").glob("part-*.parquet"))
    assert not list((path / "responses").glob("journal-*"))


def test_estimates_have_the_common_columns(finished):
    csv = pl.read_csv(finished.run.path / "estimates.csv")
    assert csv.columns == list(ESTIMATE_SCHEMA)
    assert set(csv["dataset"]) == {"phantom", "macro"}
    accuracy = csv.filter((pl.col("metric") == "accuracy") & pl.col("comparator").is_null())
    assert set(accuracy["condition"]) == set(SOME)
    compared = csv.filter(pl.col("comparator") == "model:reader:blind")
    assert set(compared["model"]) == {"reader:random"}


def test_verdicts_map_model_to_verdict_and_reason(finished):
    verdicts = json.loads((finished.run.path / "verdicts.json").read_text())
    assert list(verdicts) == ["reader:blind", "reader:random"]
    assert verdicts["reader:blind"]["verdict"] == "does not use the image"
    assert "[" in verdicts["reader:blind"]["reason"]


def test_a_second_invocation_asks_nothing(finished):
    again = run(finished.run.path)
    assert [summary.asked for summary in again.summaries] == [0, 0]


def test_models_and_conditions_join_a_run(tmp_path):
    first = run(tmp_path / "r", models=("reader:blind",), conditions=("real", "blank"))
    assert first.summaries[0].asked == 48
    second = run(tmp_path / "r", models=("reader:constant",), conditions=("real", "shuffle"))
    assert [summary.asked for summary in second.summaries] == [24, 72]
    assert second.run.asked.conditions == ("real", "blank", "shuffle")
    assert set(second.run.outcomes["model"]) == {"reader:blind", "reader:constant"}


def test_another_seed_or_data_set_is_refused(finished):
    with pytest.raises(UsageError, match="seed"):
        run(finished.run.path, seed=7)
    with pytest.raises(UsageError, match="data"):
        perimetry.audit(data="phantom:n=3", models="reader:blind", out=finished.run.path)


def test_rebuilding_asks_nobody_and_changes_no_byte(finished):
    path = finished.run.path
    before = {name: (path / name).read_bytes() for name in ("estimates.csv", "outcomes.parquet", "verdicts.json")}
    for name in before:
        (path / name).unlink()
    finished.run.report()
    assert {name: (path / name).read_bytes() for name in before} == before


def test_rebuilding_on_other_cases_is_refused(finished):
    with pytest.raises(DataError, match="not those this run was made with"):
        rebuild(finished.run.path, ["phantom:n=23,size=64"])


def test_workers_and_shards_give_byte_equal_estimates(finished, tmp_path):
    other = run(tmp_path / "r", settings=Settings(workers=2, shard_size=7))
    assert (other.run.path / "estimates.csv").read_bytes() == (finished.run.path / "estimates.csv").read_bytes()


def test_max_requests_stops_and_the_same_call_goes_on(tmp_path):
    first = run(tmp_path / "r", settings=Settings(max_requests=100))
    assert sum(summary.asked for summary in first.summaries) == 100
    assert first.run.unanswered == 2 * 24 * len(SOME) - 100
    second = run(tmp_path / "r")
    assert second.run.unanswered == 0
    assert sum(summary.asked for summary in second.summaries) == 2 * 24 * len(SOME) - 100


def test_dry_run_counts_what_is_then_asked(finished, tmp_path):
    protocol = find_protocol("counterfactual")
    asked = Asked.of(
        "counterfactual",
        data=DATA,
        models=("reader:blind", "reader:random"),
        conditions=(*SOME, "textonly", "full"),
        decoding=protocol.decoding,
    )
    count = dry_run(protocol, asked, tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    assert count.trials == 2 * 24 * 8
    assert count.requests == 2 * 24 * len(SOME)  # textonly is noimage, full is real
    assert count.images == 2 * 24 * 5
    assert count.text_tokens > 0
    assert count.image_tokens == pytest.approx(count.images * 64 * 64 / 28**2, abs=2)
    assert dry_run(protocol, asked, finished.run.path).stored == count.requests


def test_unknown_names_come_with_the_nearest():
    for arguments, near in (
        ({"data": "phantm", "models": "reader:blind"}, "phantom"),
        ({"data": DATA, "models": "reader:blnd"}, "blind"),
        ({"data": DATA, "models": "reader:blind", "conditions": ["shufle"]}, "shuffle"),
    ):
        with pytest.raises(UsageError, match=near):
            perimetry.audit(out="/nonexistent/never", **arguments)
    with pytest.raises(UsageError, match="counterfactual"):
        perimetry.audit("counterfactul", data=DATA, models="reader:blind", out="/nonexistent/never")


def test_two_models_or_conditions_of_one_name_are_refused(tmp_path):
    with pytest.raises(UsageError, match="reader:blind"):
        run(tmp_path / "a", models=("reader:blind", "reader:blind "))
    with pytest.raises(UsageError, match="twice"):
        run(tmp_path / "b", conditions=("real", "blank", "blank(127)"))


def test_all_outcomes_carry_the_scorer_and_a_span(finished):
    outcomes = finished.run.outcomes
    assert outcomes["scorer"].n_unique() == 1
    read = outcomes.filter(pl.col("answer").is_not_null())
    assert read.filter(pl.col("rule").is_null() | (pl.col("end") <= pl.col("start"))).is_empty()


def test_a_model_that_is_spoken_to_in_another_way_does_not_join(tmp_path):
    """The request's name leaves the model out, so a changed recorded file or card must not mix with old answers."""
    answers = tmp_path / "answers.jsonl"

    def write(text):
        rows = [{"case_id": case.id, "condition": "real", "response": text} for case in perimetry.load(DATA).cases]
        answers.write_text("\n".join(json.dumps(row) for row in rows))

    write("Yes")
    arguments = {"models": f"recorded:{answers}", "conditions": ("real",)}
    run(tmp_path / "r", **arguments)
    run(tmp_path / "r", **arguments)
    write("No")
    with pytest.raises(UsageError, match="has changed since this run began"):
        run(tmp_path / "r", **arguments)
