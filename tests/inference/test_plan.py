from __future__ import annotations

import pickle
from typing import Any, cast

import polars as pl
import pytest
from tests.inference.engine_models import Builder, plan_of, request_id

from perimetry.cases.errors import UsageError
from perimetry.inference import Budget, RequestPlan, Settings
from perimetry.inference.execution import shard_tasks
from perimetry.inference.settings import Engine


def test_ids_must_be_unique_strings():
    build = Builder()
    with pytest.raises(UsageError, match="'b' stands in the plan more than once"):
        RequestPlan(pl.Series(["a", "b", "b"]), build)
    with pytest.raises(UsageError, match="strings"):
        RequestPlan(pl.Series([1, 2]), build)
    with pytest.raises(UsageError, match="without gaps"):
        RequestPlan(pl.Series(["a", None]), build)


def test_a_plan_of_requests_at_hand_can_be_pickled():
    requests = [Builder()(index) for index in range(3)]
    plan = RequestPlan.of(iter(requests))
    assert plan.ids.to_list() == [request_id(index) for index in range(3)]
    assert [pickle.loads(pickle.dumps(plan.build))(index) for index in range(3)] == requests


def test_tasks_cover_what_is_missing_once_and_in_order():
    missing = pl.Series([1, 2, 5, 7, 8, 9, 40], dtype=pl.UInt32)
    tasks = list(shard_tasks(plan_of(50), missing, 3, 3))
    assert [list(task.positions) for task in tasks] == [[1, 2, 5], [7, 8, 9], [40]]
    assert [(task.shard, task.attempt, task.retried) for task in tasks] == [(0, 3, False), (1, 3, False), (2, 3, False)]
    for task in tasks:
        assert list(task.ids) == [request_id(position) for position in task.positions]
    assert list(shard_tasks(plan_of(50), missing.clear(), 3, 3)) == []


def test_settings_that_make_no_sense_are_refused_by_name():
    wrong: dict[str, Any] = {"shard_size": 0, "workers": 0, "concurrency": 0, "max_requests": -1, "max_failures": -1}
    for name, value in wrong.items():
        with pytest.raises(UsageError, match=f"{name} is {value}"):
            Settings(**{name: value})
    with pytest.raises(UsageError, match="no engine called 'spark'"):
        Settings(engine=cast("Engine", "spark"))


def test_the_window_is_shared_out_among_workers():
    assert Settings(workers=4).in_flight(16) == 4
    assert Settings(workers=4, concurrency=100).in_flight(16) == 25
    assert Settings(workers=40).in_flight(16) == 1


def test_a_budget_grants_no_more_than_it_has():
    budget = Budget(10)
    assert [budget.take(4), budget.take(0), budget.take(100), budget.take(1)] == [4, 0, 6, 0]
    assert Budget(None).take(10**9) == 10**9
    assert Budget(None).left is None
