"""Verdicts from intervals that were made up."""

from __future__ import annotations

import pytest

from perimetry.protocols.occlusion.verdict import controls_disagree, rule
from perimetry.runs.estimates import Estimate

NOTHING = (0.0, 0.0, 0.0)


def estimate(metric, interval, condition="", comparator="", dataset="macro"):
    value, low, high = interval
    return Estimate(
        "occlusion", dataset, "m", metric, condition, comparator, value=value, ci_low=low, ci_high=high, n=50, groups=40
    )


def ruled(**given):
    told = {"oco": NOTHING, "oco_matched": None, "doco": NOTHING, "doco_matched": None, "rise": NOTHING, "real": (0.8, 0.7, 0.9), "fn": NOTHING}  # fmt: skip  # noqa: E501
    told |= given
    rows = [
        estimate(f"delta_{name}", told[name], f"{name.split('_')[0]}@100", "ro@100")
        for name in ("oco", "oco_matched", "doco", "doco_matched")
        if told[name] is not None
    ]
    rows.append(estimate("false_statement_rise", told["rise"], "oco@100", "real"))
    rows.append(estimate("mu_f1", told["real"], "real"))
    rows.append(estimate("delta_fn_14", told["fn"], "fullnoise", "real"))
    return rule("m", rows)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "rests on priors"),
        ({"oco": (0.5, 0.4, 0.6), "doco": (0.01, -0.02, 0.04)}, "grounded in the regions"),
        ({"oco": (0.5, 0.4, 0.6), "oco_matched": (0.5, 0.4, 0.6), "doco": (0.2, 0.1, 0.3)}, "regions and context"),
        ({"oco": (0.5, 0.4, 0.6), "oco_matched": (0.0, -0.1, 0.1)}, "disturbed by any cover"),
        ({"oco": (0.15, 0.04, 0.27), "oco_matched": (0.12, -0.01, 0.26), "fn": (0.3, 0.2, 0.4)}, "not resolved"),
        ({"oco": (0.01, -0.02, 0.04), "doco": (0.3, 0.2, 0.4)}, "leans on context"),
        ({"oco": (0.5, 0.4, 0.6), "rise": (0.3, 0.2, 0.4)}, "set off by noise"),
        ({"oco": (0.5, 0.4, 0.6), "rise": (0.03, 0.01, 0.06)}, "grounded in the regions"),
        ({"real": (0.01, 0.0, 0.02)}, "states too little"),
        ({"oco": (0.1, -0.2, 0.4)}, "not resolved"),
        ({"fn": (0.4, 0.3, 0.5)}, "not resolved"),
        ({"oco": (float("nan"),) * 3}, "not measured"),
    ],
)
def test_the_first_line_that_holds(given, verdict):
    found = ruled(**given)
    assert found.verdict == verdict, found.reason
    assert found.reason.endswith(".")


def test_a_run_without_controls_is_not_measured():
    assert rule("m", [estimate("mu_f1", (0.5, 0.4, 0.6), "real")]).verdict == "not measured"


def test_rows_of_another_model_or_a_comparison_decide_nothing():
    rows = [estimate("delta_oco", (0.5, 0.4, 0.6), "oco@100", "model:other"), estimate("delta_oco", (0.5, 0.4, 0.6), dataset="d")]  # fmt: skip  # noqa: E501
    assert rule("m", rows).verdict == "not measured"


def test_controls_at_odds_by_chance_agree():
    wide = estimate("delta_oco", (0.2, -0.1, 0.5)), estimate("delta_oco_matched", (0.1, -0.2, 0.4))
    assert not controls_disagree(*wide)
    apart = estimate("delta_oco", (0.5, 0.4, 0.6)), estimate("delta_oco_matched", (0.2, 0.1, 0.3))
    assert controls_disagree(*apart)


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("oco@50", "Covering the finding at 50% strength costs"),
        ("oco@50(fill=black)", "Covering the finding at 50% strength costs"),
        ("oco@100", "Covering the finding costs"),
    ],
)
def test_a_strength_below_the_full_one_is_named(condition, told):
    rows = [estimate("delta_oco", (0.5, 0.4, 0.6), condition, condition.replace("oco", "ro"))]
    assert rule("m", rows).reason.startswith(told)
