"""RadCliQ-v1: how many errors radiologists would count, predicted from three metrics (Yu et al. 2023)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind, metric_kinds
from perimetry.scoring.radgraph.combined import FIRST_MODEL, RadGraphCombined, Rule, first_model_source
from perimetry.scoring.radgraph.options import (
    SOURCE_PARAMETERS,
    read_case,
    refuse_unknown,
    source_listing,
)
from perimetry.scoring.radgraph.texts import Tokens
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable
from perimetry.scoring.silence import checked_pairs, silence, silent_pair

__all__ = [
    "EMPTY",
    "KINDS",
    "PERFECT",
    "STANDARD",
    "Part",
    "RadCliQ",
    "Standard",
    "radcliq_from_parts",
    "radcliq_from_standard",
]

Numbers = NDArray[np.float64]

PARTS = ("radgraph", "bertscore", "semb")
_INTERCEPT = 2.4501430833
_SLOPES = (-1.2452163302, -1.6508453287, -0.9947717072)
_BLEU_SLOPE = 1.4e-11
_ROUND_OFF = 1e-5  # a cosine of equal vectors can come out a little above 1

EMPTY = _INTERCEPT
"""Value when every part is 0, and by definition that of a report without a word: 2.45014."""

PERFECT = _INTERCEPT + math.fsum(_SLOPES)
"""Value when every part is 1, the best there is: -1.44069."""


@dataclass(frozen=True, slots=True)
class Standard:
    """The fitted model as it was published: each part standardised, then weighted.

    Parameters
    ----------
    mean, scale, coefficient : tuple of float
        For RadGraph, BERTScore, SEMB and BLEU-2, in this order.
    intercept : float
    """

    mean: tuple[float, float, float, float]
    scale: tuple[float, float, float, float]
    coefficient: tuple[float, float, float, float]
    intercept: float


STANDARD = Standard(
    mean=(0.537923124136, 0.617572562813, 0.764794212114, 0.447383353962),
    scale=(0.302825841149, 0.224309384593, 0.253943911017, 0.298927167104),
    coefficient=(-0.3770836826104, -0.3703000997448, -0.2526162178959, 4.315048405025e-12),
    intercept=2.466552561323e-10,
)


def radcliq_from_parts(radgraph: ArrayLike, bertscore: ArrayLike, semb: ArrayLike, bleu_2: ArrayLike = 0.0) -> Numbers:
    """RadCliQ-v1 of its parts; lower is better.

    Parameters
    ----------
    radgraph
        Mean of entity F1 and relation F1 with the first RadGraph model, 0 to 1.
    bertscore
        F1 of distilroberta-base, layer 5, rescaled, without idf.
    semb
        Cosine of CheXbert's [CLS] embeddings, -1 to 1.
    bleu_2
        0 to 1; its weight is 1.4e-11, so that it may as well be left out.

    Returns
    -------
    float array
        nan where a part is nan.

    Examples
    --------
    >>> radcliq_from_parts([1.0, 0.0], [1.0, 0.0], [1.0, 0.0]).round(5).tolist()
    [-1.44069, 2.45014]
    """
    parts = [np.asarray(part, dtype=np.float64) for part in (radgraph, bertscore, semb)]
    weighted = sum((slope * part for slope, part in zip(_SLOPES, parts, strict=True)), np.float64(_INTERCEPT))
    return np.asarray(weighted + _BLEU_SLOPE * np.asarray(bleu_2, dtype=np.float64), dtype=np.float64)


def radcliq_from_standard(
    radgraph: ArrayLike, bertscore: ArrayLike, semb: ArrayLike, bleu_2: ArrayLike = 0.0
) -> Numbers:
    """The same by the published standardisation; agrees with `radcliq_from_parts` to 1e-9.

    Examples
    --------
    >>> radcliq_from_standard(0.5, 0.5, 0.5).round(5).tolist()
    0.50473
    """
    parts = (radgraph, bertscore, semb, bleu_2)
    total: Numbers = np.asarray(STANDARD.intercept, dtype=np.float64)
    for part, mean, scale, weight in zip(parts, STANDARD.mean, STANDARD.scale, STANDARD.coefficient, strict=True):
        total = np.asarray(total + weight * (np.asarray(part, dtype=np.float64) - mean) / scale, dtype=np.float64)
    return total


class Part(Protocol):
    """What RadCliQ needs of a metric; every `ReportMetric` has it."""

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`."""
        ...

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        ...

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """See `ReportMetric.score`."""
        ...


@runtime_checkable
class _Caching(Protocol):
    def with_cache(self, cache: Cache) -> Part: ...


class RadCliQ(ReportMetric):
    """RadCliQ-v1 of each pair; for a set of reports the mean of theirs. Never its reciprocal, which has a pole at 0.

    A pair is missing when one of its parts is, with that part's reason. A report without a word (None, empty, only
    punctuation) against one with words gets `EMPTY`, the value of parts that are all 0; its parts are not computed.

    Parameters
    ----------
    radgraph, bertscore, semb : Part
        See `radcliq_from_parts`.
    name : str, default "radcliq_v1"
        ``radcliq_v1_upstream`` for parts by the authors' own rules.
    lacking : str, default ""
        What else stands in the way, for `obstacle`.
    """

    def __init__(
        self, radgraph: Part, bertscore: Part, semb: Part, name: str = "radcliq_v1", lacking: str = ""
    ) -> None:
        self.parts: Mapping[str, Part] = MappingProxyType(
            dict(zip(PARTS, (radgraph, bertscore, semb), strict=True)),
        )
        self.name = name
        self._lacking = lacking

    def with_cache(self, cache: Cache) -> RadCliQ:
        """The same metric, its parts with another cache where they can have one."""
        radgraph, bertscore, semb = (
            part.with_cache(cache) if isinstance(part, _Caching) else part for part in self.parts.values()
        )
        return RadCliQ(radgraph, bertscore, semb, self.name, self._lacking)

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`; every part's parameters are among them, as ``PART.NAME``."""
        stated = {
            f"{part}.{key}": value for part, metric in self.parts.items() for key, value in metric.info.parameters
        }
        stated.update({part: metric.info.version for part, metric in self.parts.items()})
        return MetricInfo(
            self.name,
            "radcliq-v1/1",
            "lower",
            PERFECT - _ROUND_OFF,
            math.inf,
            "Errors that radiologists would count in the report, standardised, as three metrics predict them.",
            "Yu et al. 2023 (Patterns), Methods; constants of RadCliQ-v1",
            tuple(sorted(stated.items())),
        )

    def obstacle(self) -> str:
        """The first part's that has one."""
        found = ((part, metric.obstacle()) for part, metric in self.parts.items())
        return next((f"{part}: {why}" for part, why in found if why), self._lacking)

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position.

        Returns
        -------
        ScoreTable
            Statistics: value and reports (their ratio is the metric), and the three parts.

        Raises
        ------
        UsageError
            For sequences of unequal length, or when a part cannot run.
        """
        pairs = list(zip(*checked_pairs(hypotheses, references), strict=True))
        if stands := self.obstacle():
            raise UsageError(f"{self.name} cannot run: {stands}.")
        told = [row for row, pair in enumerate(pairs) if not any(map(silence, pair))]
        reasons, notes = [silent_pair(*pair) for pair in pairs], [""] * len(pairs)
        values = np.asarray([math.nan if reason else EMPTY for reason in reasons], dtype=np.float64)
        parts = np.zeros((len(pairs), len(PARTS)))
        for column, (part, metric) in enumerate(self.parts.items()):
            table = metric.score([hypotheses[row] for row in told], [references[row] for row in told])
            parts[told, column] = table.values
            for row, value, reason, note in zip(
                told, table.values.tolist(), table.reasons, table.notes or ("",) * len(told), strict=True
            ):
                if math.isnan(value) and not reasons[row]:
                    reasons[row] = f"{part}: {reason}"
                notes[row] = "; ".join(filter(None, (notes[row], note and f"{part}: {note}")))
        values[told] = radcliq_from_parts(*parts[told].T)
        known = ~np.isnan(values)
        statistics = np.column_stack([values, known, parts])
        statistics[~known] = 0.0
        return ScoreTable(
            values, tuple(reasons), statistics, ("value", "reports", *PARTS), tuple(notes) if any(notes) else ()
        )


_ENCODER = "distilroberta-base"
_LAYER = "5"
_OWN = ("encoder", "baseline", "special", "chexbert", "tokenizer", "device", "batch")


def _make(name: str, relations: Rule, tokens: Tokens, parameters: Mapping[str, str]) -> RadCliQ:
    refuse_unknown(parameters, name, (*SOURCE_PARAMETERS, *_OWN))
    kinds = metric_kinds()
    shared = {key: parameters[key] for key in ("device", "batch") if key in parameters}
    baseline = parameters.get("baseline", "")
    bertscore = {
        "model": parameters.get("encoder", _ENCODER),
        "layer": _LAYER,
        "baseline": baseline or "none",
        # The authors' tool lets a token take a special token of the other side, and so do the scores that were fitted.
        "special": parameters.get("special", "taken"),
        **shared,
    }
    semb = {"weights": parameters.get("chexbert", ""), "tokenizer": parameters.get("tokenizer", ""), **shared}
    source = first_model_source(parameters, name, tokens)
    return RadCliQ(
        RadGraphCombined(source, relations, read_case(parameters, name)),
        kinds.get("bertscore").make(bertscore),
        kinds.get("semb").make({key: value for key, value in semb.items() if value}),
        name=name,
        lacking="" if baseline else "bertscore: give baseline=FILE, the published baselines of the encoder",
    )


def _kind(name: str, summary: str, relations: Rule, tokens: Tokens) -> MetricKind:
    return MetricKind(
        name,
        summary,
        "lower",
        "-1.44 for a perfect report, 2.45 for an empty one",
        "annotations of the first RadGraph model, or an extractor; an encoder with its baseline; CheXbert (extra hf)",
        partial(_make, name, relations, tokens),
        (
            *source_listing(FIRST_MODEL, tokens),
            f"encoder={_ENCODER}",
            "baseline=",
            "special=taken",
            "chexbert=",
            "tokenizer=",
            "device=auto",
            "batch=32",
        ),
    )


KINDS = (
    _kind(
        "radcliq_v1",
        "errors a radiologist would count, from RadGraph, BERTScore and CheXbert similarity",
        "entities",
        "whole",
    ),
    _kind(
        "radcliq_v1_upstream",
        "RadCliQ-v1 by the authors' rules: relation F1 is 0 where neither report has a relation; decimals are cut",
        "zero",
        "upstream",
    ),
)
