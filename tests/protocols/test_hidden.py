"""No byte of a hidden field reaches a request, whatever the condition."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

import perimetry
from perimetry.cases import CaseSet, Funnel
from perimetry.conditions import Surroundings, condition_names, parse_condition
from perimetry.conditions.neighbours import build_neighbours
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE
from perimetry.models.request import Decoding
from perimetry.runs.builder import request_plan
from perimetry.runs.plan import build_plan

MARK = "XQZHIDDENMARKERZQX"
GOLD = "XQZGOLDANSWERZQX"


def marked(form: str):
    pool = perimetry.load(f"phantom:n=12,size=64,form={form}").questions
    return [
        replace(
            case,
            hidden={"rationale": MARK, "title": MARK, MARK: "key", "file": f"{MARK}.png"},
            group=MARK + case.id,
            also_accepted=(GOLD,),
        )
        for case in pool
    ]


@pytest.mark.parametrize("form", ["closed", "choice", "open"])
def test_markers_in_hidden_fields_reach_no_request(form):
    cases = marked(form)
    conditions = [parse_condition(name) for name in condition_names() if _complete(name)]
    conditions += [parse_condition("gridmask(0.3)")] if "gridmask" in condition_names() else []
    index = build_neighbours(cases, cases, conditions)
    around = Surroundings(42, {"phantom": index})
    sets = [CaseSet("phantom", tuple(cases), tuple(cases), Funnel("phantom"), "open")]
    plan = build_plan(sets, conditions, around, "p", Decoding())
    requests = request_plan(plan, sets, conditions, around, COUNTERFACTUAL_PROFILE, Decoding())
    assert len(requests) > 12 * 5
    seen = set()
    for number in range(len(requests)):
        request = requests.build(number)
        seen.add(request.condition)
        content = pickle.dumps(request)
        assert MARK.encode() not in content, request.condition
        assert GOLD.encode() not in content, request.condition
    assert seen & {"real", "full"}
    assert {"shuffle", "hardneg", "mismatch", "noimage"} <= seen


def _complete(name: str) -> bool:
    """Whether a name alone, without parameters, is a condition."""
    from perimetry.cases.errors import UsageError

    try:
        parse_condition(name)
    except UsageError:
        return False
    return True


def test_the_marker_would_be_found_in_a_shown_field():
    case = replace(marked("choice")[0], stem=MARK)
    sets = [CaseSet("phantom", (case,), (case,), Funnel("phantom"), "open")]
    conditions = [parse_condition("real")]
    plan = build_plan(sets, conditions, Surroundings(42), "p", Decoding())
    requests = request_plan(plan, sets, conditions, Surroundings(42), COUNTERFACTUAL_PROFILE, Decoding())
    assert MARK.encode() in pickle.dumps(requests.build(0))
