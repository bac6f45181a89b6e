"""How the occlusion audit fits into the frame of all audits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perimetry.cases.errors import UsageError
from perimetry.conditions import parse_condition
from perimetry.protocols.occlusion.options import FILL_OPTIONS, OcclusionOptions, region_conditions
from perimetry.protocols.occlusion.outcomes import image_metrics
from perimetry.runs.asked import Asked
from perimetry.scoring.labels.spelled import make_labeller

__all__ = ["check", "read_options"]


def read_options(
    given: Mapping[str, Any], conditions: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Conditions and spelled options from what a user gave.

    Raises
    ------
    UsageError
        For an option that there is not or cannot be read, and for strengths or a fill beside conditions.

    Examples
    --------
    >>> read_options({"strengths": "0,100", "fill": "black"}, None)[0][2:4]
    ('oco@0(fill=black)', 'oco@100(fill=black)')
    """
    fill = {name: given.get(name) for name in FILL_OPTIONS}
    strengths = given.get("strengths")
    own = {name: value for name, value in given.items() if name not in (*FILL_OPTIONS, "strengths")}
    options = OcclusionOptions.of(own)
    if not conditions:
        return region_conditions(strengths, fill), options.pairs
    for name, value in (("strengths", strengths), *fill.items()):
        if value is not None:
            raise UsageError(
                f"{name} is given beside conditions, which say it themselves (oco@60(fill=black)). "
                "Leave one of the two out."
            )
    return tuple(conditions), options.pairs


def check(asked: Asked) -> None:
    """Raise a `UsageError` where there is nothing to hold covers against, or labeller or metrics cannot run here."""
    if "real" not in (parse_condition(spelling).spelling for spelling in asked.conditions):
        raise UsageError(
            f"The conditions are {', '.join(asked.conditions)}, and real is not among them: every cover is held "
            f"against the report of the image as it is. Give --conditions real,{','.join(asked.conditions)}."
        )
    fitted = [spec for spec in asked.models if spec.startswith("baseline:")]
    if fitted:
        raise UsageError(
            f"{', '.join(fitted)} cannot be audited here: baselines are fitted on questions and their answers, and "
            "this audit asks for reports of studies. Give models that write reports; `perimetry models` lists them."
        )
    options = OcclusionOptions.of(asked.options)
    told = [(options.labeller, make_labeller(options.labeller).obstacle())]
    told += [(spelling, metric.obstacle()) for spelling, metric in image_metrics(options).items()]
    lines = [f"{name}: {obstacle.rstrip('.')}" for name, obstacle in told if obstacle]
    if lines:
        raise UsageError(f"{'; '.join(lines)}. `perimetry metrics` lists what each needs.")
