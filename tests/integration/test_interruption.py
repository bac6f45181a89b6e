"""Signals and a second writer: what was answered stays, and the same command goes on."""

from __future__ import annotations

import json
import os
import signal
import socket
import time

import pytest
from tests.bad_input import FEW, arguments, audit, command, every_file, one_error, outcomes, records, start, write_table
from tests.models.loopback import LoopbackServer, slow

from perimetry.inference import RequestStore, RunLock

ITEMS = 12
MODEL = "openai:m"


def stored(run):
    return len(RequestStore(run / "responses").answered(MODEL))


def wait_for(condition, process):
    for _ in range(6000):
        if condition():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    raise AssertionError("the run did not come so far")


@pytest.fixture
def data(tmp_path):
    return write_table(tmp_path, records(ITEMS))


@pytest.mark.usefixtures("pageless")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_a_signal_in_the_middle(tmp_path, data, number):
    run = tmp_path / "run"
    with LoopbackServer(slow(0.05, "Answer: yes")) as server:
        process = start(*arguments(data, f"{MODEL}@{server.url}", run, "--concurrency", "1"))
        wait_for(lambda: server.count > 5, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        if number != signal.SIGKILL:
            assert process.returncode == 130
            assert "Give the same command again to go on" in err
            assert not out
        asked, kept = server.count, stored(run)
        assert 0 < kept < 4 * ITEMS
        # What was in flight at a kill may be asked again; after Ctrl-C it was waited for.
        assert asked - kept <= (1 if number == signal.SIGKILL else 0)
        ended = audit(data, f"{MODEL}@{server.url}", run, "--concurrency", "8")
        assert ended.code == 0
        assert server.count - asked == 4 * ITEMS - kept
    assert outcomes(run)["answered"].all()
    assert not [name for name in every_file(run) if ".tmp" in name or "journal" in name or ".report" in name]


def test_a_second_interrupt_ends_at_once(tmp_path, data):
    run = tmp_path / "run"
    with LoopbackServer(slow(30.0)) as server:
        process = start(*arguments(data, f"{MODEL}@{server.url}", run))
        wait_for(lambda: server.count > 0, process)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        # The first one is answered by a message; only then does the second one count as a second one.
        assert process.stderr is not None
        while "once more" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert time.monotonic() - begun < 25, "it did not wait for the answers"


@pytest.mark.usefixtures("pageless")
def test_a_second_process_is_refused_with_pid_and_host(tmp_path, data):
    run = tmp_path / "run"
    with LoopbackServer(slow(0.3, "Answer: yes")) as server:
        process = start(*arguments(data, f"{MODEL}@{server.url}", run, "--concurrency", "1"))
        wait_for(lambda: server.count > 1, process)
        before = server.count
        for ended in (audit(data, f"{MODEL}@{server.url}", run), command("report", run)):
            one_error(ended, 2, f"process {process.pid} on {socket.gethostname()}", run)
        assert server.count - before <= 60, "the second asked nothing of its own"
        process.kill()
        process.communicate()
        # The lock ends with its process, however that ended.
        assert audit(data, f"{MODEL}@{server.url}", run, "--max-requests", "0").code == 3


@pytest.mark.usefixtures("pageless")
def test_a_lock_file_of_a_process_that_is_gone_stands_in_nobodys_way(tmp_path, data):
    run = tmp_path / "run"
    run.mkdir()
    gone = {"pid": 2**22 + 1, "host": socket.gethostname(), "since": "2020-01-01 00:00:00"}
    for content in (json.dumps(gone), "", "\x00 not ours"):
        (run / ".lock").write_text(content)
        assert audit(data, "reader:constant", run, "--max-requests", "0").code == 3


def test_the_lock_is_held_by_this_process_too(tmp_path, data):
    with RunLock(tmp_path / "run"):
        ended = audit(data, "reader:constant", tmp_path / "run")
    one_error(ended, 2, f"process {os.getpid()}")


@pytest.mark.parametrize("where", ["load", "finish"])
def test_an_interrupt_outside_of_the_asking(tmp_path, data, monkeypatch, where):
    """Ctrl-C while data load or pages are made: exit 130, and the same command goes on."""
    model = tmp_path / "answers.jsonl"
    model.write_text(
        "".join(
            json.dumps({"case_id": row["id"], "condition": condition, "response": "yes"}) + "\n"
            for row in records(ITEMS)
            for condition in FEW.split(",")
        )
    )

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    places = {"load": "protocols.audit.load_case_sets", "finish": "reports.build.write_report"}
    with monkeypatch.context() as patch:
        patch.setattr(f"perimetry.{places[where]}", interrupt)
        ended = audit(data, f"recorded:{model}", tmp_path / "run")
    assert ended.code == 130
    assert "give the same command again" in ended.err
    assert not [name for name in every_file(tmp_path / "run") if ".tmp" in name or ".report" in name]
    assert audit(data, f"recorded:{model}", tmp_path / "run").code == 0
