"""The metric semb: how alike CheXbert's embeddings of a report and of its reference are; a part of RadCliQ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.embeddings.batches import pair_note
from perimetry.scoring.embeddings.greedy import unit
from perimetry.scoring.embeddings.parameters import read_parameters
from perimetry.scoring.labels.chexbert import CHEXBERT_PARAMETERS, read_chexbert
from perimetry.scoring.labels.chexbert_model import Chexbert
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table
from perimetry.scoring.silence import checked_pairs, silence, silent_pair

__all__ = ["KINDS", "Semb", "semb"]


def semb(
    hypotheses: NDArray[np.float32] | NDArray[np.float64], references: NDArray[np.float32] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Cosine of each row with the row at its position; 0 where either is all zeros.

    Parameters
    ----------
    hypotheses, references : (reports, width)

    Returns
    -------
    float64 array, (reports,)
        From -1 to 1.

    References
    ----------
    Yu et al. 2023, "Evaluating progress in automatic chest X-ray radiology report generation", CheXbert similarity.

    Examples
    --------
    >>> semb(np.asarray([[1.0, 1.0], [0.0, 0.0]]), np.asarray([[2.0, 2.0], [1.0, 0.0]])).round(6).tolist()
    [1.0, 0.0]
    """
    return np.asarray(np.clip((unit(hypotheses) * unit(references)).sum(axis=-1), -1.0, 1.0), dtype=np.float64)


class Semb(ReportMetric):
    """Cosine of CheXbert's [CLS] embeddings.

    A report without a word scores 0 against one with words, the point from which RadCliQ counts; cosines of reports
    that do speak can fall below it, but hardly do. Where both say nothing, the pair is missing.

    Parameters
    ----------
    chexbert : Chexbert
        Opened on first use; the metric shares it, with its cache, with whoever else has it.
    """

    def __init__(self, chexbert: Chexbert) -> None:
        self.chexbert = chexbert

    def with_cache(self, cache: Cache) -> Semb:
        """The same metric with another cache."""
        old = self.chexbert
        return Semb(
            Chexbert(old.weights.text, old.tokenizer.text, device=old.device, batch_size=old.batch_size, cache=cache)
        )

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`."""
        return MetricInfo(
            name="semb",
            version="semb/1",
            direction="higher",
            low=-1.0,
            high=1.0,
            meaning="Cosine of CheXbert's embeddings of a report and of its reference.",
            citation="Yu et al. 2023, Patterns, CheXbert vector similarity",
            parameters=self.chexbert.parameters,
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        return self.chexbert.obstacle()

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """See `ReportMetric.score`; notes name the reports that were cut at 512 tokens."""
        told, meant = checked_pairs(hypotheses, references)
        if stands := self.obstacle():
            raise UsageError(f"semb cannot run: {stands}.")
        values, notes = [math.nan] * len(told), [""] * len(told)
        reasons = [silent_pair(ours, theirs) for ours, theirs in zip(told, meant, strict=True)]
        spoken = [row for row, pair in enumerate(zip(told, meant, strict=True)) if not any(map(silence, pair))]
        reading = self.chexbert.read([side[row] or "" for side in (told, meant) for row in spoken])
        ours, theirs = reading.embeddings[: len(spoken)], reading.embeddings[len(spoken) :]
        for at, (row, value) in enumerate(zip(spoken, semb(ours, theirs).tolist(), strict=True)):
            values[row] = value
            notes[row] = pair_note(reading.cuts[at], reading.cuts[len(spoken) + at])
        for row, reason in enumerate(reasons):
            if not reason and math.isnan(values[row]):
                values[row] = 0.0
        table = mean_table(values, reasons)
        return ScoreTable(table.values, table.reasons, table.statistics, table.columns, tuple(notes))


def _make(parameters: Mapping[str, str]) -> Semb:
    return Semb(read_chexbert("semb", read_parameters("semb", parameters, CHEXBERT_PARAMETERS)))


KINDS = (
    MetricKind(
        "semb",
        "Cosine of CheXbert's embeddings, a part of RadCliQ.",
        "higher",
        "-1..1",
        "weights, tokenizer (extra clinical or hf)",
        _make,
        CHEXBERT_PARAMETERS,
    ),
)
