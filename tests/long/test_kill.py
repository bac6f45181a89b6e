"""Kills a run again and again, and counts what a server saw."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.inference.engine_models import Echo, plan_of, request_id, right, stored
from tests.models.loopback import LoopbackServer, slow

from perimetry.inference import RequestStore, ask

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
REQUESTS, KILLS, CONCURRENCY = 2000, 20, 16

CLIENT = """
import sys
from pathlib import Path
from perimetry.inference import RequestStore, Settings, ask
from perimetry.models.openai_endpoint import OpenAIEndpoint, read_target
from perimetry.models.spec import ModelContext
from tests.inference.engine_models import plan_of

served, address = read_target(f"m@{sys.argv[2]}", "openai:NAME@URL")
model = OpenAIEndpoint(served, address, ModelContext(concurrency=int(sys.argv[3]), max_retries=0))
summary = ask(model, plan_of(int(sys.argv[4])), RequestStore(Path(sys.argv[1])), Settings(shard_size=150))
print(summary.complete, summary.stored, summary.answered)
"""


def client(folder: Path, url: str) -> subprocess.Popen[str]:
    arguments = [str(folder), url, str(CONCURRENCY), str(REQUESTS)]
    return subprocess.Popen([sys.executable, "-c", CLIENT, *arguments], stdout=subprocess.PIPE, text=True, cwd=ROOT)


def answers(folder: Path) -> dict[str, str | None]:
    return stored(folder, "openai:m")


def test_twenty_kills_lose_nothing_and_repeat_only_what_was_in_flight(tmp_path: Path):
    folder, draw = tmp_path / "responses", random.Random(7)
    seen_by_kill: list[int] = []
    with LoopbackServer(slow(0.02, "yes"), process=True, record="texts") as server:
        for _ in range(KILLS):
            before = server.count
            process = client(folder, server.url)
            # A moment within the run: after some more requests, at most what is left to keep it going.
            target = before + draw.randint(0, 90)
            while server.count <= target:
                assert process.poll() is None
                time.sleep(0.001)
            time.sleep(draw.random() * 0.02)
            kept_before = answers(folder) if draw.random() < 0.3 else {}
            process.kill()
            process.communicate()
            assert process.returncode == -signal.SIGKILL
            assert answers(folder).keys() >= kept_before.keys()
            seen_by_kill.append(len(answers(folder)))
            assert server.count - seen_by_kill[-1] <= (len(seen_by_kill)) * CONCURRENCY
        assert seen_by_kill == sorted(seen_by_kill)
        assert 0 < seen_by_kill[-1] < REQUESTS, "the kills did not fall into the run"
        journalled = Counter(answers(folder))
        texts_before = len(server.texts)
        process = client(folder, server.url)
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        assert output.split() == ["True", str(seen_by_kill[-1]), str(REQUESTS - seen_by_kill[-1])]
        kept = answers(folder)
        assert kept == dict.fromkeys((request_id(index) for index in range(REQUESTS)), "yes")
        # What was stored was asked once; the last run asked nothing that was stored.
        index_of = {request_id(index): f"question {index}" for index in range(REQUESTS)}
        last_run = set(server.texts[texts_before:])
        assert not last_run & {index_of[identity] for identity in journalled}
        asked = Counter(server.texts)
        assert set(asked) == set(index_of.values())
        # Requests in flight at a kill are asked again; were there none, the kills would have proved little.
        assert REQUESTS < sum(asked.values()) <= REQUESTS + KILLS * CONCURRENCY
        assert server.count == sum(asked.values())
    raw = [frame for _, frame in RequestStore(folder).rows("openai:m")]
    assert sum(len(frame) for frame in raw) == REQUESTS  # no request was journalled twice


PARENT = """
import sys
from pathlib import Path
from perimetry.inference import RequestStore, Settings, ask
from tests.inference.engine_models import Echo, plan_of

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    summary = ask(Echo(log=folder / "log", pause=0.02), plan_of(400), RequestStore(folder / "r"),
                  Settings(workers=2, shard_size=100))
    print(summary.stopped)
"""


def start(tmp_path: Path) -> subprocess.Popen[str]:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)], env=os.environ | {"PYTHONPATH": str(ROOT)}, cwd=ROOT,
        stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while not (tmp_path / "log").exists() or len((tmp_path / "log").read_text().split()) < 30:
        assert process.poll() is None
        time.sleep(0.02)
    return process


def wait_until_quiet(log: Path) -> None:
    seen = -1
    while seen != log.stat().st_size:
        seen = log.stat().st_size
        time.sleep(0.5)


def test_killing_the_parent_ends_its_workers_and_the_next_run_goes_on(tmp_path: Path):
    process = start(tmp_path)
    process.kill()
    process.communicate()
    wait_until_quiet(tmp_path / "log")
    asked = (tmp_path / "log").read_text().split()
    assert len(asked) < 200, "the orphans went on asking"
    kept = stored(tmp_path / "r", "test:echo")
    assert len(asked) - len(kept) <= 2
    ask(Echo(log=tmp_path / "log"), plan_of(400), RequestStore(tmp_path / "r"))
    assert stored(tmp_path / "r", "test:echo") == right(400)
    assert len((tmp_path / "log").read_text().split()) <= 402


def test_ctrl_c_to_the_whole_group_ends_in_good_order(tmp_path: Path):
    process = start(tmp_path)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert output.strip() == "interrupted"
    kept = stored(tmp_path / "r", "test:echo")
    assert sorted(kept) == sorted((tmp_path / "log").read_text().split())
