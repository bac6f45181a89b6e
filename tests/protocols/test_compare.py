from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import perimetry
from perimetry.cases.errors import UnknownNameError, UsageError

DATA = "phantom:n=60,size=64"
SOME = ("real", "retest", "blank", "shuffle")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    one = perimetry.audit(data=DATA, models=("reader:blind", "reader:random"), out=folder / "one", conditions=SOME)
    two = perimetry.audit(data=DATA, models="reader:random", out=folder / "two", conditions=SOME)
    other = perimetry.audit(data="phantom:n=59,size=64", models="reader:random", out=folder / "other", conditions=SOME)
    return one.run.path, two.run.path, other.run.path


def test_across_two_runs_equals_within_one(runs):
    one, two, _ = runs
    inside = perimetry.compare_models(one, one, "reader:blind", "reader:random")
    across = perimetry.compare_models(one, two, "reader:blind", "reader:random")
    assert inside.equals(across)
    in_report = pl.read_parquet(one / "estimates.parquet").filter(pl.col("comparator") == "model:reader:blind")
    keys = ["dataset", "metric", "condition"]
    assert inside.sort(keys).select("value", "ci_low", "n").equals(in_report.sort(keys).select("value", "ci_low", "n"))


def test_differences_are_those_of_the_outcomes(runs):
    one, *_ = runs
    outcomes = pl.read_parquet(one / "outcomes.parquet")

    def right(model, condition):
        rows = outcomes.filter((pl.col("model") == model) & (pl.col("condition") == condition)).sort("case_id")
        return rows["correct"].to_numpy()

    rows = perimetry.compare_models(one, one, "reader:blind", "reader:random").filter(pl.col("dataset") == "macro")
    accuracy = rows.filter((pl.col("metric") == "accuracy") & (pl.col("condition") == "real")).to_dicts()[0]
    ours, theirs = right("reader:random", "real"), right("reader:blind", "real")
    assert accuracy["value"] == pytest.approx(ours.mean() - theirs.mean())
    gained, lost = int((ours & ~theirs).sum()), int((~ours & theirs).sum())
    assert accuracy["p_value"] == pytest.approx(stats.binomtest(gained, gained + lost, 0.5).pvalue)
    vrs = rows.filter(pl.col("metric") == "vrs").to_dicts()[0]
    expected = (ours.astype(float) - right("reader:random", "shuffle")) - (
        theirs.astype(float) - right("reader:blind", "shuffle")
    )
    assert vrs["value"] == pytest.approx(np.mean(expected))


def test_other_cases_and_unknown_models_are_refused(runs):
    one, two, other = runs
    with pytest.raises(UsageError, match=r"cases \(--data phantom:n=60,size=64 and --data phantom:n=59,size=64\)"):
        perimetry.compare_models(one, other, "reader:blind", "reader:random")
    with pytest.raises(UnknownNameError, match="reader:blind"):
        perimetry.compare_models(one, two, "reader:blnd", "reader:random")
    with pytest.raises(UsageError, match="both"):
        perimetry.compare_models(one, one, "reader:blind", "reader:blind")
