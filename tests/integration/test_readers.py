"""What the counterfactual audit must say of readers whose habits are known, on 500 balanced questions."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import perimetry

READERS = (
    "reader:grounded",
    "reader:naive",
    "reader:mixed(0.5)",
    "reader:blind",
    "reader:constant",
    "reader:random",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("readers") / "run"
    return perimetry.audit(data="phantom:n=500,size=128,seed=7", models=READERS, out=out).run


def row(run, model: str, metric: str, condition: str | None = None) -> dict[str, Any]:
    rows = run.estimates.filter(
        (pl.col("model") == model)
        & (pl.col("metric") == metric)
        & (pl.col("dataset") == "macro")
        & (pl.col("stratum") == "all")
        & ~pl.col("comparator").str.starts_with("model:")
    )
    if condition is not None:
        rows = rows.filter(pl.col("condition") == condition)
    assert rows.height == 1, (model, metric, condition, rows)
    found: dict[str, Any] = rows.to_dicts()[0]
    return found


def test_the_questions_are_balanced(run):
    assert row(run, "", "majority")["value"] == pytest.approx(0.5, abs=0.01)
    assert row(run, "", "chance")["value"] == 0.5
    assert row(run, "reader:blind", "accuracy", "real")["n"] == 500


@pytest.mark.parametrize("model", ["reader:grounded", "reader:naive"])
def test_readers_that_look_use_the_image(run, model):
    assert run.verdicts[model]["verdict"] == "uses the image"
    assert row(run, model, "accuracy", "real")["value"] >= 0.95
    for metric, condition in (("vrs", "shuffle"), ("bd", "blank"), ("hn_gap", "hardneg"), ("is_excess", "shuffle")):
        found = row(run, model, metric, condition)
        assert found["ci_low"] > 0.3, metric
    assert row(run, model, "vrs")["p_value"] < 1e-6
    assert row(run, model, "retest_agreement")["value"] == 1.0


@pytest.mark.parametrize("model", ["reader:blind", "reader:constant"])
def test_readers_that_do_not_look(run, model):
    assert run.verdicts[model]["verdict"] == "does not use the image"
    for metric in ("vrs", "bd", "vbr", "vhr", "is_excess", "hn_gap"):
        found = row(run, model, metric)
        assert (found["value"], found["ci_low"], found["ci_high"]) == (0.0, 0.0, 0.0), metric
    assert row(run, model, "is_pred")["value"] == 1.0
    assert row(run, model, "accuracy", "real")["value"] == pytest.approx(0.5, abs=0.05)


def test_random_answers_are_not_taken_for_looking(run):
    assert run.verdicts["reader:random"]["verdict"] not in ("uses the image", "marginal use")
    found = row(run, "reader:random", "is_pred")
    assert found["value"] == pytest.approx(0.5, abs=0.08)  # peers would call this half grounded
    excess = row(run, "reader:random", "is_excess")
    assert excess["ci_low"] < 0 < excess["ci_high"]


def test_a_mixed_reader_lies_between(run):
    assert run.verdicts["reader:mixed(0.5)"]["verdict"] == "uses the image"
    full = row(run, "reader:grounded", "vrs")["value"]
    half = row(run, "reader:mixed(0.5)", "vrs")
    assert half["ci_low"] <= 0.5 * full <= half["ci_high"]


def test_every_number_is_that_of_a_short_script(run):
    """Recomputed from outcomes.parquet with plain polars."""
    wide = (
        run.outcomes.with_columns(pl.col("correct").cast(pl.Float64))
        .pivot(on="condition", index=["model", "case_id"], values=["correct", "answer"])
        .with_columns(
            vrs=pl.col("correct_real") - pl.col("correct_shuffle"),
            bd=pl.col("correct_real") - pl.col("correct_blank"),
            hn_gap=pl.col("correct_real") - pl.col("correct_hardneg"),
            is_pred=(pl.col("answer_real") == pl.col("answer_shuffle")).fill_null(False).cast(pl.Float64),
            retest_agreement=(pl.col("answer_real") == pl.col("answer_retest")).fill_null(False).cast(pl.Float64),
            vbr=pl.col("correct_real") * (1 - pl.col("correct_noimage")),
            vhr=pl.col("correct_shuffle") * (1 - pl.col("correct_real")),
        )
    )
    for model in READERS:
        own = wide.filter(pl.col("model") == model)
        for metric in ("vrs", "bd", "hn_gap", "is_pred", "retest_agreement", "vbr", "vhr"):
            assert row(run, model, metric)["value"] == pytest.approx(own[metric].mean(), abs=1e-12), (model, metric)
