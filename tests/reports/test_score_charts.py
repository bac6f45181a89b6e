"""Charts of scored reports: every value that is there is drawn, hostile names are data, nothing is drawn of nothing."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from perimetry.reports.blocks import ChartBlock
from perimetry.reports.charts import scores as charts
from perimetry.reports.charts.export import chart_images, chart_specification
from perimetry.runs.estimates import Estimate, estimate_frame

SYSTEMS = ("ours", "theirs")


def estimates(systems=SYSTEMS) -> pl.DataFrame:
    rows = []
    for number, system in enumerate(systems):
        for metric, stratum in (("rouge_l", "all"), ("f1", "all"), ("f1", "Edema"), ("f1", "Fracture")):
            value = float("nan") if stratum == "Fracture" else 0.2 + 0.1 * number
            rows.append(
                Estimate(
                    *("score", "mine", system, metric),
                    stratum=stratum,
                    value=value,
                    ci_low=value - 0.05,
                    ci_high=value + 0.05,
                    n=9,
                    direction="higher",
                )
            )
    rows.append(
        Estimate(
            *("score", "mine", systems[1], "rouge_l"),
            comparator=f"model:{systems[0]}",
            value=0.1,
            ci_low=0.02,
            ci_high=0.2,
            n=9,
            p_value=0.03,
        )
    )
    return estimate_frame(rows)


def ranks(systems=SYSTEMS):
    return [
        {
            "metric": metric,
            "stratum": "all",
            "system": system,
            "rank": float(place),
            "ci_low": 1.0,
            "ci_high": 2.0,
            "p_best": 0.5,
            "place_1": 0.75 if place == 1 else 0.25,
            "place_2": 0.25 if place == 1 else 0.75,
        }
        for metric in ("rouge_l", "f1")
        for place, system in enumerate(systems, start=1)
    ]


def values_of(block: ChartBlock) -> list[dict[str, object]]:
    """Every data row of a chart."""
    specification = chart_specification(block.chart)
    rows = [row for rows in specification.get("datasets", {}).values() for row in rows]
    return rows or list(specification.get("data", {}).get("values", []))


def test_scores_stand_in_their_own_unit():
    block = charts.score_intervals(estimates(), [("rouge_l", "all"), ("f1", "all")])
    drawn = {(row["panel"], row["row"]): (row["value"], row["reading"]) for row in values_of(block)}
    assert drawn["rouge_l ↑", "theirs"] == (0.3, "0.300 [0.250, 0.350]")
    assert len(drawn) == 4
    assert "ours rouge_l 0.200 [0.150, 0.250]" in block.alt


def test_differences_name_both_systems():
    block = charts.score_differences(estimates(), [("rouge_l", "all")])
    (row,) = values_of(block)
    assert (row["row"], row["value"], row["resolved"]) == ("theirs − ours", 0.1, True)
    assert "theirs minus ours rouge_l +0.100" in block.alt


def test_classes_without_a_value_are_left_out():
    block = charts.class_scores(estimates(), "f1", ["Edema", "Fracture"], name="classes", title="Classes")
    assert {row["row"] for row in values_of(block)} == {"Edema"}


def test_places_and_their_shares():
    places = values_of(charts.place_chart(ranks()))
    assert {(row["metric"], row["system"], row["rank"]) for row in places} == {
        (metric, system, place) for metric in ("rouge_l", "f1") for place, system in ((1.0, "ours"), (2.0, "theirs"))
    }
    shares = values_of(charts.place_shares_chart(ranks()))
    for system in SYSTEMS:
        assert sum(float(str(row["share"])) for row in shares if row["system"] == system) == 200


def test_histograms_hold_every_report_once():
    draw = np.random.default_rng(2)
    scores = pl.DataFrame(
        {
            "system": ["ours"] * 50 + ["theirs"] * 50,
            "good": [*draw.random(99), None],
            "odd": draw.normal(size=100) * 4,
            "none": pl.Series([None] * 100, dtype=pl.Float64),
            "same": [0.0] * 100,
        }
    )
    for metric, expected in (("good", {"ours": 50, "theirs": 49}), ("odd", {"ours": 50, "theirs": 50})):
        rows = values_of(charts.score_distributions(scores, [metric]))
        for system, count in expected.items():
            mine = [row for row in rows if row["system"] == system]
            assert sum(int(str(row["reports"])) for row in mine) == count
            known = scores.filter(pl.col("system") == system)[metric].drop_nulls()
            assert [row["mean"] for row in mine] == pytest.approx([known.mean()] * len(mine))
    assert values_of(charts.score_distributions(scores, ["same"]))
    assert values_of(charts.score_distributions(scores, ["none"])) == [{"text": "No value to draw."}]


def test_hostile_names_are_drawn_and_stay_data(hostile):
    names = (hostile, f"{hostile}2")
    frame = estimates(names)
    scores = pl.DataFrame({"system": list(names) * 3, "m": [0.1, 0.5, 0.2, 0.6, 0.3, 0.7]})
    for block in (
        charts.score_intervals(frame, [("rouge_l", "all"), ("f1", "all")]),
        charts.score_differences(frame, [("rouge_l", "all")]),
        charts.place_chart(ranks(names)),
        charts.place_shares_chart(ranks(names)),
        charts.score_distributions(scores, ["m"]),
    ):
        specification = chart_specification(block.chart)
        assert "expr" not in json.dumps(specification).replace("expression", "")
        svg, png = chart_images(specification)
        assert "<script" not in svg
        assert png.startswith(b"\x89PNG")
