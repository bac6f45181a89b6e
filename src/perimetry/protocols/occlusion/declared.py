"""The table of the occlusion audit's metrics: direction, range, meaning and source of each."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from perimetry.cases.errors import UnknownNameError
from perimetry.protocols.occlusion.options import OcclusionOptions
from perimetry.scoring.metric import Direction, MetricInfo
from perimetry.scoring.metrics_registry import parse_metric

__all__ = ["OCCLUSION_VERSION", "TABLE", "info_of"]

OCCLUSION_VERSION = "occlusion/1"
"""Changes whenever a number could, whatever the labeller."""

_PAPER = "ShoViR "
_OURS = "perimetry"


def _info(name: str, direction: Direction, low: float, high: float, meaning: str, citation: str) -> MetricInfo:
    return MetricInfo(name, OCCLUSION_VERSION, direction, low, high, meaning, citation)


_INFINITE = float("inf")

_ROWS = (
    _info("f1_14", "higher", 0, 1, "F1 of all labels over 14 classes, counts summed.", _PAPER + "section 3.4"),
    _info("f1_5", "higher", 0, 1, "F1 of all labels over 5 classes, counts summed.", _PAPER + "section 3.4"),
    _info("f1_14_macro", "higher", 0, 1, "Mean over 14 classes of their F1.", _OURS),
    _info("f1_5_macro", "higher", 0, 1, "Mean over 5 classes of their F1.", _OURS),
    _info("delta_fn_14", "higher", -1, 1, "What noise all over costs of the F1 over 14 classes.", _PAPER + "Eq. 2"),
    _info("delta_fn_5", "higher", -1, 1, "What noise all over costs of the F1 over 5 classes.", _PAPER + "Eq. 2"),
    _info("delta_fn_14_macro", "higher", -1, 1, "The same of the mean over 14 classes.", _OURS),
    _info("delta_fn_5_macro", "higher", -1, 1, "The same of the mean over 5 classes.", _OURS),
    _info("f1", "higher", 0, 1, "F1 of one class on the studies that show it.", _PAPER + "section 3.4"),
    _info("mu_f1", "higher", 0, 1, "Mean F1 of the classes, weighted by their studies.", _PAPER + "section 3.4"),
    _info("delta_oco", "higher", -1, 1, "What covering the finding costs beyond a random cover.", _PAPER + "Eq. 3"),
    _info("delta_doco", "neutral", -1, 1, "What covering its company costs beyond a random cover.", _PAPER + "Eq. 3"),
    _info("delta_oco_matched", "higher", -1, 1, "The same against a random cover of equal area.", _OURS),
    _info("delta_doco_matched", "neutral", -1, 1, "The same against a random cover of equal area.", _OURS),
    *(
        MetricInfo(
            f"delta_{region}_relative{suffix}",
            OCCLUSION_VERSION,
            "higher" if region == "oco" else "neutral",
            -_INFINITE,
            1.0,
            "The same as a share of the control.",
            _OURS,
        )
        for region in ("oco", "doco")
        for suffix in ("", "_matched")
    ),
    *(
        _info(f"s_auc_{region}", "neutral", -_INFINITE, 1, "Share of mean F1 lost over all strengths.", _OURS)
        for region in ("oco", "doco", "ro", "romatched")
    ),
    *(
        _info(
            f"s_auc_{region}_excess{suffix}", "neutral", -_INFINITE, _INFINITE, "How much more than the control.", _OURS
        )
        for region in ("oco", "doco")
        for suffix in ("", "_matched")
    ),
    _info("flip_rate", "neutral", 0, 1, "Share of true statements of B that go when A is covered.", _OURS),
    _info("reverse_flip_rate", "neutral", 0, 1, "Share of silences on an absent B that end when A is covered.", _OURS),
    _info("false_statement_rate", "lower", 0, 1, "Share of studies without a class whose report states it.", _OURS),
    _info("false_statement_rise", "lower", -1, 1, "How much more often, when a region is covered.", _OURS),
    _info("balanced_accuracy", "higher", 0, 1, "Mean of sensitivity and specificity.", _OURS),
    _info("area_reached", "neutral", 0, _INFINITE, "Covered area as a share of the finding's own.", _OURS),
    _info("spill", "neutral", 0, 1, "Share of the finding's area under boxes of other findings.", _OURS),
    _info("reference_agreement", "neutral", 0, 1, "Share of cases in which box and reference report agree.", _OURS),
)

TABLE = MappingProxyType({info.name: info for info in _ROWS})
"""Name -> `MetricInfo`, in the order of the report; ``delta_fn_METRIC`` and report metrics come from the metric."""


@cache
def info_of(name: str, options: OcclusionOptions) -> MetricInfo:
    """The declaration of one metric; raises `UnknownNameError` with the nearest names otherwise.

    Examples
    --------
    >>> info_of("delta_oco", OcclusionOptions()).direction
    'higher'
    """
    if name in TABLE:
        return TABLE[name]
    for spelling in options.metrics:
        if name == spelling:
            return parse_metric(spelling).info
        if name == f"delta_fn_{spelling}":
            info = parse_metric(spelling).info
            return MetricInfo(
                name, info.version, "higher", -_INFINITE, _INFINITE, "What noise all over costs of it.", _OURS
            )
    raise UnknownNameError("occlusion metric", name, TABLE)
