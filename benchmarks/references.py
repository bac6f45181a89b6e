"""The reference audit at the size of its paper: seconds and memory of rewriting and of the audit.

    python -m benchmarks.references [--sets 4] [--studies 600] [--systems 9] [--metrics LIST] [--resamples 10000]

Reports are composed of the sentences of ``tests/editing/reports.py``; a system leaves out, adds and moves sentences,
each in its own measure. Rewriting by rules and the audit (planted errors, estimates, tables and the page) are timed in
processes of their own. No public tool does either, so these are figures of Perimetry alone.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def write_set(path: Path, studies: int, systems: int, seed: int) -> None:
    """A table of references and the reports of all systems."""
    sys.path.insert(0, str(ROOT))
    from tests.editing.reports import composed

    draw = random.Random(seed)
    reports = composed(studies, seed)
    with path.open("w", encoding="utf-8") as file:
        for number, (findings, impression) in enumerate(reports):
            row = {"id": f"{seed}-{number}", "findings": findings, "impression": impression}
            for place in range(systems):
                said = [each for each in findings.split(". ") if draw.random() > 0.1 + 0.06 * place]
                said += draw.choice(reports)[0].split(". ")[: 1 + place % 3]
                draw.shuffle(said)
                row[f"system_{place + 1}"] = ". ".join(each.rstrip(".") for each in said) + "."
            file.write(json.dumps(row) + "\n")


def run(*arguments: str) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and megabytes of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    watched = (
        "import resource, sys; from perimetry.cli import main; code = main(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", watched, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, spent, int(ended.stderr.split()[-1]) / 1024


def main() -> None:
    """Print a line a step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=4)
    parser.add_argument("--studies", type=int, default=600)
    parser.add_argument("--systems", type=int, default=9)
    parser.add_argument("--metrics", default="bleu_4,rouge_l,f1_rules")
    parser.add_argument("--resamples", type=int, default=10_000)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        given: list[str] = []
        for number in range(1, wanted.sets + 1):
            table, out = folder / f"set{number}.jsonl", folder / f"rewritten{number}"
            write_set(table, wanted.studies, wanted.systems, number)
            data = f"table:{table},name=set{number}"
            wall, spent, peak = run("rewrite", "--data", data, "--axes", "all", "--out", str(out))
            print(
                f"rewrite, {wanted.studies} reports: {wall:.1f} s, {spent:.1f} s of CPU, peak {peak:.0f} MB", flush=True
            )
            columns = ",".join(f"system_{place + 1}" for place in range(wanted.systems))
            given += ["--data", data, "--alternatives", str(out), "--systems", f"{table}:{columns}"]
        wall, spent, peak = run(
            *("audit", "references", *given, "--metrics", wanted.metrics),
            *("--resamples", str(wanted.resamples), "--out", str(folder / "run")),
        )
        print(
            f"audit, {wanted.systems} systems on {wanted.sets} sets of {wanted.studies}, {wanted.metrics}, "
            f"{wanted.resamples:,} resamples: {wall:.1f} s, {spent:.1f} s of CPU, peak {peak:.0f} MB"
        )


if __name__ == "__main__":
    main()
