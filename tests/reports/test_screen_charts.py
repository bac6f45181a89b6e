"""Charts of screens: what is drawn, and what is left out."""

import json

import pytest

from perimetry.reports.charts.export import chart_images, chart_specification
from perimetry.reports.charts.screens import key_places, odds_ratios, prevalence


def row(title, ratio=2.0, low=1.5, high=3.0, dataset="mine", unit="option", **fields):
    return {
        "dataset": dataset,
        "title": title,
        "unit": unit,
        "odds_ratio": ratio,
        "ci_low": low,
        "ci_high": high,
        "p_holm": 0.01,
        "key_has_cue": 4,
        "items_with_cue": 5,
        "items": 10,
        "share_of_items": 0.5,
        "share_of_keys": 0.4,
        **fields,
    }


def drawn(block):
    """Data rows of a chart, by what they are."""
    specification = chart_specification(block.chart)
    svg, png = chart_images(specification)
    assert svg.startswith("<svg") and png[:4] == b"\x89PNG"
    return specification, svg


@pytest.mark.parametrize("ratio", [None, float("inf"), 0.0])
def test_ratios_that_no_logarithm_knows_are_left_out(ratio):
    _, svg = drawn(odds_ratios([row("Kept"), row("Lost", ratio, None, None)]))
    assert "Kept" in svg and "Lost" not in svg


def test_a_resolved_ratio_is_filled_and_another_hollow():
    """Resolved is what Holm leaves, here as in the headline: an interval beside 1 alone does not fill."""
    rows = [row("Up", p_holm=0.0), row("Down", 0.5, 0.3, 0.8), row("Plain", p_holm=0.4), row("Few", p_holm=None)]
    specification, _ = drawn(odds_ratios(rows))
    (values,) = [each for each in specification["datasets"].values() if "resolved" in each[0]]
    assert {one["cue"]: one["resolved"] for one in values} == {"Up": True, "Down": True, "Plain": False, "Few": False}


def test_ends_beyond_the_axis_are_cut_and_still_told():
    block = odds_ratios([row("Wide", 16.5, 0.01, 900.0)])
    text = json.dumps(chart_specification(block.chart))
    assert '"high": 20.0' in text and '"low": 0.1' in text and "16.50 [0.01, 900.00]" in text


def test_prevalence_divides_by_where_the_cue_stands():
    specification, _ = drawn(prevalence([row("Cue"), row("Stem", unit="item", share_of_items=0.25)]))
    (values,) = specification["datasets"].values()
    found = {(one["cue"], one["part"]): round(one["share"], 6) for one in values}
    assert found == {("Cue", "on the key"): 40, ("Cue", "on other options only"): 10, ("Stem", "in the item"): 25}


def test_two_data_sets_are_two_panels_or_two_marks():
    rows = [row("Cue"), row("Cue", dataset="other")]
    assert "facet" in chart_specification(prevalence(rows).chart)
    _, svg = drawn(odds_ratios(rows))
    assert "other" in svg


def test_places_of_keys():
    rows = [
        {"dataset": "mine", "place": n, "items": 10, "keys": n, "share": n / 10, "chance": 0.25} for n in (1, 2, 3, 4)
    ]
    block = key_places(rows)
    drawn(block)
    assert "place 4: 40.0%" in block.alt


def test_nothing_to_draw_says_so():
    for block in (odds_ratios([]), prevalence([row("Cue", items_with_cue=0)]), key_places([])):
        _, svg = drawn(block)
        assert "No value to draw." in svg


def test_hostile_names_are_drawn():
    name = "</script><img src=x onerror=alert(1)> \\ ' \" ${a}"
    drawn(odds_ratios([row("Cue", dataset=name), row("Cue", dataset="b")]))
    drawn(prevalence([row("Cue", dataset=name)]))
