"""What the route audit must say of readers whose habits are known, on phantom items and on items with a planted cue."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

import perimetry
from perimetry.cases.errors import UsageError

READERS = ("reader:grounded", "reader:blind", "reader:constant", "reader:longest")
LETTERS = "ABCD"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Phantom items whose stem suspects a finding, rightly in most: blind readers gain from the text."""
    out = tmp_path_factory.mktemp("routes") / "run"
    data = "phantom:n=160,size=128,form=choice,textbias=0.8,seed=3"
    return perimetry.audit("routes", data=data, models=READERS, out=out).run


def row(run, model: str, metric: str, condition: str, stratum: str = "all") -> dict[str, Any]:
    rows = run.estimates.filter(
        (pl.col("model") == model)
        & (pl.col("metric") == metric)
        & (pl.col("condition") == condition)
        & (pl.col("dataset") == "macro")
        & (pl.col("stratum") == stratum)
    )
    assert rows.height == 1, (model, metric, condition, stratum, rows)
    found: dict[str, Any] = rows.to_dicts()[0]
    return found


def test_grounded_gains_only_from_the_image(run):
    model = "reader:grounded"
    assert run.verdicts[model]["verdict"] in ("needs the image", "above chance without the image")
    assert row(run, model, "accuracy", "full")["value"] > 0.9
    assert row(run, model, "gain_image", "imageoptions")["ci_low"] > 0.4
    image, full = row(run, model, "accuracy", "imageoptions"), row(run, model, "accuracy", "full")
    assert abs(full["value"] - image["value"]) < 0.05
    assert row(run, model, "order_consistency", "order")["value"] > 0.9
    assert row(run, model, "position_bias", "order")["value"] < 0.1


def test_blind_gains_only_from_the_text(run):
    model = "reader:blind"
    assert row(run, model, "gain_text", "textonly")["ci_low"] > 0.1
    assert row(run, model, "image_effect", "full")["value"] == 0.0
    assert row(run, model, "gain_image", "imageoptions")["value"] == 0.0
    assert run.verdicts[model]["verdict"] == "text gives the key away"


def test_constant_shows_its_place(run):
    model = "reader:constant"
    assert row(run, model, "position_share", "order", "place 1")["value"] == 1.0
    assert row(run, model, "position_excess", "order", "place 1")["ci_low"] > 0.5
    assert run.verdicts[model]["position"].startswith("Place 1 draws answers")
    assert row(run, model, "accuracy", "order", "key at 1")["value"] == 1.0
    assert row(run, model, "accuracy", "order", "key at 2")["value"] == 0.0
    # Over rotated orders the first option is another one each time, where the order is not the given one.
    assert row(run, model, "order_consistency", "order")["value"] < 0.3


def test_the_panel_is_the_plain_mean_of_the_models(run):
    for metric, condition in (("accuracy", "full"), ("gain_text", "textonly"), ("union", "textonly")):
        alone = [row(run, model, metric, condition)["value"] for model in READERS]
        assert row(run, "panel mean", metric, condition)["value"] == pytest.approx(np.mean(alone), abs=1e-12)


def test_estimates_follow_from_the_outcomes(run):
    """Recomputed by plain polars from outcomes.parquet."""
    outcomes = pl.read_parquet(run.path / "outcomes.parquet")
    for model in READERS:
        mine = outcomes.filter((pl.col("model") == model) & pl.col("answered"))
        by_route = {
            route: dict(mine.filter(pl.col("condition") == route).select("case_id", "correct").iter_rows())
            for route in mine["condition"].unique()
        }
        for route in ("full", "textonly", "optionsonly", "imageoptions"):
            right = list(by_route[route].values())
            assert row(run, model, "accuracy", route)["value"] == pytest.approx(np.mean(right), abs=1e-12)
        gap = [by_route["full"][case] - by_route["optionsonly"][case] for case in by_route["full"]]
        assert row(run, model, "gain_full", "full")["value"] == pytest.approx(np.mean(gap), abs=1e-12)
        either = [by_route["textonly"][case] | by_route["optionsonly"][case] for case in by_route["textonly"]]
        assert row(run, model, "union", "textonly")["value"] == pytest.approx(np.mean(either), abs=1e-12)
        orders = mine.filter(pl.col("condition").is_in(["full", "order", "order@2"]) & pl.col("place").is_not_null())
        for place in range(1, 5):
            chosen, keys = ((orders[name].to_numpy() == place).mean() for name in ("place", "key_place"))
            excess = chosen - keys
            found = row(run, model, "position_excess", "order", f"place {place}")["value"]
            assert found == pytest.approx(excess, abs=1e-12)


def planted(path, share: float, items: int = 240) -> str:
    """Items whose key is the one long option on a share of them, and of equal length elsewhere."""
    rng = np.random.default_rng(11)
    lines = []
    for number in range(items):
        options = {letter: f"finding {rng.integers(100, 999)}" for letter in LETTERS}
        key = LETTERS[number % 4]
        if number < share * items:
            options[key] += " with a long and careful qualification"
        lines.append({"id": str(number), "stem": f"Item {number}: which?", "options": options, "answer": key})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"table:{path},name=planted"


def test_longest_is_caught_where_a_length_gap_is_planted(tmp_path):
    for share, least, most in ((0.5, 0.5, 0.75), (0.0, 0.15, 0.35)):
        data = planted(tmp_path / f"{share}.jsonl", share)
        run = perimetry.audit("routes", data=data, models="reader:longest", out=tmp_path / f"run-{share}").run
        bare = row(run, "reader:longest", "accuracy", "optionsonly")
        assert least <= bare["value"] <= most
        above = row(run, "reader:longest", "above_chance", "optionsonly")
        assert (above["ci_low"] > 0) == (share > 0)
        if share:
            gap = row(run, "reader:longest", "cue_gap", "optionsonly", "large-gap")
            assert gap["ci_low"] > 0.6
            assert run.verdicts["reader:longest"]["verdict"] == "options give the key away"


def test_items_without_images_have_no_image_routes(tmp_path):
    run = perimetry.audit(
        "routes", data=planted(tmp_path / "t.jsonl", 0, 20), models="reader:blind", out=tmp_path / "r"
    ).run
    assert run.outcomes.filter(pl.col("condition") == "imageoptions")["request_id"].null_count() == 20
    assert run.verdicts["reader:blind"]["missing"] == ["textonly", "imageoptions"]


def test_questions_without_options_are_refused(tmp_path):
    with pytest.raises(UsageError, match="multiple-choice"):
        perimetry.audit("routes", data="phantom:n=4,size=64,form=open", models="reader:blind", out=tmp_path / "r")
    with pytest.raises(UsageError, match="orders"):
        perimetry.audit(
            "routes", data="phantom:n=4,form=choice", models="reader:blind", out=tmp_path / "r",
            conditions=["full"], orders=1,
        )  # fmt: skip


def test_other_conditions_are_refused(tmp_path):
    with pytest.raises(UsageError, match="blank is no route"):
        perimetry.audit("routes", data="phantom:n=4,form=choice", models="reader:blind", out=tmp_path / "r",
                        conditions=["full", "blank"])  # fmt: skip


def test_a_key_that_stands_in_one_place_is_told_from_options_that_give_it_away(tmp_path):
    lines = [
        {"id": str(number), "stem": f"Item {number}: which?", "answer": "A" if number % 5 else "B",
         "options": {letter: f"finding {number}{letter}" for letter in LETTERS}}
        for number in range(120)
    ]  # fmt: skip
    path = tmp_path / "skewed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = perimetry.audit("routes", data=f"table:{path}", models="reader:constant", out=tmp_path / "run").run
    assert run.verdicts["reader:constant"]["verdict"] == "rests on the order of options"
    assert row(run, "", "majority", "")["value"] == pytest.approx(0.8)
