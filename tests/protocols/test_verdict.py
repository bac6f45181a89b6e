from __future__ import annotations

import math

import pytest

from perimetry.protocols.counterfactual.verdict import rule
from perimetry.runs.estimates import Estimate


def macro(metric: str, value: float, low: float, high: float, **more) -> Estimate:
    return Estimate(
        "counterfactual", "macro", "m", metric, "shuffle", "real", value=value, ci_low=low, ci_high=high, n=500, **more
    )


def verdict(vrs, excess):
    return rule("m", [macro("vrs", *vrs), macro("is_excess", *excess)])


@pytest.mark.parametrize(
    ("vrs", "excess", "expected"),
    [
        ((0.3, 0.2, 0.4), (0.3, 0.2, 0.4), "uses the image"),
        ((0.03, 0.01, 0.049), (0.3, 0.2, 0.4), "marginal use"),
        ((0.03, 0.01, 0.05), (0.3, 0.2, 0.4), "uses the image"),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "does not use the image"),
        ((0.0, -0.05, 0.05), (0.0, -0.2, 0.049), "does not use the image"),
        ((-0.01, -0.04, -0.001), (0.0, -0.1, 0.04), "does not use the image"),
        ((-0.2, -0.3, -0.1), (0.0, -0.1, 0.1), "worse with the image"),
        ((-0.2, -0.3, -0.1), (0.2, 0.1, 0.3), "worse with the image"),
        ((0.0, -0.1, 0.1), (0.2, 0.1, 0.3), "mixed"),
        ((0.2, 0.1, 0.3), (0.0, -0.1, 0.1), "mixed"),
        ((0.02, 0.01, 0.04), (0.0, -0.1, 0.04), "does not use the image"),
        ((0.05, -0.02, 0.12), (0.0, -0.1, 0.1), "not resolved"),
    ],
)
def test_first_line_that_holds(vrs, excess, expected):
    assert verdict(vrs, excess).verdict == expected


def test_unresolved_says_how_many_items_would_resolve_it():
    found = verdict((0.06, -0.02, 0.14), (0.0, -0.1, 0.1))
    # vrs: standard error 0.16 / 3.92, so 500 * (2.8016 * 0.0408 / 0.06)^2; is_excess at the margin of 0.05 needs more.
    error = 0.2 / (2 * 1.959964)
    assert found.items_needed == pytest.approx(500 * (2.8016 * error / 0.05) ** 2, rel=0.01)
    assert f"{found.items_needed:,}" in found.reason


@pytest.mark.parametrize("absent", ["vrs", "is_excess"])
def test_what_was_not_measured_is_said(absent):
    rows = [row for row in (macro("vrs", 0.3, 0.2, 0.4), macro("is_excess", 0.3, 0.2, 0.4)) if row.metric != absent]
    found = rule("m", rows)
    assert found.verdict == "not measured"
    assert absent in found.reason.lower()


def test_no_answers_is_not_a_verdict_on_the_image():
    nothing = macro("vrs", math.nan, math.nan, math.nan, missing=500)
    found = rule("m", [nothing, macro("is_excess", 0.0, 0.0, 0.0)])
    assert found.verdict == "not measured"
    assert "500 items have a request without an answer" in found.reason


def test_comparisons_and_other_strata_do_not_decide():
    rows = [
        Estimate("counterfactual", "macro", "m", "vrs", "shuffle", "model:other", value=0.9, ci_low=0.8, ci_high=1.0),
        Estimate("counterfactual", "macro", "m", "vrs", "shuffle", "real", "lenient answers", 0.9, 0.8, 1.0),
        macro("vrs", 0.0, 0.0, 0.0),
        macro("is_excess", 0.0, 0.0, 0.0),
    ]
    assert rule("m", rows).verdict == "does not use the image"


def test_a_fall_is_not_called_a_rise():
    assert "rises by 20.0 pp [10.0, 30.0]" in verdict((-0.2, -0.3, -0.1), (0.0, -0.1, 0.1)).reason
