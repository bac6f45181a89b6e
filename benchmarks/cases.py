"""What loading and encoding cost: ``python benchmarks/cases.py [--images FOLDER]``.

Loads a table of 100,000 questions in a process of its own (processor seconds, resident memory), and writes PNGs beside
Pillow's fastest compressing level in the same run: processor milliseconds, bytes and their ratios. Without ``--images``
the pictures are drawn here; with it, radiographs of a folder are measured too.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above
from PIL import Image as PillowImage  # noqa: E402

from perimetry.cases.image import Pixels  # noqa: E402
from perimetry.cases.png import encode_png  # noqa: E402

ROWS = 100_000
REPEATS = 5
CHILD = """
import resource, sys, time
from perimetry.cases import load
start = time.process_time()
loaded = load(sys.argv[1])
took = time.process_time() - start
start = time.process_time()
digests = {case.digest for case in loaded.cases}
digested = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{len(loaded.cases):,} cases: load {took:.1f} s, digests {digested:.1f} s, peak {peak:.0f} MB")
"""


def measure_load() -> None:
    """Load one table of each format in a fresh process."""
    draw = random.Random(0)
    rows = [
        {
            "id": f"q{n}",
            "question": f"Is there evidence of finding {n % 977} in the left lower lobe on this radiograph?",
            "answer": draw.choice(["yes", "no"]),
            "image": f"image{n // 4}.png",
            "topic": "chest",
        }
        for n in range(ROWS)
    ]
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        frame = pl.DataFrame(rows)
        frame.write_csv(Path(folder, "rows.csv"))
        frame.write_parquet(Path(folder, "rows.parquet"))
        Path(folder, "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
        for suffix in ("jsonl", "csv", "parquet"):
            command = [sys.executable, "-c", CHILD, f"table:{folder}/rows.{suffix}"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(f"{suffix:8} {done.stdout.strip()}")


def best_of(call: Callable[[], bytes]) -> tuple[float, bytes]:
    """Milliseconds of the fastest of several calls, and what it returned."""
    times, result = [], b""
    for _ in range(REPEATS):
        start = time.thread_time()
        result = call()
        times.append((time.thread_time() - start) * 1000)
    return min(times), result


def pillow_png(pixels: Pixels) -> bytes:
    """Pillow's writer at its fastest compressing level."""
    buffer = io.BytesIO()
    PillowImage.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def measure_png(name: str, pictures: list[Pixels]) -> None:
    """One line: both writers over the same pictures."""
    ours = [best_of(partial(encode_png, pixels, grey_if_equal=True)) for pixels in pictures]
    pillow = [best_of(partial(pillow_png, pixels)) for pixels in pictures]
    times = [sum(each[0] for each in side) / len(pictures) for side in (ours, pillow)]
    sizes = [sum(len(each[1]) for each in side) for side in (ours, pillow)]
    print(
        f"{name:28} {times[0]:6.1f} ms, Pillow {times[1]:6.1f} ms: {times[1] / times[0]:4.1f} times as fast, "
        f"{sizes[0] / sizes[1]:.3f} of the bytes"
    )


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, help="folder of radiographs to measure too")
    folder = parser.parse_args().images
    measure_load()
    draw = np.random.default_rng(0)
    noise = draw.integers(0, 256, (512, 512, 3), dtype=np.uint8)
    measure_png("noise, 512x512 RGB", [noise])
    measure_png("noise, 512x512 grey", [noise[..., 0].copy()])
    measure_png("blank, 1024x1024 grey", [np.full((1024, 1024), 127, np.uint8)])
    if folder is None:
        return
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in (".png", ".jpg", ".jpeg"))[:22]
    grey = [np.asarray(PillowImage.open(file).convert("L")) for file in files]
    measure_png(f"{len(files)} radiographs, grey", grey)
    measure_png("the same, shuffled", [draw.permutation(pixels.ravel()).reshape(pixels.shape) for pixels in grey])
    colour = [np.asarray(PillowImage.open(file).convert("RGB").resize((512, 512))) for file in files]
    measure_png("the same, 512x512 RGB", colour)
    shuffled = [draw.permutation(pixels.reshape(-1, 3)).reshape(pixels.shape) for pixels in colour]
    measure_png("512x512 RGB shuffled", shuffled)


if __name__ == "__main__":
    main()
