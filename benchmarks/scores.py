"""Seconds that `perimetry score` needs after scoring: everything that it estimates, at once.

Nine metrics (eight means and one F1 over fourteen classes) of two systems on 3,000 reports, 10,000 resamples: each
system, each class, the paired differences of all of them with P(> 0) and p, and the ranks.

    python -m benchmarks.scores
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above

from perimetry.protocols.score.estimates import estimate  # noqa: E402
from perimetry.protocols.score.reports import Reports  # noqa: E402
from perimetry.protocols.score.scored import NamedMetric, Scored  # noqa: E402
from perimetry.scoring.labels.f1 import LabelF1, label_f1  # noqa: E402
from perimetry.scoring.labels.table import LabelTable  # noqa: E402
from perimetry.scoring.metric import MetricInfo  # noqa: E402
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table  # noqa: E402

REPORTS = 3000
SYSTEMS = ("first", "second")


class Drawn(ReportMetric):
    """A mean; its values are made up."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def info(self) -> MetricInfo:
        """Its declaration."""
        return MetricInfo(self._name, "drawn/1", "higher", 0.0, 1.0, "Made up.", "perimetry")

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Nobody calls it."""
        raise NotImplementedError


class DrawnLabels(LabelF1):
    """An F1; its labels are made up."""

    @property
    def info(self) -> MetricInfo:
        """Its declaration."""
        return MetricInfo("labels", "drawn/1", "higher", 0.0, 1.0, "Made up.", "perimetry")

    def label(self, texts: Sequence[str]) -> LabelTable:
        """Nobody calls it."""
        raise NotImplementedError


def made_scores(seed: int = 0) -> Scored:
    """Two systems' scores, as if every metric had been run."""
    draw = np.random.default_rng(seed)
    ids = tuple(f"report{row:05d}" for row in range(REPORTS))
    reports = Reports("made", ids, ids, ("",) * REPORTS, dict.fromkeys(SYSTEMS, ("",) * REPORTS))
    metrics = [NamedMetric(f"mean_{number}", Drawn(f"mean_{number}")) for number in range(8)]
    tables = {
        named.label: {system: mean_table(draw.random(REPORTS), ("",) * REPORTS) for system in SYSTEMS}
        for named in metrics
    }

    def labels() -> LabelTable:
        return LabelTable((draw.random((REPORTS, 14)) < 0.15).astype(np.int8), ("",) * REPORTS)

    meant = labels()
    tables["labels"] = {system: label_f1(labels(), meant) for system in SYSTEMS}
    return Scored(reports, (*metrics, NamedMetric("labels", DrawnLabels())), tables)


def main() -> None:
    """Print the best of three runs."""
    scored = made_scores()
    runs = []
    found = estimate(scored, resamples=100)
    for _ in range(3):
        start, busy = time.perf_counter(), time.process_time()
        found = estimate(scored)
        runs.append((time.perf_counter() - start, time.process_time() - busy))
    wall, busy = min(runs)
    print(f"{len(found.estimates)} estimates, {len(found.rankings)} rankings: {wall:.2f} s ({busy:.2f} s of processor)")


if __name__ == "__main__":
    main()
