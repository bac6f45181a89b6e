"""Charts: which rows they take, where marks stand, what happens to holes."""

from __future__ import annotations

import io
import math
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from PIL import Image

from perimetry.cases.errors import DataError
from perimetry.reports.charts import (
    Estimate,
    Mark,
    Spoke,
    accuracy_by_condition,
    blank_drop_radar,
    hard_negative_pool,
    interval_chart,
    metric_forest,
    model_comparison,
    noise_floor,
    radar_chart,
    select_estimates,
)  # fmt: skip
from perimetry.reports.charts.export import chart_images, chart_specification, vega_javascript
from perimetry.reports.charts.radar import Disc, ring_values
from perimetry.reports.charts.theme import DARK, colour_range, short_names

MODELS = ("reader:sees", "reader:guesses")
FOUR = ("vqa_rad", "slake", "pathvqa", "pmc_vqa")


def values(specification: dict[str, Any], view: dict[str, Any]) -> Any:
    """Rows of a view: Altair keeps them under a name."""
    return specification["datasets"][view["data"]["name"]]


def data(block: Any) -> Any:
    specification = chart_specification(block.chart)
    return values(specification, specification)


def every_row(block: Any) -> list[Any]:
    """Data of all layers of a chart."""
    specification = chart_specification(block.chart)
    return [row for layer in specification["layer"] for row in values(specification, layer)]


def test_accuracy_has_one_mark_a_row_of_the_table(synthetic) -> None:
    table = synthetic.estimates(MODELS, FOUR)
    rows = [row for row in data(accuracy_by_condition(table)) if row["role"] == "main"]
    wanted = table.filter((pl.col("metric") == "accuracy") & pl.col("comparator").is_null())
    assert len(rows) == wanted.height == 2 * 7 * 5
    seen = {(row["model"], row["dataset"], row["series"]): (row["value"], row["low"], row["high"]) for row in rows}
    for row in wanted.iter_rows(named=True):
        expected = [row[key] * 100 for key in ("value", "ci_low", "ci_high")]
        assert seen[row["model"], row["dataset"], row["condition"]] == pytest.approx(expected, abs=1e-3)


def test_accuracy_draws_majority_and_chance_once_a_panel(synthetic) -> None:
    block = accuracy_by_condition(synthetic.estimates(MODELS, FOUR))
    lines = [(row["panel"], row["series"]) for row in data(block) if row["role"] == "reference"]
    assert len(lines) == len(set(lines)) == 10 and "majority and chance" in block.caption


def test_the_mean_of_one_data_set_is_not_drawn_beside_it(synthetic) -> None:
    table = synthetic.estimates(MODELS, ["slake"])
    for block in (accuracy_by_condition(table), metric_forest(table), noise_floor(table)):
        assert {row["dataset"] for row in data(block)} == {"slake"}


def test_forest_shows_the_mean_and_ticks_for_data_sets(synthetic) -> None:
    rows = data(metric_forest(synthetic.estimates(MODELS, FOUR)))
    assert {row["dataset"] for row in rows if row["role"] == "main"} == {"macro"}
    assert {row["dataset"] for row in rows if row["role"] == "minor"} == set(FOUR)
    assert len(rows) == 2 * 4 * 5


def test_forest_without_a_mean_has_a_row_a_data_set(synthetic) -> None:
    table = synthetic.estimates(MODELS, FOUR).filter(pl.col("dataset") != "macro")
    rows = data(metric_forest(table))
    assert {row["role"] for row in rows} == {"main"} and len({row["row"] for row in rows}) == 2 * 4


def test_resolved_follows_the_interval(synthetic) -> None:
    rows = data(metric_forest(synthetic.estimates(MODELS, FOUR)))
    assert {row["resolved"] for row in rows} == {True, False}
    assert all(row["resolved"] == (row["low"] > 0 or row["high"] < 0) for row in rows)


def test_holes_are_left_out_and_never_zero(synthetic) -> None:
    holes = [(MODELS[0], "slake", metric) for metric in ("accuracy", "bd", "vrs")]
    table = synthetic.estimates(MODELS, FOUR, holes)
    rows = data(accuracy_by_condition(table))
    assert not [row for row in rows if (row["model"], row["dataset"]) == (MODELS[0], "slake")]
    block = blank_drop_radar(table)
    points = [row for row in every_row(block) if "reading" in row]
    assert len(points) == 7 and f"{MODELS[0]} slake bd –" in block.alt


@pytest.mark.parametrize("count", [1, 2])
def test_radar_of_fewer_than_three_becomes_dots_and_says_why(synthetic, count: int) -> None:
    block = blank_drop_radar(synthetic.estimates(MODELS, FOUR[:count]))
    assert "a radar needs at least 3" in block.caption and f"{count} data set" in block.caption
    assert len(data(block)) == 2 * count


def test_radar_geometry_is_the_measured_value() -> None:
    disc = Disc(["a", "b", "c", "d", "e"], ring_values([-6.0, 12.0]))
    first, last = disc.rings[0], disc.rings[-1]
    assert first < -6 and last >= 12 and 0.0 in disc.rings
    for k in range(5):
        x, y = disc.at(k, 7.5)
        assert math.hypot(x, y) * (last - first) + first == pytest.approx(7.5)
        assert math.degrees(math.atan2(x, y)) % 360 == pytest.approx(72 * k)


@pytest.mark.parametrize("values", [[], [0.0], [0.4], [-0.2, 0.1], [-30.0, 3.0], [95.0], [-100.0, 100.0]])
def test_rings_hold_every_value_and_zero(values: list[float]) -> None:
    rings = ring_values(values)
    assert 0.0 in rings and rings[0] < min([0.0, *values]) and rings[-1] >= max([0.0, *values])
    assert 3 <= len(rings) <= 8 and len({round(b - a, 9) for a, b in pairwise(rings)}) == 1


def test_radar_outline_is_open_at_a_hole() -> None:
    spokes = [
        Spoke(name, "m", Estimate(name, "m", "bd", value=v))
        for name, v in zip("abcd", (0.1, 0.1, None, 0.1), strict=True)
    ]
    disc = Disc(list("abcd"), ring_values([10.0]))
    points = disc.points(spokes, {"m": "m"})
    assert len(points) == 3
    assert {row["part"] for row in disc.outlines(points)} == {"m 0", "m 3"}  # a-b and d-a; nothing touches c
    assert chart_images(chart_specification(radar_chart(spokes)))[0].startswith("<svg")


def test_comparison_takes_only_rows_of_that_pair(synthetic) -> None:
    table = synthetic.estimates([*MODELS, "third"], FOUR)
    rows = data(model_comparison(table, "third", MODELS[0]))
    assert {row["model"] for row in rows} == {"third"} and len(rows) == 5 * (7 + 4 + 3)
    with pytest.raises(DataError, match="comparisons of 'third' with 'absent'"):
        model_comparison(table, "third", "absent")


def test_noise_floor_pairs_both_shares(synthetic) -> None:
    rows = data(noise_floor(synthetic.estimates(MODELS, FOUR)))
    assert sorted(row["series"] for row in rows) == ["asked again"] * 2 + ["image shuffled"] * 2


def test_a_table_of_another_form_is_named() -> None:
    with pytest.raises(DataError, match="no column 'stratum'"):
        select_estimates(
            pl.DataFrame(
                {
                    name: []
                    for name in ("dataset", "model", "metric", "condition", "comparator", "value", "ci_low", "ci_high")
                }
            )
        )


def test_nothing_to_draw_is_named(synthetic) -> None:
    with pytest.raises(DataError, match="no row of vrs"):
        metric_forest(synthetic.estimates(MODELS, FOUR).filter(pl.col("metric") != "vrs"), ["vrs"])


def test_empty_and_not_finite_values_are_missing() -> None:
    row = {"dataset": None, "model": "m", "metric": "vrs", "condition": None, "comparator": None, "stratum": None}
    table = pl.DataFrame([{**row, "value": math.nan, "ci_low": math.inf, "ci_high": 0.2}])
    (found,) = select_estimates(table)
    assert (found.value, found.ci_low, found.ci_high, found.stratum, found.resolved) == (None, None, 0.2, "all", False)


def test_chart_of_no_value_still_draws() -> None:
    lone = Mark("", Estimate("d", "", "chance", value=0.2), "chance", role="reference")
    chart = interval_chart([Mark("a", Estimate("d", "a", "vrs")), lone], zero_line=True)
    svg, png = chart_images(chart_specification(chart))
    assert "No value to draw." in svg and png.startswith(b"\x89PNG")


def test_more_conditions_than_colours() -> None:
    marks = [Mark("m", Estimate("d", "m", "accuracy", value=i / 20), f"hardneg(rank={i})") for i in range(12)]
    scale = chart_specification(interval_chart(marks))["layer"][0]["encoding"]["color"]["scale"]
    assert len(scale["domain"]) == len(scale["range"]) == 12


def test_saved_picture_has_the_text_and_ink(synthetic) -> None:
    svg, png = chart_images(chart_specification(metric_forest(synthetic.estimates(MODELS, FOUR)).chart))
    assert MODELS[0] in svg and "visual reliance (vrs)" in svg
    picture = Image.open(io.BytesIO(png)).convert("L")
    dark = sum(picture.histogram()[:90])
    # The labels at the left are text; with no font at all that strip would be white.
    strip = picture.crop((0, 0, 300, picture.height))
    assert picture.getpixel((2, 2)) == 255 and dark > 2000 and sum(strip.histogram()[:90]) > 800


def test_bundle_is_one_script_without_a_closing_tag() -> None:
    text = vega_javascript()
    assert "window.vegaEmbed" in text and "</script" not in text and text.startswith("(function ()")


def test_hard_negative_pool_rows_may_lack_values() -> None:
    block = hard_negative_pool([{"dataset": "slake", "rule": "label", "pairs": 5}])
    assert block.rows[0]["pairs"] == 5 and block.columns[0].key == "dataset"


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_marks_stand_out_on_both_grounds() -> None:
    for colour in colour_range([f"model {i}" for i in range(8)]):
        on_white = 1.05 / (luminance(colour) + 0.05)
        shown = luminance(DARK.get(colour, colour))
        on_dark = (shown + 0.05) / (luminance("#171b20") + 0.05)
        assert on_white > 2.2 and on_dark > 3.0, colour


def test_short_names_stay_apart() -> None:
    names = [f"organisation/model-{i}-with-one-very-long-name-instruct" for i in range(40)]
    short = short_names(names, 20)
    assert len(set(short.values())) == 40 and max(map(len, short.values())) <= 20
    assert short_names(["two\nlines\u2028here"]) == {"two\nlines\u2028here": "two lines here"}


@pytest.mark.parametrize(
    "roles", [("minor", "minor"), ("main", "minor"), ("reference", "main"), ("reference", "minor")]
)
def test_every_mixture_of_roles_draws(roles) -> None:
    marks = [
        Mark("m", Estimate("d", "m", "x", value=0.1 * i, ci_low=0, ci_high=0.2), f"s{i}{k}", role=role)
        for i, role in enumerate(roles)
        for k in range(2)
    ]
    chart = interval_chart(marks, zero_line=True, show_resolved=True)
    assert chart_images(chart_specification(chart))[0].startswith("<svg")


def test_radar_with_nothing_but_holes_between_values_draws() -> None:
    spokes = [
        Spoke(n, "m", Estimate(n, "m", "bd", value=v)) for n, v in zip("abcd", (0.1, None, 0.1, None), strict=True)
    ]
    assert chart_images(chart_specification(radar_chart(spokes, order=list("abcd"))))[0].count("<path") > 2
