"""A Ray cluster that loses a node in the middle of a shard."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from tests.inference.engine_models import Echo, plan_of, request_id, right, stored

from perimetry.inference import RequestStore, Settings, ask

pytest.importorskip("ray", reason="the ray extra is not installed")
pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
REQUESTS, SHARD = 240, 60

# In a process of its own: Ray leaves threads and signal handlers behind in the process that drives it.
DRIVER = """
import sys, threading, time
from pathlib import Path
from ray.cluster_utils import Cluster
import ray
from perimetry.inference import RequestStore, Settings, ask
from tests.inference.engine_models import Echo, failing, plan_of

folder, log, lose = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "lose"
requests, shard = int(sys.argv[4]), int(sys.argv[5])
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
other = cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
ray.init(address=cluster.address, log_to_driver=False)

def kill_node():
    # When the first shard of either node is well under way; a shard takes 6 seconds.
    while True:
        journals = [path.read_bytes().count(b"\\n") for path in folder.glob("journal-*")]
        if len(journals) == 2 and min(journals) > 15:
            break
        time.sleep(0.02)
    cluster.remove_node(other, allow_graceful=False)

if lose:
    threading.Thread(target=kill_node, daemon=True).start()
model = Echo(log=log, pause=0.1, fail=failing([7], "refused"))
summary = ask(model, plan_of(requests), RequestStore(folder),
              Settings(engine="ray", workers=2, shard_size=shard, ray_address=cluster.address))
alive = sum(node["Alive"] for node in ray.nodes())
print("RESULT", summary.complete, summary.answered, dict(summary.failed), alive, flush=True)
ray.shutdown()
cluster.shutdown()
"""


def drive(folder: Path, log: Path, mode: str, requests: int) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    arguments = [str(folder), str(log), mode, str(requests), str(SHARD)]
    run = subprocess.run(
        [sys.executable, "-c", DRIVER, *arguments], capture_output=True, text=True, cwd=ROOT, env=environment,
        timeout=280, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    (result,) = [line for line in run.stdout.splitlines() if line.startswith("RESULT")]
    return result


def rows(folder: Path) -> pl.DataFrame:
    columns = pl.all().exclude("attempt")
    return RequestStore(folder).responses("test:echo").select(columns).sort("request_id").collect()


def test_losing_a_node_within_a_shard_changes_no_response(tmp_path: Path):
    log = tmp_path / "log"
    result = drive(tmp_path / "ray", log, "lose", REQUESTS)
    assert result == f"RESULT True {REQUESTS - 1} {{'refused': 1}} 1"
    assert stored(tmp_path / "ray", "test:echo") == right(REQUESTS) | {request_id(7): "!refused"}
    for workers in (1, 4):
        folder = tmp_path / f"local-{workers}"
        ask(Echo(fail={request_id(7): "refused"}), plan_of(REQUESTS), RequestStore(folder), Settings(workers=workers))
        assert rows(folder).equals(rows(tmp_path / "ray"))
    # The retry asked only what the dead node had not journalled: at most the request in flight a second time.
    asked = Counter(log.read_text().split())
    assert set(asked) == set(right(REQUESTS))
    assert sum(asked.values()) <= REQUESTS + 1
    attempts = RequestStore(tmp_path / "ray").responses("test:echo").collect().get_column("attempt")
    assert attempts.max() == 2
    assert not list((tmp_path / "ray").glob("journal-*"))
