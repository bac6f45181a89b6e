"""RadGraph F1: how far two reports have the same entities, at three levels of strictness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from perimetry.scoring.cache import Cache
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.radgraph.options import cached_source, read_form, read_source, source_listing
from perimetry.scoring.radgraph.pairs import NO_SOURCE, Pair, read_pairs
from perimetry.scoring.radgraph.sets import Case, Level, elements, overlap, set_f1
from perimetry.scoring.radgraph.source import AnnotationSource
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable

__all__ = ["KINDS", "RadGraphF1"]

NAME = "f1_radgraph"
VERSION = "radgraph/1"


class RadGraphF1(ReportMetric):
    """F1 of the sets of entities of two reports; for a set of reports the mean of theirs.

    Missing are pairs without an entity on either side, and pairs of which one side could not be annotated. A report
    without a word (None, empty, only punctuation) scores 0 against one with words, and is not annotated.

    Parameters
    ----------
    source : AnnotationSource or None
        None stands for a metric that is only described: `obstacle` says so and `score` refuses.
    level : {"partial", "simple", "complete"}
        See `elements`. Papers report partial.
    case : {"upstream", "fold"}

    Examples
    --------
    >>> from perimetry.scoring.radgraph.annotation import Annotation, Entity
    >>> from perimetry.scoring.radgraph.source import GivenAnnotations
    >>> one, two = Entity("effusion", "OBS-DP"), Entity("edema", "OBS-DP")
    >>> given = GivenAnnotations({"Effusion, edema.": Annotation((one, two)), "Effusion.": Annotation((one,))})
    >>> RadGraphF1(given).score(["Effusion.", ""], ["Effusion, edema.", "Effusion."]).values.round(3).tolist()
    [0.667, 0.0]
    """

    def __init__(self, source: AnnotationSource | None, level: Level = "partial", case: Case = "upstream") -> None:
        self.source = source
        self.level: Level = level
        self.case: Case = case

    def with_cache(self, cache: Cache) -> RadGraphF1:
        """The same metric; what its extractor reads is kept in that cache."""
        return RadGraphF1(cached_source(self.source, cache), self.level, self.case)

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`; what identifies the annotations is part of the parameters."""
        stated = {"case": self.case, "level": self.level, **({} if self.source is None else self.source.parameters)}
        return MetricInfo(
            NAME,
            VERSION,
            "higher",
            0.0,
            1.0,
            "F1 of the entities that RadGraph finds in the report and in the reference.",
            "Delbrouck et al. 2022 (EMNLP Findings), section 3; Jain et al. 2021",
            tuple(sorted(stated.items())),
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        return NO_SOURCE if self.source is None else self.source.obstacle()

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position.

        Returns
        -------
        ScoreTable
            Statistics: value and reports (their ratio is the metric), and how many elements both sides share, the
            hypothesis has alone, and the reference has alone.

        Raises
        ------
        UsageError
            For sequences of unequal length, or without a source.
        """
        pairs = read_pairs(self.source, hypotheses, references)
        rows = [self._row(pair) for pair in pairs]
        statistics = np.asarray(rows, dtype=np.float64).reshape(len(rows), 5)
        values = np.where(statistics[:, 1] > 0.0, statistics[:, 0], np.nan)
        columns = ("value", "reports", "shared", "hypothesis_only", "reference_only")
        return ScoreTable(values, tuple(pair.reason for pair in pairs), statistics, columns)

    def _row(self, pair: Pair) -> tuple[float, float, int, int, int]:
        if pair.reason:
            return 0.0, 0.0, 0, 0, 0
        if pair.hypothesis is None or pair.reference is None:
            return 0.0, 1.0, 0, 0, 0
        counts = overlap(
            elements(pair.hypothesis, self.level, self.case), elements(pair.reference, self.level, self.case)
        )
        return set_f1(counts) or 0.0, 1.0, *counts


def _make(parameters: Mapping[str, str]) -> RadGraphF1:
    levels: tuple[Level, ...] = get_args(Level)
    level, case = read_form(parameters, NAME, "level", "partial", levels)
    return RadGraphF1(read_source(parameters, NAME), level, case)


KINDS = (
    MetricKind(
        NAME,
        "F1 of RadGraph entities: simple, partial or complete",
        "higher",
        "0..1",
        "annotations in the RadGraph format, or an extractor command",
        _make,
        ("level=partial", *source_listing()),
    ),
)
