"""Speed of rewriting by rules: seconds per 1,000 characters of a report, under all forms, with verdicts and the marks.

The reports are composed of the sentences of ``tests/editing/reports.py``, no two of them the same. About the same
figure in every row of a kind means that time grows as the length does.

    python -m benchmarks.rewriting
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    # Run by its path, the folder of this file stands first, and the tests' reports are not found.
    sys.path[0] = str(ROOT)

LENGTHS = (1_000, 5_000, 20_000)
RUNS = 3


def texts(length: int, run: int = 0) -> dict[str, str]:
    """A report of so many characters in sentences, in one sentence, and as a numbered list; of each run its own."""
    from tests.editing.reports import composed

    sentences = [each for findings, _ in composed(length // 100) for each in findings.split(". ")]
    told = [f"{each.rstrip('.')} on view {run} {number}" for number, each in enumerate(sentences)]
    return {
        "sentences": ". ".join(told)[:length],
        "one sentence": ", ".join(told)[:length],
        "a list": "\n".join(f"{number}. {each}." for number, each in enumerate(told, start=1))[:length],
    }


def measured(text: str) -> tuple[float, float, float]:
    """Processor seconds of rules, verdicts and marks under all forms."""
    from perimetry.editing.references import ReportText
    from perimetry.editing.references.accounting import judge
    from perimetry.editing.references.marking import difference_marks
    from perimetry.editing.references.rules import RULES, rewrite_by_rules

    report = ReportText(text, "No acute disease.")
    spent = [0.0, 0.0, 0.0]
    for target in RULES:
        start = time.process_time()
        made = rewrite_by_rules(report, target)
        spent[0] += time.process_time() - start
        if isinstance(made, ReportText):
            start = time.process_time()
            judge(report, made, target)
            spent[1] += time.process_time() - start
            start = time.process_time()
            difference_marks(report.findings, made.findings)
            spent[2] += time.process_time() - start
    return spent[0], spent[1], spent[2]


def main() -> None:
    """Print one line a kind and length."""
    measured("Small left effusion. The heart is normal.")  # opens the lexicons
    for length in LENGTHS:
        runs = [texts(length, run) for run in range(RUNS)]
        for kind, text in runs[0].items():
            rules, verdicts, marks = min((measured(each[kind]) for each in runs), key=sum)
            thousands = len(text) / 1000
            print(
                f"{kind}, {len(text):,} characters: {(rules + verdicts + marks) / thousands:.3f} s per 1,000 "
                f"(rules {rules / thousands:.3f}, verdicts {verdicts / thousands:.3f}, marks {marks / thousands:.3f})"
            )


if __name__ == "__main__":
    main()
