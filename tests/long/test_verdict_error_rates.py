"""How often verdicts err: 200 simulated audits of readers that do not look, or hardly do."""

from __future__ import annotations

from collections import Counter

import pytest

import perimetry
from perimetry.conditions import Surroundings, parse_condition
from perimetry.inference import RequestStore, ask
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE
from perimetry.models.readers import build_reader
from perimetry.models.request import Decoding
from perimetry.protocols.counterfactual.estimates import _named
from perimetry.protocols.counterfactual.metrics import cell_statistics
from perimetry.protocols.counterfactual.verdict import rule
from perimetry.runs.builder import request_plan
from perimetry.runs.contrasts import Items, estimate_contrasts
from perimetry.runs.cube import Cube
from perimetry.runs.outcomes import score_outcomes
from perimetry.runs.plan import build_plan

pytestmark = pytest.mark.long

AUDITS = 200
ITEMS = 500
CONDITIONS = ("real", "retest", "shuffle")


def verdicts(reader: str, tmp_path) -> Counter[str]:
    found: Counter[str] = Counter()
    conditions = [parse_condition(name) for name in CONDITIONS]
    for seed in range(AUDITS):
        cases = perimetry.load(f"phantom:n={ITEMS},size=64,seed={1000 + seed}")
        around = Surroundings(seed)
        plan = build_plan([cases], conditions, around, "p", Decoding())
        requests = request_plan(plan, [cases], conditions, around, COUNTERFACTUAL_PROFILE, Decoding())
        model = build_reader(reader, seed)
        store = RequestStore(tmp_path / str(seed))
        ask(model, requests, store)
        outcomes = score_outcomes(store, model.name, plan, cases.questions)
        wanted = [
            _named(one, model.name)
            for one in cell_statistics(Cube.from_outcomes(outcomes, CONDITIONS))
            if one.metric in ("vrs", "is_excess")
        ]
        items = Items(("phantom",) * ITEMS, tuple(case.group for case in cases.questions))
        found[rule(model.name, estimate_contrasts(wanted, items, seed=seed)).verdict] += 1
    return found


def test_random_answers_use_the_image_at_most_twice(tmp_path):
    found = verdicts("random", tmp_path)
    assert found["uses the image"] <= 2, found
    assert found["not resolved"] > AUDITS / 2, found


@pytest.mark.parametrize("reader", ["blind", "constant"])
def test_readers_that_do_not_look_are_always_found(reader, tmp_path):
    assert verdicts(reader, tmp_path) == {"does not use the image": AUDITS}


def test_looking_at_two_items_in_a_hundred_is_never_use(tmp_path):
    found = verdicts("mixed(0.02)", tmp_path)
    assert found["uses the image"] == 0, found
