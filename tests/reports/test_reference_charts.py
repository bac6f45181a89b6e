"""The charts of the reference audit draw, carry their values, and take names as they come."""

from __future__ import annotations

import math
import re

import pytest

from perimetry.reports.charts import bands, reference_orders, references
from perimetry.reports.charts.export import chart_images, chart_specification
from perimetry.reports.charts.selection import Estimate

SYSTEMS = ("plain", 'odd "name" <b>\n[x]', "an-organisation/with-a-name-that-is-too-long-for-an-axis-7b-instruct")
CONDITIONS = ("original", "findings_scope:minimal", "negation:implicit+terminology:alternative")
METRICS = ("rouge_l", "bleu_4(tokens=13a)")


def row(metric, model, condition, comparator="", value=0.25):
    return Estimate("d", model, metric, condition, comparator, "all", value, value - 0.1, value + 0.1)


def rows(metrics, comparator="", value=0.25):
    return [row(metric, one, each, comparator, value) for metric in metrics for one in SYSTEMS for each in CONDITIONS]


def boxes(metrics):
    shares = {"p05": -0.5, "p25": -0.2, "p50": 0.125, "p75": 0.3, "p95": 0.9}
    return [
        {"metric": metric, "condition": each, "pairs": 3, **shares, "values": dict.fromkeys(SYSTEMS, 0.1)}
        for metric in metrics
        for each in CONDITIONS[1:]
    ]


def turns(metrics):
    return [
        {"metric": metric, "condition": each, "plain": 2, "by_verdict": 1, "changed": 3, "zero": 1, "pairs": 6}
        for metric in metrics
        for each in CONDITIONS[1:]
    ]


def trusts(metrics):
    keys = ("style", "style_low", "style_high", "error", "error_low", "error_high", "ratio", "ratio_low", "ratio_high")
    return [{"metric": metric} | dict.fromkeys(keys, 0.25) for metric in metrics]


def banded(metrics):
    values = {"value": 0.25, "low": 0.2, "high": 0.3, "least": 0.1, "most": 0.4, "original": 0.35}
    return [{"metric": metric, "system": one} | values for metric in metrics for one in SYSTEMS]


DRAWN = {
    "boxes": (lambda metrics: references.shift_boxes(boxes(metrics)), "median +0.12"),
    "shifts": (lambda metrics: references.model_shifts(rows(metrics, "original")), "+0.250 [+0.150, +0.350]"),
    "gaps": (
        lambda metrics: reference_orders.pair_gaps(
            rows(metrics[:1], "model:other"), metrics[0], name="gaps", title="Gaps"
        ),
        "+0.250",
    ),
    "reversals": (lambda metrics: reference_orders.reversal_map(turns(metrics)), "2 of 6 pairs reversed"),
    "ranks": (lambda metrics: reference_orders.rank_paths(rows([f"rank:{one}" for one in metrics], value=2.0)), "2.0"),
    "style": (
        lambda metrics: references.style_profiles(
            rows(["style:words", "style:hedges"]), {"words": "words", "hedges": "hedges"}
        ),
        "0.250",
    ),
    "trust": (lambda metrics: references.trust_chart(trusts(metrics)), "0.25 [0.25, 0.25]"),
    "bands": (lambda metrics: bands.band_chart(banded(metrics)), "0.100 to 0.400"),
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("name", DRAWN)
def test_drawn_with_its_values(name, count):
    draw, told = DRAWN[name]
    block = draw(METRICS[:count])
    svg, _ = chart_images(chart_specification(block.chart))
    assert svg.startswith("<svg")
    assert told in block.alt
    assert "<b>" not in svg


def test_nothing_known_leaves_the_rest(name="trust"):
    draw = references.trust_chart
    known, unknown = trusts(METRICS)
    block = draw([known, unknown | {"style": math.nan}], name=name)
    assert METRICS[0] in block.alt
    assert METRICS[1] not in block.alt


def test_cells_without_a_reversal_are_white():
    specification = chart_specification(reference_orders.reversal_map([turns(METRICS)[0] | {"plain": 0}]).chart)
    svg, _ = chart_images(specification)
    cells = re.findall(r'aria-roledescription="rect mark"[^>]*', svg)
    assert len(cells) == 1
    assert re.search(r'fill="(?:#ffffff|#fff|white|rgb\(255, ?255, ?255\))"', cells[0])
