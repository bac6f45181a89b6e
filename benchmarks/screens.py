"""What `perimetry screen` costs: time and memory of every text screen, from the table to the page.

Run from the repository's root, either way::

    python -m benchmarks.screens [--items 100000] [--medxpertqa FOLDER]
    python benchmarks/screens.py

Made items have five options and stems of 20 to 60 words, drawn from 12,000 made words as often as words are in
texts (the n-th in proportion to 1/n), with a cue planted in a tenth of them. MedXpertQA-MM is measured where its
folder is given.
Every measurement runs in a process of its own. Nothing is measured beside it: no public tool that does this is known.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above

WORDS, OPTIONS = 12_000, 5
SYLLABLES = ("ba", "cor", "den", "fis", "gly", "hem", "lo", "men", "neu", "os", "pul", "ra", "sten", "tor", "ur", "vas")

CLIENT = """
import json, resource, sys, time
from perimetry.screening import screen

spec, out = sys.argv[1:]
began, cpu = time.perf_counter(), time.process_time()
result = screen([spec], out=out)
print(json.dumps({
    "items": sum(one.denominators.items for one in result.screenings),
    "screens": len(result.screenings[0].screens),
    "candidates": sum(one.candidates.height for one in result.screenings),
    "seconds": time.perf_counter() - began,
    "cpu": time.process_time() - cpu,
    "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def write_items(path: Path, count: int, seed: int = 0) -> Path:
    """A table of made items."""
    draw = np.random.default_rng(seed)
    words = np.array(["".join(draw.choice(SYLLABLES, draw.integers(2, 5))) for _ in range(WORDS)])
    weights = 1 / np.arange(1, WORDS + 1)
    weights /= weights.sum()
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            lengths = [int(draw.integers(20, 60)), *draw.integers(1, 7, OPTIONS).tolist()]
            drawn = iter(words[draw.choice(WORDS, sum(lengths), p=weights)].tolist())
            stem, *options = (" ".join(next(drawn) for _ in range(length)) for length in lengths)
            key = int(draw.integers(OPTIONS))
            if number % 10 == 0:
                options[key] += " (most specific, and longer than the others are)"
            row = {
                "id": f"item{number:06d}",
                "question": f"A {20 + number % 70}-year-old man: {stem}. What is most likely?",
                "options": options,
                "answer": "ABCDE"[key],
            }
            file.write(json.dumps(row) + "\n")
    return path


def measure(name: str, spec: str) -> None:
    """Screen in a process of its own and print what it cost."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", CLIENT, spec, str(Path(folder, "out"))]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        written = sum(path.stat().st_size for path in Path(folder, "out").rglob("*") if path.is_file()) / 1e6
    told = json.loads(done.stdout)
    print(
        f"{name}: {told['items']:,} items, {told['screens']} screens, {told['candidates']:,} candidates: "
        f"{told['seconds']:.1f} s ({told['cpu']:.1f} s CPU, {told['items'] / told['cpu']:,.0f} items a CPU second), "
        f"peak {told['rss_mb']:,.0f} MB, {written:.0f} MB written"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--medxpertqa", type=Path, help="folder of MedXpertQA-MM")
    given = parser.parse_args()
    if given.medxpertqa is not None:
        measure("MedXpertQA-MM", f"medxpertqa-mm:{given.medxpertqa.resolve()}")
    with tempfile.TemporaryDirectory() as folder:
        for count in sorted({max(1, given.items // 10), given.items}):
            measure("made", f"table:{write_items(Path(folder, f'{count}.jsonl'), count)}")


if __name__ == "__main__":
    main()
