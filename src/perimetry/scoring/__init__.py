"""Text to outcomes."""

from perimetry.scoring.answers import SCORER_VERSION, Extraction, extract, is_right, score_answers
from perimetry.scoring.counterfactual import COUNTERFACTUAL, counterfactual_info
from perimetry.scoring.metric import Direction, MetricInfo, Ratio

__all__ = [
    "COUNTERFACTUAL",
    "SCORER_VERSION",
    "Direction",
    "Extraction",
    "MetricInfo",
    "Ratio",
    "counterfactual_info",
    "extract",
    "is_right",
    "score_answers",
]
