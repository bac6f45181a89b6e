"""What a score has to be held against: the most common answer, and chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from perimetry.cases import Question
from perimetry.runs.statistic import CellStatistic
from perimetry.scoring.answers import normalise

__all__ = ["reference_statistics"]


def reference_statistics(questions: Sequence[Question]) -> Iterator[CellStatistic]:
    """``majority`` and ``chance`` of a set of questions, as per-item statistics.

    ``majority``: accuracy of always giving the most common gold answer of the item's data set and answer type (fixed
    over resamples). ``chance``: mean 1/K over the items with K options; a closed question answered yes or no has K = 2,
    any other question without options has no chance level and is left out.
    """
    none = np.zeros(len(questions), dtype=bool)
    golds: list[tuple[str, str, str]] = [
        (question.dataset, question.answer_type, normalise(question.answer)) for question in questions
    ]
    counts = Counter(golds)
    best: dict[tuple[str, str], tuple[str, str, str]] = {}
    for gold in sorted(counts):
        kind = (gold[0], gold[1])
        if kind not in best or counts[gold] > counts[best[kind]]:
            best[kind] = gold
    hits = np.array([gold == best[gold[0], gold[1]] for gold in golds], dtype=np.float64)
    yield CellStatistic("majority", "", "", hits, np.ones(len(questions)), none)
    sizes = np.array([_options(question) for question in questions], dtype=np.float64)
    known = (sizes > 0).astype(np.float64)
    chance = np.divide(1.0, sizes, out=np.zeros(len(questions)), where=sizes > 0)
    yield CellStatistic("chance", "", "", chance, known, none)


def _options(question: Question) -> int:
    """Number of answers that chance picks from; 0 where there is no telling."""
    if question.options:
        return len(question.options)
    if question.answer_type == "closed" and normalise(question.answer) in ("yes", "no"):
        return 2
    return 0
