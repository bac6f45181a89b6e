"""A hundred thousand items screened within 1 GB."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from perimetry.statistics.streams import raw_integers

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

ITEMS = 100_000
MOST_MEGABYTES = 1000

SCREEN = """
import json, re, sys
from pathlib import Path

from perimetry.screening import screen

result = screen([f"table:{sys.argv[1]}"], out=sys.argv[2])
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps({"items": result.screenings[0].denominators.items, "peak": peak}))
"""

PARTS = (
    "A 45-year-old Chinese farmer falls from a ladder and lands on his outstretched right hand.",
    "She has a history of hypertension, smokes a pack of cigarettes daily, and lives in a nursing home.",
    "Three weeks after surgery a chest tube is still in place; the temperature is 38.2 and the pulse is 110.",
    "A CT scan with contrast shows the structure that is marked by an arrow.",
)
OPTIONS = (
    ("Left distal radius fracture", "Right distal radius fracture", "Scaphoid fracture", "Lunate dislocation"),
    ("Observation", "Open reduction and internal fixation of the fracture, always", "Splint", "None of the above"),
    ("10 mg", "20 mg", "30 mg", "900 mg"),
)


def write_items(path: Path) -> None:
    """Stems of a few sentences with words of their own, so that the vocabulary grows with the items."""
    draws = raw_integers(42, "screens at scale", size=2 * ITEMS).tolist()
    with path.open("w", encoding="utf-8") as file:
        for number in range(ITEMS):
            draw = draws[2 * number]
            own = " ".join(f"word{(draw >> shift) % 1_000_003}" for shift in range(0, 40, 4))
            stem = f"{PARTS[draw % 4]} {PARTS[draw // 4 % 4]} {own}. What is the likely diagnosis of case {number}?"
            options = list(OPTIONS[draws[2 * number + 1] % 3])
            row = {"id": f"i{number}", "stem": stem, "options": options, "answer": "ABCD"[draw // 16 % 4]}
            file.write(json.dumps(row) + "\n")


def test_a_hundred_thousand_items_stay_within_a_gigabyte(tmp_path):
    table = tmp_path / "items.jsonl"
    write_items(table)
    command = [sys.executable, "-c", SCREEN, str(table), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["items"] == ITEMS
    assert told["peak"] < MOST_MEGABYTES, told
    rows = {row["cue"]: row for row in pl.read_csv(tmp_path / "out" / "prevalence.csv").to_dicts()}
    assert rows["valid"]["items"] == ITEMS
    assert sum(rows[f"key-position-{place}"]["key_has_cue"] for place in range(1, 5)) == ITEMS
    # Keys were drawn without looking at the options: no cue can lean to them beyond chance.
    assert 0.9 < rows["numeric-outlier"]["odds_ratio"] < 1.1
