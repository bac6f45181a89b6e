"""A kill in the middle of a rewriting: what was answered is kept, and the same command goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

from tests.editing.helpers import REPORT, write_reports
from tests.models.loopback import LoopbackServer, slow

from perimetry.inference import RequestStore

REPORTS = 6


def test_a_kill_asks_nothing_twice_but_what_was_in_flight(tmp_path):
    # Each report differs, so that none shares its requests with another.
    words = ("one", "two", "three", "four", "five", "six")
    data = write_reports(tmp_path / "data", [(f"{REPORT[0]} View {word}.", REPORT[1]) for word in words])
    out = tmp_path / "out"
    with LoopbackServer(slow(0.05, "garbage"), record="texts") as server:
        spec = f"openai:m@{server.url}"
        command = [
            sys.executable, "-m", "perimetry.cli", "rewrite", "--data", data, "--axes", "terminology",
            "--out", str(out), "--rewriter", spec, "--concurrency", "1",
        ]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(6000):
            if server.count > REPORTS + 3 or process.poll() is not None:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        asked = server.count
        kept = len(RequestStore(out / "responses").answered("openai:m"))
        assert REPORTS < kept <= asked <= kept + 1  # in the second round, one in flight at most
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == 1, ended.stderr  # nothing that it says can be used
        assert server.count - asked == 5 * REPORTS - kept
    rows = [json.loads(line) for line in (out / "edits.jsonl").read_text().splitlines()]
    assert [(row["status"], len(row["rounds"])) for row in rows] == [("failed", 5)] * REPORTS
    assert {each["candidates"][0]["raw"] for row in rows for each in row["rounds"]} == {"garbage"}
