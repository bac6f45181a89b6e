from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from perimetry.cases.errors import UsageError
from perimetry.inference import RunLock

HOLD = """
import sys
from pathlib import Path
from perimetry.inference.lock import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_told_who_writes_and_a_dead_one_is_followed(tmp_path: Path):
    process = holder(tmp_path)
    try:
        with pytest.raises(UsageError) as caught, RunLock(tmp_path):
            pass
        assert f"process {process.pid} on {socket.gethostname()} since 20" in str(caught.value)
        assert str(tmp_path / ".lock") in str(caught.value)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert json.loads((tmp_path / ".lock").read_text())["pid"] == process.pid  # it had no time to tidy up
    with RunLock(tmp_path):
        assert json.loads((tmp_path / ".lock").read_text())["pid"] == os.getpid()
    assert (tmp_path / ".lock").read_text() == ""


def test_a_holder_that_ends_in_order_gives_way(tmp_path: Path):
    process = holder(tmp_path)
    process.communicate("")
    with RunLock(tmp_path), pytest.raises(UsageError), RunLock(tmp_path):
        pass
    with RunLock(tmp_path):
        pass


def test_a_lock_is_let_go_when_its_block_raises(tmp_path: Path):
    with pytest.raises(ZeroDivisionError), RunLock(tmp_path / "new" / "run"):
        raise ZeroDivisionError
    with RunLock(tmp_path / "new" / "run"):
        pass


def no_flock(descriptor: int, operation: int) -> None:
    raise OSError(38, "Function not implemented")


def test_without_flock_the_file_s_content_decides(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("perimetry.inference.lock.fcntl.flock", no_flock)
    path = tmp_path / ".lock"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = socket.gethostname()
    for pid, host, free in (
        (gone.pid, here, True),
        (os.getpid(), here, False),
        (1, here, False),
        (gone.pid, "elsewhere", False),
    ):
        path.write_text(json.dumps({"pid": pid, "host": host, "since": "2026-01-01 00:00:00"}))
        if free:
            with RunLock(tmp_path):
                pass
        else:
            with pytest.raises(UsageError, match=f"process {pid} on {host}"), RunLock(tmp_path):
                pass
    for rubbish in ("", "{", "[]", '{"pid": "x", "host": 1, "since": 2}'):
        path.write_text(rubbish)
        with RunLock(tmp_path):
            pass
