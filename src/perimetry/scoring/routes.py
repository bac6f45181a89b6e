"""The table of the route audit's metrics: direction, range and source of each."""

from __future__ import annotations

from types import MappingProxyType

from perimetry.cases.errors import UnknownNameError
from perimetry.scoring.answers.rules import ANSWERS_VERSION
from perimetry.scoring.metric import Direction, MetricInfo

__all__ = ["ROUTES", "routes_info"]

_MEDQA = "MedQA-MM "
_OURS = "perimetry"


def _answers(name: str, direction: Direction, low: float, meaning: str, citation: str, high: float = 1.0) -> MetricInfo:
    return MetricInfo(name, ANSWERS_VERSION, direction, low, high, meaning, citation)


_TABLE = (
    _answers("accuracy", "neutral", 0.0, "Share of items answered rightly by a route.", _MEDQA + "section 4"),
    _answers("chance", "neutral", 0.0, "Expected accuracy of a uniform guess: the mean of 1/K.", _MEDQA + "section 3"),
    _answers("majority", "neutral", 0.0, "Accuracy of always giving the most frequent key.", _OURS),
    _answers("above_chance", "neutral", -1.0, "Accuracy of a route minus the chance of the same items.", _OURS),
    _answers("unparsed", "lower", 0.0, "Share of responses from which no rule reads an answer.", _OURS),
    _answers("gain_text", "neutral", -1.0, "What the stem adds to the options alone.", _MEDQA + "Table 23"),
    _answers("gain_image", "neutral", -1.0, "What the image adds to the options alone.", _MEDQA + "Table 23"),
    _answers("gain_full", "neutral", -1.0, "What stem and image add to the options alone.", _MEDQA + "Table 23"),
    _answers("image_effect", "higher", -1.0, "What the image adds to stem and options.", _OURS),
    _answers("union", "lower", 0.0, "Share of items that text or options alone answer rightly.", _MEDQA + "Table 23"),
    _answers("cue_gap", "neutral", -1.0, "Accuracy on items with a cue minus on items without it.", _OURS),
    _answers("order_consistency", "higher", 0.0, "Share of pairs of option orders with the same option chosen.", _OURS),
    _answers("order_gap", "neutral", -1.0, "Accuracy in the given order minus in the other orders.", _OURS),
    _answers("position_share", "neutral", 0.0, "Share of read answers that name the option in a place.", _OURS),
    _answers(
        "position_excess",
        "neutral",
        -1.0,
        "Share of answers that name a place minus share of keys that lie there.",
        _OURS,
    ),
    _answers(
        "position_bias",
        "lower",
        0.0,
        "Half the summed distance between chosen places and places of the key (total variation).",
        _OURS,
    ),
)

ROUTES = MappingProxyType({info.name: info for info in _TABLE})
"""Name -> `MetricInfo`, in the order of the report."""


def routes_info(name: str) -> MetricInfo:
    """The declaration of one metric; raises `UnknownNameError` with the nearest names otherwise.

    Examples
    --------
    >>> routes_info("gain_text").citation
    'MedQA-MM Table 23'
    """
    if name not in ROUTES:
        raise UnknownNameError("route metric", name, ROUTES)
    return ROUTES[name]
