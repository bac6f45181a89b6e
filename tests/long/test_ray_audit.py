"""A whole audit on a Ray cluster that loses a node gives the bytes that it gives on one process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.models.loopback import LoopbackServer, Recorded, Reply, answer

import perimetry
from perimetry.inference import Settings

pytest.importorskip("ray", reason="the ray extra is not installed")
pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
DATA, CONDITIONS, REQUESTS, SHARD = "phantom:n=60,size=64", ("real", "retest", "blank", "shuffle"), 240, 60
RESULTS = ("estimates.csv", "verdicts.json")

# In a process of its own: Ray leaves threads and signal handlers behind in the process that drives it.
DRIVER = """
import sys, threading, time
from pathlib import Path
from ray.cluster_utils import Cluster
import ray
import perimetry
from perimetry.inference import Settings

run, url, data, conditions, shard = Path(sys.argv[1]), *sys.argv[2:5], int(sys.argv[5])
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
other = cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
ray.init(address=cluster.address, log_to_driver=False)

def kill_node():
    # When the first shard of either node is well under way; a shard takes 6 seconds.
    while True:
        journals = [path.read_bytes().count(b"\\n") for path in run.glob("responses/journal-*")]
        if len(journals) == 2 and min(journals) > 15:
            break
        time.sleep(0.02)
    cluster.remove_node(other, allow_graceful=False)

threading.Thread(target=kill_node, daemon=True).start()
result = perimetry.audit(data=data, models=f"openai:loopback@{url}", out=run, conditions=conditions,
                         settings=Settings(engine="ray", workers=2, shard_size=shard, concurrency=2,
                                           ray_address=cluster.address))
alive = sum(node["Alive"] for node in ray.nodes())
print("RESULT", result.summaries[0].complete, result.run.unanswered, alive, flush=True)
ray.shutdown()
cluster.shutdown()
"""


def slowly(request: Recorded) -> Reply:
    """Yes or no by the bytes asked, so that the answers differ between cases and conditions but not between runs."""
    body = request.body
    asked = repr((body["messages"], body.get("seed"))).encode()
    word = "yes" if hashlib.sha256(asked).digest()[0] % 2 else "no"
    return answer(f"Answer: {word}", delay=0.1)


def test_losing_a_node_changes_no_byte_of_the_results(tmp_path: Path):
    with LoopbackServer(slowly) as server:
        arguments = [str(tmp_path / "ray"), server.url, DATA, ",".join(CONDITIONS), str(SHARD)]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
        driven = subprocess.run(
            [sys.executable, "-c", DRIVER, *arguments], capture_output=True, text=True, cwd=ROOT, env=environment,
            timeout=280, check=False,
        )  # fmt: skip
        assert driven.returncode == 0, driven.stderr[-3000:]
        (result,) = [line for line in driven.stdout.splitlines() if line.startswith("RESULT")]
        assert result == "RESULT True 0 1"
        # Only the request in flight at the death of the node may have been asked a second time.
        assert REQUESTS <= server.count <= REQUESTS + 1
        for workers in (1, 4):
            perimetry.audit(
                data=DATA, models=f"openai:loopback@{server.url}", out=tmp_path / f"local-{workers}",
                conditions=CONDITIONS, settings=Settings(workers=workers, shard_size=SHARD, concurrency=40),
            )  # fmt: skip
    for workers in (1, 4):
        for name in RESULTS:
            ours, theirs = (tmp_path / run / name for run in (f"local-{workers}", "ray"))
            assert ours.read_bytes() == theirs.read_bytes(), (workers, name)
    values = pl.read_csv(tmp_path / "ray" / "estimates.csv").filter(pl.col("metric") == "accuracy")["value"]
    assert values.n_unique() > 1  # answers that never differ would prove nothing
    attempts = pl.concat(pl.read_parquet(part) for part in (tmp_path / "ray" / "responses").glob("part-*"))["attempt"]
    assert attempts.max() == 2
