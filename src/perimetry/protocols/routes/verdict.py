"""The verdict on a model: which inputs lead it to the key."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from perimetry.runs.estimates import Estimate

__all__ = ["Ruling", "Verdict", "absent_routes", "judge", "rule"]

Ruling = Literal[
    "needs the image",
    "needs more than options",
    "rests on the order of options",
    "options give the key away",
    "text gives the key away",
    "above chance without the image",
    "no better than chance",
    "not resolved",
    "not measured",
]

_ROUTES = ("full", "textonly", "optionsonly", "imageoptions")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What leads a model to the key.

    Parameters
    ----------
    model : str
    verdict : str
        One of `Ruling`.
    reason : str
        One sentence with the intervals that decided.
    position : str, default ""
        A second sentence where a place of the options draws answers, whatever stands there.
    missing : tuple of str, default ()
        Routes that were not measured.
    """

    model: str
    verdict: Ruling
    reason: str
    position: str = ""
    missing: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As plain data for verdicts.json."""
        return asdict(self)


def rule(model: str, estimates: Sequence[Estimate]) -> Verdict:
    """Judge one model from the macro-mean intervals; the first line that holds.

    1. without accuracies of ``full`` and of a route without the image: ``not measured``
    2. ``full`` not resolved above chance: ``no better than chance`` if its interval ends below chance + 0.05, else
       ``not resolved``
    3. what ``full`` gains over chance is lost by half or more, and resolved, when the options are put in other orders:
       ``rests on the order of options``
    4. ``optionsonly`` resolved above chance and ``gain_full`` not resolved above 0: ``options give the key away``
    5. ``textonly`` resolved above chance and ``image_effect`` not resolved above 0: ``text gives the key away``
    6. ``image_effect`` resolved above 0: ``above chance without the image`` if ``optionsonly`` or ``textonly`` is
       resolved above chance, else ``needs the image``
    7. otherwise ``needs more than options`` if ``gain_full`` is resolved above 0, else ``not resolved``.
    """
    rows = {
        (row.metric, row.condition): row
        for row in estimates
        if row.model == model and row.dataset == "macro" and row.stratum == "all" and not math.isnan(row.ci_low)
    }
    above = {route: rows.get(("above_chance", route)) for route in _ROUTES}
    missing = tuple(route for route in _ROUTES if ("accuracy", route) not in rows)
    position = _position(model, estimates)
    full = above["full"]
    if full is None or (above["textonly"] is None and above["optionsonly"] is None):
        found = [f"{route} {_level(rows['accuracy', route])}" for route in _ROUTES if ("accuracy", route) in rows]
        reason = f"Not measured: {_why(model, missing, estimates) or 'there is no chance level'}"
        reason += f". Accuracy: {', '.join(found)}." if found else "."
        return Verdict(model, "not measured", reason, position, missing)
    spoken = "; ".join(f"{route} {_level(rows['accuracy', route])}" for route in _ROUTES if route not in missing)
    gain, image = rows.get(("gain_full", "full")), rows.get(("image_effect", "full"))
    order = rows.get(("order_gap", "full"))
    bare = {route: _resolved(above[route]) for route in ("optionsonly", "textonly")}
    ruling: Ruling
    if full.ci_low <= 0:
        ruling = "no better than chance" if full.ci_high < 0.05 else "not resolved"
    elif _resolved(order) and order is not None and order.value >= full.value / 2:
        ruling = "rests on the order of options"
    elif bare["optionsonly"] and gain is not None and not _resolved(gain):
        ruling = "options give the key away"
    elif bare["textonly"] and image is not None and not _resolved(image):
        ruling = "text gives the key away"
    elif _resolved(image):
        ruling = "above chance without the image" if any(bare.values()) else "needs the image"
    else:
        ruling = "needs more than options" if _resolved(gain) else "not resolved"
    effects = [
        f"{words} {_change(row)}"
        for words, row in (
            ("stem and image add to the options", gain),
            ("the image adds to the text", image),
            ("other orders of the options take away", order if ruling == "rests on the order of options" else None),
        )
        if row is not None
    ]
    return Verdict(model, ruling, f"Accuracy: {spoken}. {'; '.join(effects).capitalize()}.", position, missing)


def absent_routes(model: str, routes: Sequence[str], estimates: Sequence[Estimate]) -> dict[str, list[str]]:
    """Routes without an interval, by what they lack."""
    reasons: dict[str, list[str]] = {}
    for route in routes:
        named = (model, "macro", "accuracy", route, "all")
        row = next(
            (one for one in estimates if (one.model, one.dataset, one.metric, one.condition, one.stratum) == named),
            None,
        )
        if row is None:
            reason = "not part of this run"
        elif row.n:
            reason = "too few items"
        else:
            reason = "no answers" if row.missing else "no item that it applies to"
        reasons.setdefault(reason, []).append(route)
    return reasons


def _why(model: str, routes: Sequence[str], estimates: Sequence[Estimate]) -> str:
    return "; ".join(
        f"{', '.join(names)} ({reason})" for reason, names in absent_routes(model, routes, estimates).items()
    )


def _position(model: str, estimates: Sequence[Estimate]) -> str:
    """The place that draws most answers beyond its share of keys, if that is resolved and at least 5 points."""
    rows = [
        row
        for row in estimates
        if (row.model, row.dataset, row.metric) == (model, "macro", "position_excess") and row.ci_low > 0
    ]
    best = max(rows, key=lambda row: row.value, default=None)
    if best is None or best.value < 0.05:
        return ""
    place = best.stratum.removeprefix("place ")
    return f"Place {place} draws answers: it is named {_change(best)} more often than the key stands there."


def _resolved(row: Estimate | None) -> bool:
    return row is not None and row.ci_low > 0


def _level(row: Estimate) -> str:
    return f"{100 * row.value:.1f}% [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}]"


def _change(row: Estimate) -> str:
    return f"{100 * row.value:.1f} pp [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}]"


def judge(models: Sequence[str], estimates: Sequence[Estimate]) -> Mapping[str, Verdict]:
    """A verdict for each model, in their order."""
    return {model: rule(model, estimates) for model in models}
