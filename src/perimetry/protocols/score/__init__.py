"""Scoring a file of reports: metrics, estimates, ranks and a page."""

from perimetry.protocols.score.result import ScoreResult
from perimetry.protocols.score.run import count_requests, score

__all__ = ["ScoreResult", "count_requests", "score"]
