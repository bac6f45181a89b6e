"""How far the rule verifier can be trusted: planted errors caught, and what is turned down that says the same.

    python -m benchmarks.verifier iu_xray [--each 1000]

Errors are planted by ``tests/editing/corruptions.py``, which shares no word list with the verifier, in the accepted
alternatives of the reports of both splits of IU X-ray (ReXrank's layout) and of composed ones. Of the hundred free
paraphrases nothing but the number of those turned down is shown: they were never tuned on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    # Run by its path, the folder of this file stands first, and the tests are not found.
    sys.path[0] = str(ROOT)

SPLITS = {"test": 7, "validation": 43}
"""Each with the seed of the composed reports that are added to it."""


def measure_split(folder: str, split: str, seed: int, each: int) -> None:
    """Print what is caught of every kind, and what is turned down of alternatives by rules."""
    from tests.editing.corruptions import KINDS
    from tests.editing.references.test_planted_errors import alternatives, caught
    from tests.editing.reports import composed

    from perimetry.cases import load

    cases = load(f"iu-xray:{folder}", split=split).studies
    reports = [(case.sections.get("findings", ""), case.sections.get("impression", "")) for case in cases]
    made = alternatives([*(report for report in reports if report[0]), *composed(300, seed)])
    turned_down = sum(verdict.outcome != "accepted" for *_, verdict in made)
    print(f"{split}: {len(made):,} alternatives by rules, {turned_down:,} turned down ({turned_down / len(made):.2%})")
    found, tried = caught(made, each)
    for kind in KINDS:
        print(f"  {kind}: {found[kind]:,} of {tried[kind]:,} caught ({found[kind] / tried[kind]:.1%})")
    print(f"  all: {found.total():,} of {tried.total():,} ({found.total() / tried.total():.1%})", flush=True)


def measure_paraphrases() -> None:
    """Print how many of the free paraphrases are turned down."""
    from tests.editing.references.test_paraphrases import outcome, rows

    outcomes = [outcome(one, other) for one, other in rows("paraphrases.tsv")]
    lost = len(outcomes) - outcomes.count("accepted")
    print(f"free paraphrases, never tuned on: {lost} of {len(outcomes)} turned down")


def main() -> None:
    """Print a block a split, and the paraphrases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="IU X-ray in ReXrank's layout")
    parser.add_argument("--each", type=int, default=1000, help="errors of a kind, at most")
    wanted = parser.parse_args()
    for split, seed in SPLITS.items():
        measure_split(wanted.folder, split, seed, wanted.each)
    measure_paraphrases()


if __name__ == "__main__":
    main()
