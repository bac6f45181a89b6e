"""The table of the counterfactual audit's metrics: direction, range and source of each."""

from __future__ import annotations

from types import MappingProxyType

from perimetry.cases.errors import UnknownNameError
from perimetry.scoring.answers.rules import ANSWERS_VERSION
from perimetry.scoring.metric import Direction, MetricInfo
from perimetry.scoring.rationale.claims import RATIONALE_VERSION

__all__ = ["COUNTERFACTUAL", "counterfactual_info"]

_CORAL = "CORAL (arXiv 2607.03647) "
_OURS = "perimetry"


def _answers(name: str, direction: Direction, low: float, meaning: str, citation: str) -> MetricInfo:
    return MetricInfo(name, ANSWERS_VERSION, direction, low, 1.0, meaning, citation)


def _rationale(name: str, direction: Direction, meaning: str) -> MetricInfo:
    parameters = () if name == "rcr" else (("detector", "lexicon"),)
    return MetricInfo(name, RATIONALE_VERSION, direction, 0.0, 1.0, meaning, _CORAL + "section 3.3", parameters)


_TABLE = (
    _answers("accuracy", "higher", 0.0, "Share of items answered rightly under a condition.", _CORAL + "section 3.3"),
    _answers("majority", "neutral", 0.0, "Accuracy of always giving the most frequent answer.", _OURS),
    _answers("chance", "neutral", 0.0, "Expected accuracy of a uniform guess among the options.", _OURS),
    _answers(
        "token_f1", "higher", 0.0, "Mean word overlap (F1) of open answers with the gold.", "Rajpurkar et al. 2016, 6.1"
    ),
    _answers("unparsed", "lower", 0.0, "Share of responses from which no rule reads an answer.", _OURS),
    _answers("vrs", "higher", -1.0, "Accuracy on the real images minus on shuffled ones.", _CORAL + "section 3.3"),
    _answers("bd", "higher", -1.0, "Accuracy on the real images minus on blank ones.", _CORAL + "section 3.3"),
    _answers("hn_gap", "higher", -1.0, "Accuracy on the real images minus on look-alikes.", _CORAL + "section 3.3"),
    _answers("accuracy_gap", "higher", -1.0, "Accuracy on the real images minus under another change.", _OURS),
    _answers("is_pred", "lower", 0.0, "Share of answers that shuffling the image leaves the same.", _CORAL + "Eq. 2"),
    MetricInfo(
        "is_raw",
        "raw/1",
        "lower",
        0.0,
        1.0,
        "Share of raw responses that shuffling the image leaves the same, byte by byte.",
        _CORAL + "sections 3.3 and 4.1",
    ),
    _answers("vbr", "higher", 0.0, "Share of items right with the image and wrong without.", _CORAL + "Eq. 3"),
    _answers(
        "vhr", "lower", 0.0, "Share of items right on the shuffled image, wrong on the real one.", _CORAL + "Eq. 4"
    ),
    _rationale("nvcr", "neutral", "Share of rationale sentences that claim to see what the question does not say."),
    _rationale("hvrr", "lower", "Share of such claims that stand again when no image is shown."),
    _rationale("rcr", "neutral", "How far the rationale's words change from the real image to the condition."),
    _answers("retest_agreement", "neutral", 0.0, "Share of answers that asking again leaves the same.", _OURS),
    _answers("is_excess", "higher", -1.0, "How much more shuffling changes answers than asking again does.", _OURS),
    _answers("flip_excess", "higher", -1.0, "How much more a condition changes answers than asking again does.", _OURS),
)

COUNTERFACTUAL = MappingProxyType({info.name: info for info in _TABLE})
"""Name -> `MetricInfo`, in the order of the report."""


def counterfactual_info(name: str) -> MetricInfo:
    """The declaration of one metric; raises `UnknownNameError` with the nearest names otherwise.

    Examples
    --------
    >>> counterfactual_info("vhr").direction
    'lower'
    """
    if name not in COUNTERFACTUAL:
        raise UnknownNameError("counterfactual metric", name, COUNTERFACTUAL)
    return COUNTERFACTUAL[name]
