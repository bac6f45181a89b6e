"""What a full occlusion audit of phantoms costs: requests, time, memory; killed once on the way and gone on with.

Run from the repository's root, either way::

    python -m benchmarks.occlusion [--studies 600] [--workers 2] [--no-kill]
    python benchmarks/occlusion.py

All thirteen classes, four region conditions at six strengths, studies without each class, three readers. The audit runs
in a process of its own; a fifth of the way through its requests it is killed (SIGKILL) and the same
command given again.
Peak memory is that of the auditing process, and that of the largest of its children.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

READERS = ("grounded", "contextual", "blind")

CLIENT = """
import json, resource, sys, time
import perimetry
from perimetry.inference import Settings

data, out, workers, images, *models = sys.argv[1:]
began = time.perf_counter()
result = perimetry.audit(
    "occlusion", data=data, models=models, out=out, settings=Settings(workers=int(workers)), min_images=images
)
peak = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "stored": sum(one.stored for one in result.summaries),
    "answered": sum(one.answered for one in result.summaries),
    "pending": result.run.pending,
    "verdicts": {name: entry["verdict"] for name, entry in result.run.verdicts.items()},
    "rss_mb": peak[0], "rss_children_mb": peak[1],
}))
"""


def started(data: str, out: Path, workers: int, images: int) -> subprocess.Popen[str]:
    """The audit in a process group of its own."""
    models = [f"reader:{name}" for name in READERS]
    arguments = [sys.executable, "-c", CLIENT, data, str(out), str(workers), str(images), *models]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True)


def planned(data: str, out: Path, images: int) -> int:
    """The exact number of requests."""
    from perimetry.models import Decoding
    from perimetry.protocols.audit import dry_run
    from perimetry.protocols.occlusion import OCCLUSION
    from perimetry.runs.asked import Asked

    conditions, options = OCCLUSION.options({"min_images": images}, None)
    models = [f"reader:{name}" for name in READERS]
    asked = Asked.of("occlusion", data=data, models=models, conditions=conditions, decoding=Decoding(), options=options)
    return dry_run(OCCLUSION, asked, out).requests


def lines_in(out: Path) -> int:
    """Answers in journals and parts so far."""
    import polars as pl

    folder = out / "responses"
    journals = sum(len(path.read_bytes().splitlines()) for path in folder.rglob("journal-*.jsonl"))
    return journals + sum(
        int(pl.scan_parquet(path).select(pl.len()).collect().item()) for path in folder.rglob("*.parquet")
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-kill", action="store_true")
    given = parser.parse_args()
    images = min(40, max(1, given.studies // 15))  # a small population has few of each class
    data = f"phantom-studies:n={given.studies},cooccurrence=0.8"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        total = planned(data, out, images)
        print(f"{total:,} requests to {len(READERS)} readers", flush=True)
        spent = 0.0
        if not given.no_kill:
            began = time.perf_counter()
            process = started(data, out, given.workers, images)
            while process.poll() is None and (not out.is_dir() or lines_in(out) < total / 5):
                time.sleep(2.0)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            spent = time.perf_counter() - began
            print(f"killed after {spent:.0f} s with {lines_in(out):,} answers", flush=True)
        process = started(data, out, given.workers, images)
        output, _ = process.communicate()
        found = json.loads(output.splitlines()[-1])
    print(json.dumps(found | {"seconds_before_the_kill": round(spent), "load": os.getloadavg()[0]}, indent=2))
    print(f"peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
