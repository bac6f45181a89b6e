from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from tests.inference.engine_models import Echo, EchoEndpoint, failing, plan_of, request_id, right, stored

from perimetry.cases.errors import UsageError
from perimetry.inference import RequestPlan, RequestStore, Settings, ask

THREE = Settings(workers=3, shard_size=16)


def test_workers_give_what_one_process_gives(tmp_path: Path):
    fails = failing([4], "refused") | failing([50], "timeout")
    alone = ask(Echo(fail=fails), plan_of(120), RequestStore(tmp_path / "one"), Settings(shard_size=16))
    model = Echo(fail=fails, log=tmp_path / "log")
    many = ask(model, plan_of(120), RequestStore(tmp_path / "three"), THREE)
    assert (many.answered, many.failed, many.complete) == (alone.answered, alone.failed, True)
    assert stored(tmp_path / "three", model.name) == stored(tmp_path / "one", model.name)
    columns = pl.all().exclude("attempt")
    frames = [
        RequestStore(tmp_path / run).responses(model.name).select(columns).sort("request_id").collect()
        for run in ("one", "three")
    ]
    assert frames[0].equals(frames[1])
    assert Counter((tmp_path / "log").read_text().split()) == Counter(request_id(index) for index in range(120))


def test_an_endpoint_can_be_asked_by_several_processes(tmp_path: Path):
    summary = ask(EchoEndpoint(), plan_of(60), RequestStore(tmp_path), Settings(workers=2, shard_size=16))
    assert (summary.answered, summary.complete) == (60, True)
    assert stored(tmp_path, "test:endpoint") == right(60)


def test_a_worker_that_dies_is_replaced_and_its_shard_taken_up(tmp_path: Path):
    model = Echo(die_on=frozenset({request_id(20)}), die_once=tmp_path / "died", log=tmp_path / "log")
    summary = ask(model, plan_of(60), RequestStore(tmp_path / "r"), Settings(workers=2, shard_size=16))
    assert (tmp_path / "died").exists()
    assert (summary.answered, summary.complete) == (60, True)
    assert stored(tmp_path / "r", model.name) == right(60)
    asked = Counter((tmp_path / "log").read_text().split())
    assert asked.pop(request_id(20)) == 2
    assert set(asked.values()) == {1}


def test_a_shard_that_kills_its_workers_is_left_and_the_rest_goes_on(tmp_path: Path):
    model = Echo(die_on=frozenset({request_id(20)}))
    summary = ask(model, plan_of(60), RequestStore(tmp_path), Settings(workers=2, shard_size=6))
    assert summary.stopped == "workers"
    assert "shard 3 (exit code -9)" in summary.message
    kept = stored(tmp_path, model.name)
    assert set(right(60)) - set(kept) == {request_id(index) for index in range(20, 24)}
    assert summary.answered == len(kept) == 56
    assert ask(Echo(), plan_of(60), RequestStore(tmp_path)).stored == 56
    assert stored(tmp_path, model.name) == right(60)


def test_workers_that_are_only_failing_stop_the_run(tmp_path: Path):
    fails = failing(range(400), "unauthorized")
    model = Echo(fail=fails, pause=0.002)
    summary = ask(model, plan_of(400), RequestStore(tmp_path), Settings(workers=2, shard_size=50, max_failures=20))
    assert summary.stopped == "failures"
    assert 20 <= summary.asked < 400


def test_what_cannot_be_pickled_is_named(tmp_path: Path):
    plan = plan_of(5)
    with pytest.raises(UsageError, match="test:echo cannot be handed to worker processes"):
        ask(Echo(), RequestPlan(plan.ids, lambda index: plan.build(index)), RequestStore(tmp_path), THREE)
