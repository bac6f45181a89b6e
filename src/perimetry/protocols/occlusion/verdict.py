"""The verdict on a model: what the findings of its reports rest on, in one sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from perimetry.runs.estimates import Estimate

__all__ = ["MARGIN", "Ruling", "Verdict", "controls_disagree", "find_row", "judge", "rule", "spoken"]

Ruling = Literal[
    "set off by noise",
    "disturbed by any cover",
    "grounded in the regions",
    "leans on context",
    "regions and context",
    "rests on priors",
    "states too little",
    "not resolved",
    "not measured",
]

MARGIN = 0.05
"""Differences inside +-5 percentage points count as practically none."""

Row = Estimate | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model's findings rest on.

    Parameters
    ----------
    model : str
    verdict : str
        One of `Ruling`.
    reason : str
        One sentence with the intervals that decided.
    """

    model: str
    verdict: Ruling
    reason: str

    def to_dict(self) -> dict[str, object]:
        """As plain data for verdicts.json."""
        return asdict(self)


def rule(model: str, estimates: Sequence[Estimate]) -> Verdict:
    """Judge one model from macro-mean intervals at the highest strength; the first line that holds.

    1. ``delta_oco`` has no interval: ``not measured``.
    2. under ``oco`` the rate of false statements on studies without the class rises by more than 0.05 (the whole
       interval): ``set off by noise`` - the same noise that hides a finding makes the model state it, so that neither
       delta can be trusted.
    3. of the two controls only the unmatched one is beaten: ``delta_oco`` lies above 0, ``delta_oco_matched`` does not,
       and the two disagree (`controls_disagree`): ``disturbed by any cover``.
    4. both ``delta_oco`` and ``delta_doco`` above 0.05 at their lower ends: ``regions and context``; the first alone,
       the second ending below it: ``grounded in the regions``; the second alone: ``leans on context``.
    5. ``mu_f1`` under ``real`` ends below 0.05: ``states too little``.
    6. every delta inside +-0.05, and noise all over costs less than 0.05: ``rests on priors``.
    7. otherwise ``not resolved``.

    With both controls in the run, a delta is above 0.05 when it is so against each of them.

    Parameters
    ----------
    model : str
    estimates : sequence of Estimate
        All estimates of the run.
    """
    oco, oco_matched = _both(model, "delta_oco", estimates)
    doco, doco_matched = _both(model, "delta_doco", estimates)
    main = oco if _known(oco) else oco_matched
    if main is None or not _known(main):
        return Verdict(model, "not measured", _why_absent(main))
    covered = f"covering the finding{_below_full(main)} {spoken(main)}"
    matched = (
        f" ({spoken(oco_matched)} against a cover of equal area)" if oco_matched and main is not oco_matched else ""
    )
    context = doco if _known(doco) else doco_matched
    beside = (
        f"covering what comes with it{_below_full(context)} {spoken(context)}"
        if context is not None and _known(context)
        else "nothing comes with it that could be covered"
    )
    rise = find_row(estimates, model, "false_statement_rise", condition=main.condition)
    if rise is not None and rise.ci_low > MARGIN:
        return Verdict(
            model,
            "set off by noise",
            f"Covered regions make it state findings that are not there: {_rate(rise)} on studies without the "
            f"class. {_sentence(covered)}, which says nothing about what it reads.",
        )
    beaten = oco_matched is None or not _known(oco_matched) or oco_matched.ci_low > 0
    if main.ci_low > 0 and not beaten and oco_matched is not None and controls_disagree(main, oco_matched):
        return Verdict(
            model,
            "disturbed by any cover",
            f"{_sentence(covered)} against small random covers, but {spoken(oco_matched)} against covers of equal "
            "area: the size of the cover explains it.",
        )
    leans = _above(doco, doco_matched)
    if _above(oco, oco_matched):
        if leans:
            return Verdict(model, "regions and context", f"{_sentence(covered)}{matched}, and {beside}.")
        if context is None or not _known(context) or context.ci_high < main.ci_low:
            return Verdict(model, "grounded in the regions", f"{_sentence(covered)}{matched}; {beside}.")
    if leans and main.ci_high < context.ci_low:  # type: ignore[union-attr]  # what leans is known
        return Verdict(model, "leans on context", f"{_sentence(beside)}, while {covered}{matched}.")
    level = find_row(estimates, model, "mu_f1", condition="real")
    if level is not None and level.ci_high < MARGIN:
        return Verdict(
            model, "states too little", f"It states {_percent(level)} of the findings that are there: nothing to lose."
        )
    noise = find_row(estimates, model, "delta_fn_14")
    known = [row for row in (oco, oco_matched, doco, doco_matched, noise) if row is not None and _known(row)]
    if all(row.ci_low >= -MARGIN and row.ci_high <= MARGIN for row in known):
        whole = f"; noise all over {spoken(noise)} of F1" if noise is not None and _known(noise) else ""
        return Verdict(model, "rests on priors", f"{_sentence(covered)}, {beside}{whole}.")
    return Verdict(model, "not resolved", f"{_sentence(covered)}{matched}, {beside}.")


def judge(models: Sequence[str], estimates: Sequence[Estimate]) -> dict[str, Verdict]:
    """A verdict for each model, in their order."""
    return {model: rule(model, estimates) for model in models}


def find_row(
    estimates: Sequence[Estimate], model: str, metric: str, *, condition: str = "", stratum: str = "all"
) -> Estimate | None:
    """The macro-mean row of a metric, under a condition if one is named; the first one otherwise."""
    for row in estimates:
        named = (row.model, row.metric, row.dataset, row.stratum)
        if named != (model, metric, "macro", stratum) or row.comparator.startswith("model:"):
            continue
        if not condition or row.condition == condition:
            return row
    return None


def spoken(row: Estimate) -> str:
    """A drop in words, with its interval in percentage points.

    Examples
    --------
    >>> spoken(Estimate("occlusion", "macro", "m", "delta_oco", value=0.5, ci_low=0.4, ci_high=0.6))
    'costs 50.0 pp [40.0, 60.0]'

    An interval without width is not a precise one, and is not written like one.

    >>> spoken(Estimate("occlusion", "macro", "m", "delta_oco", value=1.0, ci_low=1.0, ci_high=1.0))
    'costs 100.0 pp (in every resample)'
    """
    nothing = abs(row.value) < 0.0005
    if row.ci_high - row.ci_low < 1e-12:
        word = "gains" if row.value < 0 and not nothing else "costs"
        return f"{word} {'nothing' if nothing else f'{100 * abs(row.value):.1f} pp'} (in every resample)"
    if nothing:
        return f"costs nothing [{100 * row.ci_low + 0.0:.1f}, {100 * row.ci_high + 0.0:.1f}]"
    sign = -1 if row.value < 0 else 1
    low, high = sorted((sign * row.ci_low, sign * row.ci_high))
    word = "gains" if sign < 0 else "costs"
    return f"{word} {100 * abs(row.value):.1f} pp [{100 * low + 0.0:.1f}, {100 * high + 0.0:.1f}]"


def controls_disagree(first: Estimate, second: Estimate) -> bool:
    """Whether a delta is another one against the other control.

    They differ by more than `MARGIN`, and neither value lies in the interval of the other.

    Examples
    --------
    >>> one = Estimate("occlusion", "macro", "m", "delta_oco", value=0.5, ci_low=0.4, ci_high=0.6)
    >>> other = Estimate("occlusion", "macro", "m", "delta_oco_matched", value=0.0, ci_low=-0.05, ci_high=0.05)
    >>> controls_disagree(one, other)
    True
    """
    outside = not second.ci_low <= first.value <= second.ci_high and not first.ci_low <= second.value <= first.ci_high
    return abs(first.value - second.value) > MARGIN and outside


def _rate(row: Estimate) -> str:
    return f"{100 * row.value:.1f} pp [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}] more false statements"


def _percent(row: Estimate) -> str:
    return f"{100 * row.value:.1f}% [{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}]"


def _both(model: str, metric: str, estimates: Sequence[Estimate]) -> tuple[Row, Row]:
    """A delta against the paper's control and against the matched one, at the highest strength under one fill."""
    return find_row(estimates, model, metric), find_row(estimates, model, f"{metric}_matched")


def _known(row: Row) -> bool:
    return row is not None and not math.isnan(row.ci_low)


def _above(*rows: Row) -> bool:
    known = [row for row in rows if row is not None and _known(row)]
    return bool(known) and all(row.ci_low > MARGIN for row in known)


def _why_absent(row: Row) -> str:
    if row is None:
        return "Not measured: delta_oco needs the conditions oco and ro (or romatched), which this run does not have."
    failed = f"; {row.missing:,} cases have a request without an answer" if row.missing else ""
    cases = "1 usable case" if row.n == 1 else f"{row.n:,} usable cases"
    return f"Not measured: delta_oco has {cases} in {row.groups:,} groups{failed}."


def _below_full(row: Estimate) -> str:
    """The strength of a cover that leaves part of the region to be seen; empty at 100."""
    strength = row.condition.partition("@")[2].partition("(")[0]
    return f" at {float(strength):g}% strength" if strength and float(strength) < 100 else ""


def _sentence(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
