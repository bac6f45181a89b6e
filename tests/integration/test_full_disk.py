"""A disk that is full: one clear error, nothing earlier lost, and the same command goes on later."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys

import pytest
from tests.bad_input import ROOT, arguments, audit, command, every_file, one_error, outcomes, records, write_table
from tests.models.loopback import LoopbackServer

from perimetry.inference import RequestStore

ITEMS = 20
MODEL = "openai:m"
LONG = "Answer: yes. " + "Because of the opacity in the left lower zone. " * 40

# No file of the child may grow beyond a limit: what a full disk or a quota does, without a disk.
LIMITED = """
import resource, signal, sys
from perimetry.cli import main
import altair, openai, polars, perimetry.protocols.audit
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(main(sys.argv[2:]))
"""


def limited(size, given):
    line = [sys.executable, "-c", LIMITED, str(size), *given]
    return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, timeout=120)


def is_one_error(done):
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 1, done.stderr
    assert not done.stdout.strip()
    lines = [line for line in done.stderr.splitlines() if line.startswith("perimetry: error: ")]
    assert len(lines) == 1, done.stderr
    assert "no space left" in lines[0]
    assert "give the same command again" in " ".join(lines[0].split())


def test_no_room_for_answers(tmp_path):
    data, run = write_table(tmp_path, records(ITEMS)), tmp_path / "run"
    with LoopbackServer(LONG) as server:
        given = arguments(data, f"{MODEL}@{server.url}", run, "--concurrency", "2")
        done = limited(40_000, given)
        is_one_error(done)
        kept, asked = len(RequestStore(run / "responses").answered(MODEL)), server.count
        assert 0 < kept < 4 * ITEMS
        ended = command(*given)
        assert ended.code == 0, ended
        assert server.count - asked == 4 * ITEMS - kept, "nothing that was stored is asked again"
    assert outcomes(run)["answered"].all()


def test_no_room_for_the_report_keeps_the_one_before(tmp_path):
    data, run = write_table(tmp_path, records(ITEMS)), tmp_path / "run"
    with LoopbackServer("Answer: yes") as server:
        given = arguments(data, f"{MODEL}@{server.url}", run)
        assert command(*given).code == 0
        before, asked = every_file(run / "report"), server.count
        done = limited(100_000, ["report", str(run)])  # the charts' library alone is larger
        is_one_error(done)
        assert every_file(run / "report") == before
        assert not (run / ".report-new").exists()
        assert server.count == asked


@pytest.mark.parametrize("name", ["run.toml", "plan.parquet", "outcomes.parquet", "estimates.csv", "verdicts.json"])
@pytest.mark.usefixtures("pageless")
def test_no_room_for_one_file(tmp_path, monkeypatch, name):
    """Whichever file it is that finds no room."""
    data, run = write_table(tmp_path, records(4)), tmp_path / "run"
    write = type(tmp_path).write_bytes

    def full(path, content):
        if name in path.name and path.is_relative_to(run):
            write(path, content[:10])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return write(path, content)

    with LoopbackServer("Answer: yes") as server:
        with monkeypatch.context() as patch:
            patch.setattr(type(tmp_path), "write_bytes", full)
            ended = audit(data, f"{MODEL}@{server.url}", run)
        one_error(ended, 1, name, "no space left", "give the same command again")
        assert not [file for file in every_file(run) if ".tmp" in file]
        again = audit(data, f"{MODEL}@{server.url}", run)
        assert (again.code, server.count) == (0, 16)


def can_mount(folder):
    return (
        os.geteuid() == 0
        and shutil.which("mount")
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)], capture_output=True
        ).returncode
        == 0
    )


def test_a_real_full_file_system(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if not can_mount(small):
        pytest.skip("mounting a small file system takes root")
    try:
        data = write_table(tmp_path, records(ITEMS))
        with LoopbackServer(LONG * 5) as server:
            given = [data, f"{MODEL}@{server.url}", small / "run", "--concurrency", "1"]
            ended = audit(*given)
            one_error(ended, 1, "no space left", "give the same command again")
            kept, asked = len(RequestStore(small / "run" / "responses").answered(MODEL)), server.count
            assert 0 < kept < 4 * ITEMS
            subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
            assert audit(*given).code == 0
            assert server.count - asked == 4 * ITEMS - kept
            subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
            one_error(audit(*given), 1, "cannot be written", "Read-only file system")
    finally:
        subprocess.run(["umount", str(small)], check=True)
