"""VQA-RAD as it is: the classical baseline that sees no image must be found out, exactly."""

from __future__ import annotations

import polars as pl
import pytest

import perimetry
from perimetry.conditions import DEFAULT_CONDITIONS


@pytest.fixture(scope="module")
def run(tmp_path_factory, shared_data):
    return perimetry.audit(
        data=f"vqa-rad:{shared_data / 'vqa_rad'}",
        models="baseline:question",
        split="test",
        out=tmp_path_factory.mktemp("vqa_rad") / "run",
    ).run


def macro(run, metric):
    rows = run.estimates.filter(
        (pl.col("metric") == metric) & (pl.col("dataset") == "macro") & (pl.col("stratum") == "all")
    )
    assert rows.height == 1
    return rows.to_dicts()[0]


def test_all_seven_conditions_run_on_the_official_test_items(run):
    assert run.asked.conditions == DEFAULT_CONDITIONS
    assert len(DEFAULT_CONDITIONS) == 7
    asked = run.outcomes.filter(pl.col("answered"))
    assert asked.group_by("condition").len().sort("condition")["len"].to_list() == [451] * 7


def test_words_alone_use_no_image(run):
    for metric in ("vrs", "bd", "vbr", "vhr"):
        found = macro(run, metric)
        assert (found["value"], found["ci_low"], found["ci_high"]) == (0.0, 0.0, 0.0), metric
    assert run.verdicts["baseline:question"]["verdict"] == "does not use the image"


def test_intervals_resample_images_not_questions(run):
    assert macro(run, "vrs")["groups"] == 203


def test_the_page_tells_the_overlap(run):
    table = next((run.path / "report" / "tables").glob("overlap*.csv"))
    rows = pl.read_csv(table)
    first = next(name for name in rows.columns if "mages" in name and rows[name].dtype.is_integer())
    assert 202 in rows[first].to_list()
