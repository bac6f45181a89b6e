from __future__ import annotations

from dataclasses import replace

import pytest

from perimetry.cases import CaseSet, Funnel, Question
from perimetry.conditions import Surroundings, parse_condition
from perimetry.models.request import Decoding
from perimetry.runs.plan import build_plan, requests_of


def case_set(*questions: Question) -> CaseSet:
    return CaseSet("mine", tuple(questions), tuple(questions), Funnel("mine"), "open")


class Picture:
    """An image source that nobody may read while planning."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.name = digest

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self):
        raise AssertionError("planning must not read pixels")

    def encoded(self):
        raise AssertionError("planning must not read pixels")


def question(number: int, image: str | None = None) -> Question:
    from perimetry.cases import Image

    images = () if image is None else (Image(Picture(image)),)
    return Question(str(number), "mine", str(number), "Is it?", "yes", "closed", images=images)


def plan_of(conditions, *questions, seed=42, repeats=1, retest=1.0, profile="p", decoding=None):
    parsed = [parse_condition(name) for name in conditions]
    return build_plan(
        [case_set(*questions)], parsed, Surroundings(seed), profile, decoding or Decoding(), repeats, retest
    )


def ids(plan) -> dict[tuple[int, str, int], str | None]:
    return {
        (case, plan.conditions[condition], repeat): request
        for case, condition, repeat, request in plan.trials.iter_rows()
    }


def test_equal_recipes_share_a_request_and_retest_never_does():
    got = ids(plan_of(["real", "retest", "full", "noimage", "textonly", "blank"], question(0, "a")))
    assert got[0, "real", 0] == got[0, "full", 0]
    assert got[0, "noimage", 0] == got[0, "textonly", 0]
    assert len({got[0, name, 0] for name in ("real", "retest", "noimage", "blank")}) == 4


def test_repeats_are_requests_of_their_own():
    plan = plan_of(["real", "retest"], question(0, "a"), repeats=3)
    assert len(requests_of(plan)) == 6


def test_conditions_that_do_not_apply_are_counted_not_asked():
    plan = plan_of(["real", "blank", "noimage"], question(0), question(1, "a"))
    got = ids(plan)
    assert got[0, "blank", 0] is None
    assert got[1, "blank", 0] is not None
    assert ("mine", "blank", 1) in plan.not_applicable().rows()


@pytest.mark.parametrize(
    "change",
    [{"profile": "other"}, {"decoding": Decoding(5)}, {"decoding": Decoding(2048, 0.6)}],
)
def test_words_and_decoding_are_part_of_a_request(change):
    plain, changed = ids(plan_of(["real"], question(0, "a"))), ids(plan_of(["real"], question(0, "a"), **change))
    assert plain[0, "real", 0] != changed[0, "real", 0]


def test_the_seed_names_only_what_is_drawn_from_it():
    one, other = (ids(plan_of(["real", "blank", "shuffle"], question(0, "a"), seed=seed)) for seed in (1, 2))
    assert one[0, "real", 0] == other[0, "real", 0]
    assert one[0, "shuffle", 0] != other[0, "shuffle", 0]


def test_gold_and_hidden_fields_are_no_part_of_a_request():
    first = question(0, "a")
    second = replace(first, answer="no", hidden={"rationale": "secret"})
    assert ids(plan_of(["real"], first)) == ids(plan_of(["real"], second))


def test_order_of_cases_changes_no_request():
    forward = plan_of(["real", "shuffle"], question(0, "a"), question(1, "b"))
    back = plan_of(["real", "shuffle"], question(1, "b"), question(0, "a"))
    assert set(forward.trials["request_id"]) == set(back.trials["request_id"])


def test_a_share_of_the_items_is_retested_and_always_the_same():
    questions = [question(number, f"i{number}") for number in range(400)]
    plan = plan_of(["real", "retest"], *questions, retest=0.25)
    asked = plan.trials.filter((plan.trials["condition"] == 1) & plan.trials["request_id"].is_not_null())
    assert 70 <= asked.height <= 130
    again = plan_of(["real", "retest"], *reversed(questions), retest=0.25)
    assert set(asked["request_id"]) <= set(again.trials["request_id"])


def test_the_table_has_one_row_a_trial_and_model():
    table = plan_of(["real", "blank"], question(0, "a"), repeats=2).table(["m1", "m2"])
    assert table.height == 8
    assert set(table.columns) == {"dataset", "case_id", "condition", "repeat", "request_id", "model"}
