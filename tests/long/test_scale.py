"""A whole audit of 400,000 trials within 600 MB, and a second invocation that asks nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from perimetry.cases.png import encode_png

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

QUESTIONS = 100_000
CONDITIONS = ["real", "blank", "shuffle", "noimage"]
MOST_MEGABYTES = 600

AUDIT = """
import json, re, resource, sys
from pathlib import Path

import perimetry

data, out, conditions = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
result = perimetry.audit(data=f"table:{data}", models="reader:constant", out=out, conditions=conditions)
(summary,) = result.summaries
# Not getrusage: its peak begins with that of the process that started this one, here pytest with all it holds.
own = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps({"answered": summary.answered, "stored": summary.stored, "peak": own + children}))
"""


def write_questions(folder: Path) -> Path:
    """Two questions a group; the first option is right for a quarter of them, spread evenly."""
    for number in range(8):
        pixels = np.random.default_rng(number).integers(0, 256, (16, 16), dtype=np.uint8)
        (folder / f"{number}.png").write_bytes(encode_png(pixels))
    table = folder / "questions.jsonl"
    with table.open("w", encoding="utf-8") as file:
        for number in range(QUESTIONS):
            row = {
                "id": f"q{number}",
                "group": f"g{number // 2}",
                "stem": f"Question {number}: what does the radiograph show?",
                "options": ["effusion", "pneumothorax", "consolidation", "oedema"],
                "answer": "ABCD"[number * 7 % 4],
                "images": [f"{number % 8}.png"],
            }
            file.write(json.dumps(row) + "\n")
    return table


def audited(table: Path, out: Path) -> dict[str, float]:
    """Run the audit in a process of its own; the peak is that of the process and of its children together."""
    command = [sys.executable, "-c", AUDIT, str(table), str(out), ",".join(CONDITIONS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_four_hundred_thousand_trials_from_the_table_to_the_page(tmp_path: Path) -> None:
    table, out = write_questions(tmp_path), tmp_path / "run"
    first = audited(table, out)
    assert (first["answered"], first["stored"]) == (QUESTIONS * len(CONDITIONS), 0)
    assert first["peak"] < MOST_MEGABYTES
    estimates = (out / "estimates.csv").read_bytes()

    again = audited(table, out)
    assert (again["answered"], again["stored"]) == (0, QUESTIONS * len(CONDITIONS))
    assert again["peak"] < MOST_MEGABYTES
    assert (out / "estimates.csv").read_bytes() == estimates
    assert (out / "report" / "index.html").stat().st_size > 1000

    outcomes = pl.read_parquet(out / "outcomes.parquet")
    assert outcomes.height == QUESTIONS * len(CONDITIONS)
    assert outcomes["answered"].all()
    assert outcomes["answer"].unique().to_list() == ["A"]
    # What a constant answer must give, known without the program: a quarter right under every condition.
    rows = pl.read_parquet(out / "estimates.parquet").filter(
        (pl.col("metric") == "accuracy") & (pl.col("dataset") == "macro") & (pl.col("stratum") == "all")
        & (pl.col("model") == "reader:constant")
    )  # fmt: skip
    assert sorted(rows["condition"]) == sorted(CONDITIONS)
    assert rows["value"].to_list() == [0.25] * len(CONDITIONS)
    assert rows["n"].to_list() == [QUESTIONS] * len(CONDITIONS)
    assert rows["groups"].to_list() == [QUESTIONS // 2] * len(CONDITIONS)
    # Groups hold one right answer or none: the width of a 95% interval of a mean over 50,000 of them.
    width = 2 * 1.96 * np.sqrt(0.5 * 0.5 / (QUESTIONS // 2)) / 2
    assert np.allclose(rows["ci_high"] - rows["ci_low"], width, rtol=0.05)
