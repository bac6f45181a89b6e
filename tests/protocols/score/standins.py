"""Metrics whose values can be seen at a glance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from perimetry.scoring.cache import Cache, text_key
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, POSITIVE
from perimetry.scoring.labels.f1 import LabelF1
from perimetry.scoring.labels.table import LabelTable
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table


class Overlap(ReportMetric):
    """Share of distinct words that two reports have in common; counts how often it is asked for a pair."""

    def __init__(self, name: str = "overlap", direction: Literal["higher", "lower", "neutral"] = "higher") -> None:
        self.name = name
        self.direction: Literal["higher", "lower", "neutral"] = direction
        self.asked = 0

    @property
    def info(self) -> MetricInfo:
        return MetricInfo(self.name, "overlap/1", self.direction, 0.0, 1.0, "Shared words.", "tests")

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        values, reasons = [], []
        for ours, theirs in zip(hypotheses, references, strict=True):
            self.asked += 1
            one, two = set((ours or "").split()), set((theirs or "").split())
            values.append(len(one & two) / len(one | two) if one | two else math.nan)
            reasons.append("" if one | two else "both reports are empty")
        return mean_table(values, reasons)


class Words(LabelF1):
    """A class is stated where its name stands in the report."""

    @property
    def info(self) -> MetricInfo:
        return MetricInfo("words", "words/1", "higher", 0.0, 1.0, "Class names.", "tests", self.options.parameters)

    def label(self, texts: Sequence[str]) -> LabelTable:
        labels = np.zeros((len(texts), len(CHEXBERT_ORDER)), dtype=np.int8)
        for row, text in enumerate(texts):
            for column, name in enumerate(CHEXBERT_ORDER):
                labels[row, column] = POSITIVE if name.lower() in text.lower() else 0
        return LabelTable(labels, ("",) * len(texts))


class Lengths(ReportMetric):
    """Length of the shorter report over that of the longer; keeps lengths in its cache."""

    encoded = 0

    def __init__(self, cache: Cache | None = None) -> None:
        self.cache = cache

    def with_cache(self, cache: Cache) -> Lengths:
        return Lengths(cache)

    @property
    def info(self) -> MetricInfo:
        return MetricInfo("lengths", "lengths/1", "higher", 0.0, 1.0, "Lengths.", "tests")

    def _length(self, text: str) -> int:
        key = text_key("lengths/1", text)
        kept = None if self.cache is None else self.cache.get(key)
        if kept is None:
            Lengths.encoded += 1
            kept = str(len(text)).encode()
            if self.cache is not None:
                self.cache.put(key, kept)
        return int(kept)

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        values = []
        for ours, theirs in zip(hypotheses, references, strict=True):
            low, high = sorted((self._length(ours or ""), self._length(theirs or "")))
            values.append(low / high if high else math.nan)
        return mean_table(values, ["" if value == value else "both reports are empty" for value in values])
