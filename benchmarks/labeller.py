"""Speed of the rule labeller and of f1_rules: reports a second on one core, no text labelled twice.

The reports are the 382 references and the outputs of a language model in ``iu_generated`` (set PERIMETRY_DATA), told
apart by a number at the end so that none is the same text again.

    python -m benchmarks.labeller
"""

from __future__ import annotations

import json
import os
import statistics
import time
from pathlib import Path

REPORTS = 3_000
RUNS = 5


def texts(count: int = REPORTS) -> list[str]:
    """So many reports, all different."""
    root = Path(os.environ.get("PERIMETRY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    lines = (root / "iu_generated" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    known = [json.loads(line)[column] for line in lines for column in ("reference", "llm_sft_beam3")]
    return [f"{known[row % len(known)]} {row} ." for row in range(count)]


def main() -> None:
    """Print one line a measurement."""
    from perimetry.scoring.labels import RuleLabeller, RulesF1

    start = time.process_time()
    labeller = RuleLabeller()
    labeller.read("Lungs are clear.")
    print(f"first report (opens the lexicon): {1e3 * (time.process_time() - start):.0f} ms")
    reports = texts()
    words = statistics.mean(len(text.split()) for text in reports)
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        for text in reports:
            labeller.read(text)
        seconds.append(time.process_time() - start)
    print(
        f"read: {REPORTS / min(seconds):,.0f} reports/s of {words:.0f} words (best of {RUNS}, processor time, one core)"
    )
    metric = RulesF1()
    pairs = reports[: REPORTS // 2], reports[REPORTS // 2 :]
    start = time.process_time()
    metric.score(*pairs)
    taken = time.process_time() - start
    print(f"f1_rules: {REPORTS / 2 / taken:,.0f} pairs/s, {REPORTS / taken:,.0f} reports/s")


if __name__ == "__main__":
    main()
