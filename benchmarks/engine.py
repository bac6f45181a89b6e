"""What the engine costs: requests a second with their journal, resumption, memory, and the same run in Inspect AI.

Run from the repository's root, either way::

    python -m benchmarks.engine [--large 400000] [--requests 1000] [--inspect-python PATH]
    python benchmarks/engine.py --only audit

``batch`` asks the bare engine; ``audit`` a whole `perimetry.audit` of LARGE trials: a quarter as many multiple-choice
questions under four conditions, answered by a reader in this process; ``endpoint`` a loopback server.

Each measurement runs in a process of its own; peak memory is that process's. The endpoint is a loopback server in a
further process. Inspect AI is measured where ``--inspect-python`` (or ``PERIMETRY_INSPECT_PYTHON``) names an
interpreter that has inspect_ai, openai, numpy and pillow.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import polars as pl  # noqa: E402 - see above

from perimetry.inference import RequestPlan, RequestStore, Settings, ask  # noqa: E402
from perimetry.models.model import BatchModel  # noqa: E402
from perimetry.models.request import ImagePart, Prompt, Request, Response, TextPart, Usage  # noqa: E402

SIDE, FILES = 512, 24
CONDITIONS = ("real", "blank", "shuffle", "noimage")


class OneLetter(BatchModel):
    """Answers at once, so that what is measured is the engine."""

    @property
    def name(self) -> str:
        """Of the table."""
        return "benchmark:one-letter"

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """One letter each."""
        for request in requests:
            yield Response(request.id, "A", None, "stop", Usage(120, 1), "", 0.001)


@dataclass(frozen=True)
class Bare:
    """Builds requests without images."""

    ids: pl.Series

    def __call__(self, index: int) -> Request:
        """Build request `index`."""
        return Request(self.ids[index], "case", "set", "real", 0, index, Prompt((TextPart("Which one?"),)))


@dataclass(frozen=True)
class Pictured:
    """Builds requests with an image, as it is or shuffled anew for each request."""

    ids: pl.Series
    files: tuple[str, ...]
    shuffle: bool

    def __call__(self, index: int) -> Request:
        """Build request `index`; its image stays lazy."""
        from perimetry.cases.image import Image
        from perimetry.cases.sources.file import FileSource
        from perimetry.conditions.pixels.shuffle import Shuffle

        image = Image(FileSource(self.files[index % len(self.files)]))
        if self.shuffle:
            image = image.with_operations(Shuffle(seed=index))
        text = TextPart(f"Question {index}: is there an effusion? Answer yes or no.")
        return Request(self.ids[index], str(index), "set", "real", 0, 0, Prompt((ImagePart(image), text)))


def request_ids(count: int) -> pl.Series:
    digests = (hashlib.blake2b(index.to_bytes(8, "little"), digest_size=16).hexdigest() for index in range(count))
    return pl.Series("request_id", digests, dtype=pl.String)


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_batch(folder: Path, count: int, workers: int) -> dict[str, float]:
    ids = request_ids(count)
    before = memory()
    began, spent = time.perf_counter(), time.process_time()
    summary = ask(OneLetter(), RequestPlan(ids, Bare(ids)), RequestStore(folder), Settings(workers=workers))
    seconds = time.perf_counter() - began
    cpu = time.process_time() - spent
    return {"answered": summary.answered, "seconds": seconds, "cpu": cpu, "rss_mb": memory(), "before_mb": before}


def measure_resume(folder: Path, count: int) -> dict[str, float]:
    ids = request_ids(count)
    before = memory()
    began = time.perf_counter()
    summary = ask(OneLetter(), RequestPlan(ids, Bare(ids)), RequestStore(folder))
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    rows = sum(len(batch) for batch in RequestStore(folder).batches("benchmark:one-letter"))
    read = time.perf_counter() - began
    return {
        "stored": summary.stored, "seconds": seconds, "rows": rows, "read": read, "rss_mb": memory(),
        "before_mb": before,
    }  # fmt: skip


def write_questions(folder: Path, count: int) -> Path:
    """A table of multiple-choice questions, two a group, over eight tiny images."""
    import numpy as np

    from perimetry.cases.png import encode_png

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(8):
        pixels = np.random.default_rng(number).integers(0, 256, (16, 16), dtype=np.uint8)
        (folder / f"{number}.png").write_bytes(encode_png(pixels))
    options = ["effusion", "pneumothorax", "consolidation", "oedema"]
    table = folder / "questions.jsonl"
    with table.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = {
                "id": f"q{number}", "group": f"g{number // 2}", "stem": f"Question {number}: what is shown?",
                "options": options, "answer": "ABCD"[number * 7 % 4], "images": [f"{number % 8}.png"],
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")
    return table


def measure_audit(folder: Path, count: int) -> dict[str, float]:
    """A whole audit; a second invocation of the same command asks nothing."""
    import perimetry

    table = write_questions(folder / "data", count // len(CONDITIONS))
    began, spent = time.perf_counter(), time.process_time()
    result = perimetry.audit(data=f"table:{table}", models="reader:constant", out=folder / "run", conditions=CONDITIONS)
    seconds, cpu = time.perf_counter() - began, time.process_time() - spent
    asking = result.summaries[0]
    return {"answered": asking.answered, "stored": asking.stored, "asking": asking.seconds, "seconds": seconds,
            "cpu": cpu, "rss_mb": memory()}  # fmt: skip


def measure_plan(folder: Path) -> dict[str, float]:
    """What a further invocation does before it would ask: cases, plan with its file, requests, what is missing."""
    from perimetry.protocols.registry import find_protocol
    from perimetry.runs.folder import RunFolder
    from perimetry.runs.preparation import load_case_sets, prepare

    run = RunFolder(folder / "run")
    asked = run.read_asked()
    design = find_protocol(asked.protocol).design
    marks, busy = [time.perf_counter()], [time.process_time()]

    def mark() -> None:
        marks.append(time.perf_counter())
        busy.append(time.process_time())

    case_sets = load_case_sets(asked)
    mark()
    preparation = prepare(asked, case_sets, design, run)
    run.write_table("plan", preparation.plan.table(["reader:constant"]))
    mark()
    plan = preparation.requests()
    missing = RequestStore(run.path / "responses").missing("reader:constant", plan.ids)
    mark()
    load, lay, check = (after - before for before, after in pairwise(marks))
    return {"trials": preparation.plan.trials.height, "missing": len(missing), "load": load, "plan": lay,
            "check": check, "cpu": busy[3] - busy[1], "load_cpu": busy[1] - busy[0], "rss_mb": memory()}  # fmt: skip


def measure_endpoint(folder: Path, url: str, images: Path, count: int, concurrency: int, mode: str) -> dict[str, float]:
    import openai  # noqa: F401  its import takes a second and is no part of the rate, as on the other side

    from perimetry.models.openai_endpoint import OpenAIEndpoint, read_target
    from perimetry.models.registry import ModelContext

    served, address = read_target(f"loopback@{url}", "openai:NAME@URL")
    model = OpenAIEndpoint(served, address, ModelContext(concurrency=concurrency))
    ids = request_ids(count)
    files = tuple(str(path) for path in sorted(images.glob("*.png")))
    plan = RequestPlan(ids, Pictured(ids, files, mode == "shuffle"))
    began, spent = time.perf_counter(), time.process_time()
    summary = ask(model, plan, RequestStore(folder))
    seconds, cpu = time.perf_counter() - began, time.process_time() - spent
    return {"answered": summary.answered, "seconds": seconds, "cpu": cpu, "rss_mb": memory()}


def draw_images(folder: Path) -> None:
    """Grey 512 x 512 images with the smoothness of a radiograph, so that they compress about as well as one."""
    import numpy as np
    from PIL import Image

    folder.mkdir()
    for number in range(FILES):
        noise = np.random.default_rng(number).normal(size=(SIDE, SIDE))
        smooth = np.cumsum(np.cumsum(noise, axis=0), axis=1)
        smooth = (smooth - smooth.min()) / np.ptp(smooth) * 250 + np.abs(noise)
        Image.fromarray(smooth.astype(np.uint8)).save(folder / f"{number:03d}.png")


def ours(*arguments: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.engine", "--measure", *(str(argument) for argument in arguments)]
    return dict(json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout))


def theirs(python: str, *arguments: object) -> dict[str, Any]:
    script = Path(__file__).with_name("inspect_side.py")
    command = [python, str(script), *(str(argument) for argument in arguments)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"Inspect AI's side failed:\n{run.stderr[-3000:]}")
    return dict(json.loads(run.stdout.splitlines()[-1]))


def measure(arguments: list[str]) -> None:
    kind, folder, *rest = arguments
    if kind == "batch":
        result = measure_batch(Path(folder), int(rest[0]), int(rest[1]))
    elif kind == "resume":
        result = measure_resume(Path(folder), int(rest[0]))
    elif kind == "audit":
        result = measure_audit(Path(folder), int(rest[0]))
    elif kind == "plan":
        result = measure_plan(Path(folder))
    else:
        url, images, count, concurrency, mode = rest
        result = measure_endpoint(Path(folder), url, Path(images), int(count), int(concurrency), mode)
    print(json.dumps(result))


def report_audit(folder: Path, trials: int, rounds: int) -> None:
    first = ours("audit", folder, trials)
    print(
        f"\naudit of {trials:,} trials: {first['answered']:,} answered at {first['answered'] / first['asking']:,.0f} "
        f"requests/s; {first['seconds']:.1f} s in all ({first['cpu']:.1f} s CPU), peak {first['rss_mb']:.0f} MB"
    )
    again = ours("audit", folder, trials)
    asking = first["cpu"] - again["cpu"]
    print(
        f"the same command again: {again['stored']:,} found finished, {again['answered']:,} asked, "
        f"{again['seconds']:.1f} s in all with analysis and page ({again['cpu']:.1f} s CPU), "
        f"peak {again['rss_mb']:.0f} MB;\n"
        f"the asking cost {asking:.1f} s CPU: {first['answered'] / asking:,.0f} requests a CPU second"
    )
    plans = [ours("plan", folder) for _ in range(rounds)]
    best = min(plans, key=lambda run: float(run["plan"] + run["check"]))
    print(
        f"plan plus resume check of {best['trials']:,} finished trials: {best['plan'] + best['check']:.2f} s "
        f"({best['cpu']:.2f} s CPU; plan and its file {best['plan']:.2f} s, resume check {best['check']:.2f} s); "
        f"reading the questions before it {best['load']:.2f} s ({best['load_cpu']:.2f} s CPU)"
    )


def report_endpoint(folder: Path, options: argparse.Namespace) -> None:
    from tests.models.loopback import LoopbackServer

    images = folder / "images"
    draw_images(images)
    for mode, label in (("file", "image files on disk"), ("shuffle", "512 x 512 shuffle rendered per request")):
        rounds: dict[str, list[dict[str, Any]]] = {"perimetry": [], "inspect_ai": []}
        for turn in range(options.rounds):
            with LoopbackServer("yes", process=True, record="count") as server:
                place = folder / f"ours-{mode}-{turn}"
                common = (server.url, images, options.requests, options.concurrency, mode)
                rounds["perimetry"].append(ours("endpoint", place, *common))
                if options.inspect_python:
                    rounds["inspect_ai"].append(theirs(options.inspect_python, *common, folder / f"logs-{mode}-{turn}"))
        print(f"\nendpoint, {label}; {options.requests} requests, {options.concurrency} in flight")
        best = {name: min(runs, key=lambda run: float(run["seconds"])) for name, runs in rounds.items() if runs}
        for name, run in best.items():
            rate, cpu = run["answered"] / run["seconds"], 1000 * run["cpu"] / run["answered"]
            print(f"  {name:12} {rate:8.1f} requests/s  {cpu:7.2f} ms CPU a request  {run['rss_mb']:6.0f} MB")
        if len(best) == 2:
            mine, other = best["perimetry"], best["inspect_ai"]
            by_time, by_cpu = other["seconds"] / mine["seconds"], other["cpu"] / mine["cpu"]
            print(f"  ratio        {by_time:8.1f} by time     {by_cpu:7.1f} by CPU")


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description="Measure the engine.")
    parser.add_argument("--large", type=int, default=400_000, help="requests of the large run")
    parser.add_argument("--requests", type=int, default=1000, help="requests of each endpoint run")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind; the fastest counts")
    parser.add_argument("--inspect-python", default=os.environ.get("PERIMETRY_INSPECT_PYTHON", ""))
    parser.add_argument("--only", choices=["batch", "audit", "endpoint"], default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if options.only in (None, "batch"):
            for workers in (1, 2):
                place = folder / f"batch-{workers}"
                result = ours("batch", place, options.large, workers)
                print(
                    f"model in process, {workers} worker(s): {result['answered']:,} one-letter answers, "
                    f"{result['answered'] / result['seconds']:,.0f} requests/s, peak {result['rss_mb']:.0f} MB "
                    f"({result['before_mb']:.0f} MB before)"
                )
            result = ours("resume", folder / "batch-1", options.large)
            print(
                f"resumed: {result['stored']:,} found finished in {result['seconds']:.2f} s, "
                f"{result['rows']:,} rows read in {result['read']:.2f} s, peak {result['rss_mb']:.0f} MB "
                f"({result['before_mb']:.0f} MB before)"
            )
        if options.only in (None, "audit"):
            report_audit(folder / "audit", options.large, options.rounds)
        if options.only in (None, "endpoint"):
            report_endpoint(folder, options)
        print(f"load average after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
