from __future__ import annotations

import asyncio
import math
import os
import signal
from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from tests.inference.engine_models import (
    Builder,
    Echo,
    EchoEndpoint,
    failing,
    plan_of,
    request_id,
    right,
    stored,
)

from perimetry.cases.errors import UsageError
from perimetry.inference import Budget, RequestPlan, RequestStore, RunLock, Settings, StoreError, ask
from perimetry.models.model import EndpointModel, Model
from perimetry.models.request import FINAL_KINDS, FailureKind, Request, Response


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


@pytest.mark.parametrize("model", [Echo(), EchoEndpoint()])
@pytest.mark.parametrize("shard_size", [1, 9, 50, 2000])
def test_everything_is_answered_whatever_the_shards(tmp_path: Path, model: Model, shard_size):
    summary = ask(model, plan_of(100), RequestStore(tmp_path), Settings(shard_size=shard_size))
    assert (summary.planned, summary.stored, summary.answered, summary.failed) == (100, 0, 100, ())
    assert summary.complete
    assert summary.message == ""
    assert stored(tmp_path, model.name) == right(100)
    assert len(names(tmp_path)) == math.ceil(100 / shard_size)
    assert all(name.startswith("part-") for name in names(tmp_path))


@pytest.mark.parametrize("kind", ["batch", "endpoint"])
def test_only_what_is_missing_is_asked(tmp_path: Path, kind):
    store, log = RequestStore(tmp_path / "responses"), tmp_path / "log"
    endpoint = EchoEndpoint()
    model = Echo(log=log) if kind == "batch" else endpoint
    ask(model, plan_of(30), store, Settings(shard_size=8))
    summary = ask(model, plan_of(50), store, Settings(shard_size=11))  # the plan grew, the shards changed
    assert (summary.stored, summary.answered, summary.complete) == (30, 20, True)
    again = ask(model, plan_of(50), store)
    assert (again.stored, again.answered, again.complete) == (50, 0, True)
    asked = log.read_text().split() if kind == "batch" else endpoint.asked
    assert Counter(asked) == Counter(request_id(index) for index in range(50))
    assert stored(store.folder, model.name) == right(50)


@pytest.mark.parametrize("make", [Echo, EchoEndpoint])
def test_passing_failures_are_asked_again_and_final_ones_are_not(tmp_path: Path, make):
    kinds = {request_id(0): "timeout", request_id(3): "refused", request_id(5): "crashed"}
    store = RequestStore(tmp_path)
    first = ask(make(fail=kinds), plan_of(10), store)
    assert first.answered == 7
    assert dict(first.failed) == {"timeout": 1, "refused": 1, "crashed": 1}
    assert first.complete
    second = ask(make(fail={request_id(5): "unreachable"}), plan_of(10), store)
    assert (second.stored, second.asked, second.answered) == (8, 2, 1)
    expected = right(10) | {request_id(3): "!refused", request_id(5): "!unreachable"}
    assert stored(tmp_path, first.model) == expected
    ask(make(), plan_of(10), store)
    assert stored(tmp_path, first.model) == right(10) | {request_id(3): "!refused"}


@pytest.mark.parametrize("make", [Echo, EchoEndpoint])
def test_a_request_that_cannot_be_built_fails_alone(tmp_path: Path, make):
    builder = Builder(unreadable=frozenset({1}), bad=frozenset({2}), broken=frozenset({3}))
    model = make()
    summary = ask(model, plan_of(20, builder), RequestStore(tmp_path))
    assert dict(summary.failed) == {"unreadable_image": 1, "unaskable": 1, "crashed": 1}
    kinds = ["!unreadable_image", "!unaskable", "!crashed"]
    expected = right(20) | {request_id(index): kind for index, kind in enumerate(kinds, start=1)}
    assert stored(tmp_path, model.name) == expected
    again = ask(make(), plan_of(20, builder), RequestStore(tmp_path))
    assert (again.asked, dict(again.failed)) == (1, {"crashed": 1}), "what lies with the case is asked no second time"
    failures = RequestStore(tmp_path).failures(model.name)
    assert "image of case 1: found 0 bytes, expected a PNG" in failures.get_column("example").to_list()
    assert "ZeroDivisionError: a bug in a builder" in failures.get_column("example").to_list()


def test_a_builder_that_does_not_keep_to_the_plan_is_found_out(tmp_path: Path):
    plan = plan_of(3)
    ask(Echo(), RequestPlan(plan.ids.reverse(), plan.build), RequestStore(tmp_path))
    assert sorted(stored(tmp_path, "test:echo").items()) == sorted(
        {
            request_id(0): "!crashed",
            request_id(1): right(3)[request_id(1)],
            request_id(2): "!crashed",
        }.items()
    )


@pytest.mark.parametrize("size", [1, 4, 100])
def test_a_model_that_raises_falls_silent_or_mistakes_a_request_hurts_that_one_alone(tmp_path: Path, size):
    model = Echo(
        size=size,
        raise_on=frozenset({request_id(2), request_id(11)}),
        silent_on=frozenset({request_id(6)}),
        mistake_on=frozenset({request_id(9)}),
    )
    summary = ask(model, plan_of(16), RequestStore(tmp_path))
    assert dict(summary.failed) == {"crashed": 2, "invalid_response": 2}
    assert stored(tmp_path, model.name) == right(16) | {
        request_id(2): "!crashed", request_id(11): "!crashed", request_id(6): "!invalid_response",
        request_id(9): "!invalid_response",
    }  # fmt: skip


def test_an_endpoint_that_raises_fails_that_request_alone(tmp_path: Path):
    model = EchoEndpoint(raise_on=frozenset({request_id(4)}))
    ask(model, plan_of(9), RequestStore(tmp_path))
    assert stored(tmp_path, model.name) == right(9) | {request_id(4): "!crashed"}
    assert model.closed == 1


@pytest.mark.parametrize(("concurrency", "most"), [(None, 8), (1, 1), (3, 3)])
def test_the_window_is_kept_full_and_never_exceeded_over_shards(tmp_path: Path, concurrency, most):
    model = EchoEndpoint(window=8, pause=0.002)
    ask(model, plan_of(80), RequestStore(tmp_path), Settings(shard_size=4, concurrency=concurrency))
    assert model.most == most


def test_a_slow_request_does_not_hold_the_others_up(tmp_path: Path):
    """With one of two places taken for ever, all others are still answered and stored."""
    model = EchoEndpoint(window=2, hang_on=frozenset({request_id(0)}), interrupt_on=frozenset({request_id(39)}))
    summary = ask(model, plan_of(40), RequestStore(tmp_path), Settings(shard_size=10, grace=0.3))
    assert (summary.stopped, summary.answered) == ("interrupted", 39)
    assert stored(tmp_path, model.name) == {key: text for key, text in right(40).items() if key != request_id(0)}


def test_requests_are_built_just_before_they_are_asked(tmp_path: Path):
    """Memory stays bounded: what is built and not yet answered never exceeds a batch, or the window."""
    ahead: list[int] = []

    class Watching(Builder):
        def __call__(self, index: int) -> Request:
            journals = tmp_path.glob("journal-*")
            lines = sum(path.read_bytes().count(b"\n") - 1 for path in journals)
            ahead.append(index - lines)
            return super().__call__(index)

    ask(Echo(size=5), plan_of(60, Watching()), RequestStore(tmp_path))
    assert max(ahead) < 5
    ahead.clear()
    ask(EchoEndpoint(window=6), plan_of(60, Watching()), RequestStore(tmp_path))
    assert len(ahead) == 60
    assert max(ahead) < 6


def test_a_budget_bounds_an_invocation_and_the_next_goes_on(tmp_path: Path):
    store, budget = RequestStore(tmp_path), Budget(25)
    first = ask(Echo(name="test:a"), plan_of(20), store, budget=budget)
    second = ask(Echo(name="test:b"), plan_of(20), store, budget=budget)
    third = ask(Echo(name="test:c"), plan_of(20), store, budget=budget)
    assert [(one.answered, one.stopped, one.unasked) for one in (first, second, third)] == [
        (20, "", 0), (5, "budget", 15), (0, "budget", 20),
    ]  # fmt: skip
    assert "--max-requests" in second.message
    assert not second.complete
    assert ask(Echo(name="test:b"), plan_of(20), store, Settings(max_requests=100)).answered == 15
    assert stored(tmp_path, "test:b") == right(20)


@pytest.mark.parametrize("make", [Echo, EchoEndpoint])
def test_a_run_that_is_only_failing_stops(tmp_path: Path, make):
    model = make(fail=failing(range(300), "unauthorized"))
    summary = ask(model, plan_of(300), RequestStore(tmp_path), Settings(max_failures=12, shard_size=50))
    assert summary.stopped == "failures"
    assert 12 <= summary.asked < 12 + 8 + 1
    assert "unauthorized: as told" in summary.message
    assert "--max-failures" in summary.message
    after = ask(make(), plan_of(300), RequestStore(tmp_path))
    assert after.answered == 300
    assert stored(tmp_path, model.name) == right(300)


@pytest.mark.parametrize("then", ["fails", "answers"])
def test_a_stop_says_how_many_failed_by_then_and_how_many_were_let_finish(tmp_path: Path, then):
    """Eight in flight fail or answer after the twelfth failure: the count and the reason stay what they were."""

    class Late(EchoEndpoint):
        async def ask(self, request: Request) -> Response:
            if int(request.case_id.removeprefix("case-")) >= 12:
                await asyncio.sleep(0.2)
            return await super().ask(request)

    model = Late(fail=failing(range(300 if then == "fails" else 12), "unauthorized"))
    summary = ask(model, plan_of(300), RequestStore(tmp_path), Settings(max_failures=12))
    assert summary.stopped == "failures"
    late = summary.asked - 12
    assert 0 < late <= 8
    said = f"Stopped: 12 requests failed in a row ({late} more that were in flight were let finish)."
    assert summary.message.startswith(said)


@pytest.mark.parametrize(("make", "workers"), [(Echo, 1), (EchoEndpoint, 1), (Echo, 2)])
def test_each_kind_of_failure_comes_with_what_one_of_them_said(tmp_path: Path, make, workers):
    kinds: dict[str, FailureKind] = {request_id(0): "timeout", request_id(3): "refused"}
    builder = Builder(bad=frozenset({2}))
    summary = ask(make(fail=kinds), plan_of(10, builder), RequestStore(tmp_path), Settings(workers=workers))
    assert summary.examples == (("refused", "as told"), ("timeout", "as told"), ("unaskable", "case 2 has no stem"))


def test_answers_between_failures_and_foreseen_failures_do_not_stop_a_run(tmp_path: Path):
    mixed = failing((index for index in range(200) if index % 5), "timeout")
    assert ask(Echo(name="test:1", fail=mixed), plan_of(200), RequestStore(tmp_path), Settings(max_failures=5)).complete
    for kind in sorted(FINAL_KINDS):
        model = Echo(name=f"test:{kind}", fail=failing(range(50), cast("FailureKind", kind)))
        assert ask(model, plan_of(50), RequestStore(tmp_path), Settings(max_failures=5)).complete
    never = Echo(name="test:never", fail=failing(range(50), "timeout"))
    assert ask(never, plan_of(50), RequestStore(tmp_path), Settings(max_failures=0)).complete


@pytest.mark.parametrize(("make", "pause"), [(Echo, 0.01), (EchoEndpoint, 0.06)])
def test_ctrl_c_stores_what_had_arrived_and_the_same_command_goes_on(tmp_path: Path, make, pause):
    model = make(interrupt_on=frozenset({request_id(31)}), pause=pause)
    summary = ask(model, plan_of(90), RequestStore(tmp_path), Settings(shard_size=20))
    assert summary.stopped == "interrupted"
    assert "Give the same command again" in summary.message
    kept = stored(tmp_path, model.name)
    assert 30 < len(kept) < 90
    assert len(kept) == summary.answered
    assert kept.items() <= right(90).items()
    after = ask(make(), plan_of(90), RequestStore(tmp_path))
    assert after.stored == len(kept)
    assert stored(tmp_path, model.name) == right(90)


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path):
    model = EchoEndpoint(
        window=4, hang_on=frozenset({request_id(0)}), interrupt_on=frozenset({request_id(5), request_id(6)})
    )
    summary = ask(model, plan_of(60), RequestStore(tmp_path), Settings(grace=3600))
    assert summary.stopped == "interrupted"
    assert request_id(0) not in stored(tmp_path, model.name)


def test_asking_works_where_an_event_loop_runs_already(tmp_path: Path):
    async def notebook() -> int:
        return ask(EchoEndpoint(), plan_of(5), RequestStore(tmp_path)).answered

    assert asyncio.run(notebook()) == 5


def test_an_empty_plan_asks_nothing(tmp_path: Path):
    summary = ask(Echo(), RequestPlan.of([]), RequestStore(tmp_path))
    assert (summary.planned, summary.asked, summary.complete) == (0, 0, True)


def test_a_store_that_another_writes_is_refused(tmp_path: Path):
    with RunLock(tmp_path), pytest.raises(UsageError, match="is being written by process"):
        ask(Echo(), plan_of(1), RequestStore(tmp_path))


@pytest.mark.parametrize("make", [Echo, EchoEndpoint])
def test_a_disk_that_fills_up_stops_the_run_with_one_error_and_keeps_all(tmp_path: Path, make, monkeypatch):
    import os

    real, written = os.write, [0]

    def write(descriptor: int, data: bytes) -> int:
        written[0] += 1
        if written[0] > 30:
            raise OSError(28, "No space left on device")
        return real(descriptor, data)

    model = make()
    with monkeypatch.context() as patched:
        patched.setattr("perimetry.inference.journal.os.write", write)
        with pytest.raises(StoreError, match="no space left"):
            ask(model, plan_of(100), RequestStore(tmp_path), Settings(shard_size=10))
    kept = stored(tmp_path, model.name)
    assert 20 <= len(kept) < 30
    assert kept.items() <= right(100).items()
    assert ask(make(), plan_of(100), RequestStore(tmp_path)).stored == len(kept)
    assert stored(tmp_path, model.name) == right(100)


def test_a_damaged_part_is_set_aside_and_asked_again(tmp_path: Path):
    store = RequestStore(tmp_path, lambda problem: None)
    ask(Echo(), plan_of(30), store, Settings(shard_size=10))
    broken = tmp_path / names(tmp_path)[1]
    broken.write_bytes(broken.read_bytes()[:-30])
    summary = ask(Echo(), plan_of(30), store)
    assert (summary.stored, summary.answered) == (20, 10)
    assert [problem.path for problem in summary.problems] == [broken]
    assert f"{broken.name}.damaged" in names(tmp_path)
    assert stored(tmp_path, "test:echo") == right(30)


def test_a_damaged_journal_line_is_asked_again_and_the_journal_kept(tmp_path: Path):
    store = RequestStore(tmp_path, lambda problem: None)
    ask(Echo(interrupt_on=frozenset({request_id(9)}), pause=0.02), plan_of(30), store)
    (journal,) = tmp_path.glob("journal-*")
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[4] = b'{"id":"7\n'
    journal.write_bytes(b"".join(lines))
    whole = len(lines) - 2
    summary = ask(Echo(), plan_of(30), store)
    assert summary.stored == whole
    assert [(problem.path, problem.line) for problem in summary.problems] == [(journal, 5)]
    assert journal.with_name(journal.name + ".damaged").exists()
    assert stored(tmp_path, "test:echo") == right(30)


def test_a_model_of_neither_shape_is_a_programming_error(tmp_path: Path):
    class Odd(Model):
        name = "odd"

    with pytest.raises(TypeError, match="neither a BatchModel nor an EndpointModel"):
        ask(Odd(), plan_of(1), RequestStore(tmp_path))
    assert not issubclass(Odd, EndpointModel)


def test_a_second_interrupt_counts_even_where_its_exception_is_lost(tmp_path: Path):
    """Raised inside a finaliser, KeyboardInterrupt is reported and dropped by Python; the run must end all the same."""

    class Losing(EchoEndpoint):
        async def ask(self, request: Request) -> Response:
            if request.id == request_id(0):
                for _ in range(2):
                    try:
                        os.kill(os.getpid(), signal.SIGINT)
                    except KeyboardInterrupt:
                        continue
            await asyncio.sleep(3600)
            return Response(request.id, "never")

    summary = ask(Losing(window=4), plan_of(8), RequestStore(tmp_path), Settings(grace=3600))
    assert (summary.stopped, summary.answered) == ("interrupted", 0)
