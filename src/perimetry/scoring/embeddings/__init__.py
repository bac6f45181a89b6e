"""Metrics that compare what an encoder makes of two reports; their arithmetic needs no model."""

from perimetry.scoring.embeddings.affinity import Affinity, read_affinity
from perimetry.scoring.embeddings.bertscore import BertScore, BertScoreOptions
from perimetry.scoring.embeddings.greedy import greedy_match
from perimetry.scoring.embeddings.rate import rate_score
from perimetry.scoring.embeddings.ratescore import RateScore, RateScoreOptions

__all__ = [
    "Affinity",
    "BertScore",
    "BertScoreOptions",
    "RateScore",
    "RateScoreOptions",
    "greedy_match",
    "rate_score",
    "read_affinity",
]
