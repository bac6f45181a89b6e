"""A real server with a model that knows nothing: everything it proposes is turned down, and the funnel says so."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from tests.editing.helpers import write_reports
from tests.tiny_llava import build_tiny_llava

from perimetry.editing.references import rewrite
from perimetry.models import ModelContext

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build_tiny_llava(tmp_path_factory.mktemp("tiny") / "llava")


@pytest.fixture(scope="module")
def server(folder, tmp_path_factory):
    """Address of ``transformers serve`` on this machine; ended by its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log.txt"
    command = [
        str(Path(sys.executable).parent / "transformers"), "serve", str(folder), "--host", "127.0.0.1",
        "--port", str(port), "--device", "cpu", "--dtype", "float32",
    ]  # fmt: skip
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "HF_HUB_OFFLINE": "1"}
        )
    try:
        deadline = time.monotonic() + 240
        while True:
            assert process.poll() is None, f"the server ended:\n{log.read_text()[-2000:]}"
            assert time.monotonic() < deadline, f"the server did not start:\n{log.read_text()[-2000:]}"
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                    break
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


def test_random_words_are_never_accepted(server, folder, tmp_path):
    spec = f"openai:{folder}@{server}"
    done = rewrite(
        write_reports(tmp_path / "data"),
        out=tmp_path / "out",
        axes=["terminology", "negation:implicit", "structure:structured"],
        rewriter=spec,
        verifier=spec,
        rounds=3,
        tokens=24,
        structured=False,
        options=ModelContext(max_retries=0, timeout=120, concurrency=1),
    )
    assert [each.status for each in done.alternatives] == ["failed"] * 3
    assert done.waiting == 0
    assert all(len(each.edits[0].rounds) == 3 for each in done.alternatives)
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_text())
    assert all(axis["accepted"] == 0 and axis["failed"] == 1 for axis in funnel["axes"])
    assert all(axis["reasons"][0]["reason"] in ("unreadable", "cut_off") for axis in funnel["axes"])
    assert "0 alternatives" in (tmp_path / "out" / "report" / "index.html").read_text()
