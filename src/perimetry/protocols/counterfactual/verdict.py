"""The verdict on a model: what its score rests on, in one sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from perimetry.runs.estimates import Estimate
from perimetry.statistics import items_to_resolve

__all__ = ["MARGIN", "Ruling", "Verdict", "items_needed", "judge", "rule"]

Ruling = Literal[
    "uses the image",
    "marginal use",
    "does not use the image",
    "worse with the image",
    "mixed",
    "not resolved",
    "not measured",
]

MARGIN = 0.05
"""Differences inside +-5 percentage points count as practically none."""

_STANDARD_ERRORS_IN_INTERVAL = 2 * 1.959964


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model's score rests on.

    Parameters
    ----------
    model : str
    verdict : str
        One of `Ruling`.
    reason : str
        One sentence with the intervals that decided.
    items_needed : int
        For ``not resolved``: how many items would resolve the observed differences; 0 otherwise.
    """

    model: str
    verdict: Ruling
    reason: str
    items_needed: int = 0

    def to_dict(self) -> dict[str, object]:
        """As plain data for verdicts.json."""
        return asdict(self)


def rule(model: str, estimates: Sequence[Estimate]) -> Verdict:
    """Judge one model from the macro-mean intervals of ``vrs`` and ``is_excess``; the first line that holds.

    1. both resolved above 0: ``uses the image``, or ``marginal use`` if the interval of vrs ends below 0.05
    2. the interval of vrs inside [-0.05, 0.05] and that of is_excess ending below 0.05: ``does not use the image``
    3. vrs resolved below 0: ``worse with the image``
    4. exactly one of the two resolved above 0: ``mixed``
    5. otherwise ``not resolved``, with the number of items that would resolve it.

    Where one of the two has no interval (no shuffle or retest in the run, or no answers), ``not measured``.

    Parameters
    ----------
    model : str
    estimates : sequence of Estimate
        All estimates of the run.

    Returns
    -------
    Verdict
    """
    vrs = _macro(model, "vrs", estimates)
    excess = _macro(model, "is_excess", estimates)
    absent = [name for name, row in (("vrs", vrs), ("is_excess", excess)) if row is None or math.isnan(row.ci_low)]
    if vrs is None or excess is None or absent:
        return Verdict(model, "not measured", _why_absent(absent, vrs, excess))
    spoken = f"accuracy {_change(vrs, 'falls', 'rises')} when the image is shuffled"
    steady = f"answers change {_change(excess, 'more often', 'less often', after=True)} than on a plain repeat"
    vrs_above, excess_above = vrs.ci_low > 0, excess.ci_low > 0
    if vrs_above and excess_above:
        if vrs.ci_high < MARGIN:
            return Verdict(model, "marginal use", f"The image matters, but little: {spoken}, and {steady}.")
        return Verdict(model, "uses the image", f"{_sentence(spoken)}, and {steady}.")
    if vrs.ci_low >= -MARGIN and vrs.ci_high <= MARGIN and excess.ci_high < MARGIN:
        return Verdict(model, "does not use the image", f"The score stands without the image: {spoken}, and {steady}.")
    if vrs.ci_high < 0:
        return Verdict(model, "worse with the image", f"Shuffling the image helps: {spoken}.")
    if vrs_above != excess_above:
        what = (
            "It gains from the image without changing its answers more than a repeat does"
            if vrs_above
            else "It changes its answers with the image without gaining"
        )
        return Verdict(model, "mixed", f"{what}: {spoken}, and {steady}.")
    needed = max(items_needed(vrs), items_needed(excess))
    return Verdict(
        model,
        "not resolved",
        f"{_sentence(spoken)}, and {steady}; about {needed:,} items would settle it ({vrs.n:,} were used).",
        needed,
    )


def items_needed(row: Estimate) -> int:
    """Items at which the observed difference would be resolved with 80% power, at the observed spread per item.

    A difference smaller than `MARGIN` is not worth resolving from zero: the items are then those at which the interval
    would lie inside the margin.
    """
    error = (row.ci_high - row.ci_low) / _STANDARD_ERRORS_IN_INTERVAL
    return max(row.n, items_to_resolve(max(abs(row.value), MARGIN), error, row.n) or row.n)


def _macro(model: str, metric: str, estimates: Sequence[Estimate]) -> Estimate | None:
    for row in estimates:
        named = (row.model, row.metric, row.dataset, row.stratum)
        if named == (model, metric, "macro", "all") and not row.comparator.startswith("model:"):
            return row
    return None


def _change(row: Estimate, above: str, below: str, after: bool = False) -> str:
    """Size and interval in percentage points, with the word for its direction."""
    sign = -1 if row.value < 0 else 1
    low, high = sorted((sign * row.ci_low, sign * row.ci_high))
    # Adding 0.0 turns a negative zero into a plain one.
    size = f"{100 * abs(row.value):.1f} pp [{100 * low + 0.0:.1f}, {100 * high + 0.0:.1f}]"
    word = below if row.value < 0 else above
    return f"{size} {word}" if after else f"{word} by {size}"


def _why_absent(absent: Sequence[str], vrs: Estimate | None, excess: Estimate | None) -> str:
    needs = {"vrs": "real and shuffle", "is_excess": "real, retest and shuffle"}
    rows = {"vrs": vrs, "is_excess": excess}
    parts = []
    for name in absent:
        row = rows[name]
        if row is None:
            parts.append(f"{name} needs the conditions {needs[name]}, which this run does not have")
        else:
            parts.append(f"{name} {_too_little(row)}")
    return f"Not measured: {'; '.join(parts)}."


def _sentence(text: str) -> str:
    """With a capital at its beginning; `str.capitalize` would also lower every other letter."""
    return text[:1].upper() + text[1:]


def _too_little(row: Estimate) -> str:
    """Why a number that could be computed in principle has no interval."""
    failed = f"; {row.missing:,} items have a request without an answer" if row.missing else ""
    if row.n == 0:
        return "has no usable item" + (failed or ", for its conditions apply to none")
    items = "1 usable item" if row.n == 1 else f"{row.n:,} usable items"
    if row.groups < 2:
        return f"has {items}, all in one group, which gives no interval{failed}"
    return f"has {items} in {row.groups:,} groups{failed}"


def judge(models: Sequence[str], estimates: Sequence[Estimate]) -> dict[str, Verdict]:
    """A verdict for each model, in their order."""
    return {model: rule(model, estimates) for model in models}
