"""Plans in which not every case stands under every condition, and rates that differ by data set."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
import tomli_w

from perimetry.cases import CaseSet, Funnel, Question, Study, UsageError
from perimetry.cases.study import Box, Examined
from perimetry.conditions import Surroundings, parse_condition
from perimetry.models.request import Decoding
from perimetry.runs.asked import Asked
from perimetry.runs.contrasts import estimate_contrasts
from perimetry.runs.design import as_loaded
from perimetry.runs.estimates import Estimate
from perimetry.runs.plan import build_plan, requests_of
from perimetry.runs.terms import Contrast, Items, RateTerm
from perimetry.statistics import mean_of, ratio

BOX = Box(0, 1, 1, 2, 2, frozenset({"Edema"}))


def study(number, examined=None, **more):
    name = f"s{number}" + (f"#{examined}" if examined else "")
    one = Examined(f"s{number}", examined, True, (BOX,)) if examined else None
    return Study(name, "mine", f"p{number}", boxes=(BOX,), examined=one, **more)


def sets(*cases):
    return [CaseSet("mine", cases, cases, Funnel("mine"), "open")]


def planned(cases, concerns=None, repeats=1):
    conditions = [parse_condition("real"), parse_condition("retest")]
    return build_plan(sets(*cases), conditions, Surroundings(), "p", Decoding(), repeats, concerns=concerns)


def test_what_a_case_does_not_concern_is_no_trial():
    cases = [study(1), study(1, "Edema"), study(2)]
    plan = planned(cases, lambda case, condition: case.examined is None or condition.spelling == "real", repeats=2)
    assert plan.trials.select("case", "condition", "repeat").rows() == [
        *[(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)],
        *[(1, 0, 0), (1, 0, 1)],
        *[(2, 0, 0), (2, 0, 1), (2, 1, 0), (2, 1, 1)],
    ]
    assert plan.not_applicable().is_empty()
    # The examined study is shown as the study itself.
    assert plan.trials["request_id"][0] == plan.trials["request_id"][4]
    assert requests_of(plan).height == 8


def test_truth_is_part_of_the_digest_of_a_data_set_and_of_no_request():
    before, after = planned([study(1)]), planned([study(1, labels={"Edema": 1.0})])
    assert before.digests != after.digests
    assert before.trials.equals(after.trials)


def test_a_study_is_no_question():
    asked = Asked("counterfactual", ("d",), ("m",), ("real",))
    question = Question("1", "mine", "g", "Is it?", "yes", "closed")
    assert as_loaded(asked, sets(question)).cases == (question,)
    with pytest.raises(UsageError, match="is a study, and this audit asks questions"):
        as_loaded(asked, sets(study(1)))


def test_options_are_kept_and_held():
    asked = Asked("occlusion", ("d",), ("m",), ("real",), options=(("truth", "box"), ("min_images", "3")))
    assert Asked.from_dict(tomllib.loads(tomli_w.dumps(asked.to_dict()))) == asked
    assert "options" not in Asked("counterfactual", ("d",), ("m",), ("real",)).to_dict()
    later = Asked("occlusion", ("d",), ("m",), ("real",), options=(("truth", "report"), ("min_images", "3")))
    with pytest.raises(UsageError, match=r"other settings: --truth box, now --truth report\."):
        asked.extended_by(later)


def test_a_data_set_may_have_a_rate_of_its_own():
    """Weighted means of two shares, with other weights in each data set, against the same by hand."""
    items = Items(("a",) * 4 + ("b",) * 4, tuple("12345678"))
    first, second = np.array([1, 1, 0, 0, 1, 0, 0, 0.0]), np.array([0, 0, 1, 0, 0, 0, 1, 1.0])
    ones = np.ones(8)
    shares = [ratio(0, 1), ratio(2, 3)]
    term = RateTerm(
        (first, ones, second, ones),
        mean_of(shares),
        np.ones(8, dtype=bool),
        by_dataset={"a": mean_of(shares, [3, 1]), "b": mean_of(shares, [1, 3])},
    )
    contrast = Contrast(Estimate("p", "", "m", "x"), (term,), np.zeros(8, dtype=bool))
    values = {row.dataset: row.value for row in estimate_contrasts([contrast], items, resamples=200)}
    assert values["a"] == pytest.approx((3 * 0.5 + 0.25) / 4)
    assert values["b"] == pytest.approx((0.25 + 3 * 0.5) / 4)
    assert values["macro"] == pytest.approx((values["a"] + values["b"]) / 2)
