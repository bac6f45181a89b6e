"""The rule verifier: accounts for every content word of both texts, and cannot be overruled."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from perimetry.editing.edit import Task, Verdict
from perimetry.editing.references.accounting.clash import clash
from perimetry.editing.references.accounting.differences import differences
from perimetry.editing.references.accounting.language import NOT_ENGLISH, not_english
from perimetry.editing.references.accounting.moved import moved, standing
from perimetry.editing.references.accounting.turning import denies_nothing
from perimetry.editing.references.report import ReportText

__all__ = ["BY", "RuleVerifier", "judge"]

BY = "rules"
LONGEST = 4
ROOM = 400


def judge(original: ReportText, alternative: ReportText, target: str) -> Verdict:
    """The rules' verdict on one alternative.

    Findings, devices, places, states, qualities, sides, numbers, denial and degree of doubt of both texts are held
    against each other; only what the axis is about may differ (reref.txt, section 2.2, whose verifier is a model).

    Parameters
    ----------
    original, alternative : ReportText
    target : str
        ``axis:variation``.

    Examples
    --------
    >>> judge(ReportText("Mild cardiomegaly."), ReportText("Mildly enlarged heart."), "terminology:alternative").outcome
    'accepted'
    >>> judge(ReportText("Mild cardiomegaly."), ReportText("Enlarged heart."), "terminology:alternative").reason
    'a quality was lost: mild (heart)'
    """
    if not_english(original):
        return Verdict(BY, "infeasible", NOT_ENGLISH)
    fault = _unusable(original, alternative)
    if fault:
        return Verdict(BY, "rejected", fault)
    still = moved(original, alternative, target)
    changed = differences(original, alternative, target).explained
    if original == alternative or (still and not changed):
        status, why = standing(original, target)
        if status == "infeasible":
            return Verdict(BY, "infeasible", why)
        if status == "already_in_form":
            return Verdict(BY, "already_in_form", why)
        return Verdict(BY, "rejected", still or "nothing changed")
    if changed:
        return Verdict(BY, "rejected", changed)
    if target == "anatomical_granularity:low":
        contradiction = clash(original)
        if contradiction:
            return Verdict(BY, "rejected", contradiction)
    if still:
        return Verdict(BY, "rejected", still)
    return Verdict(BY, "accepted")


class RuleVerifier:
    """`judge` as a verifier of the editing loop; stands first in every chain.

    Examples
    --------
    >>> task = Task("s1", "structure:free_text", ReportText("1. Clear lungs."))
    >>> RuleVerifier()([(task, ReportText("Clear lungs."))], 1)[0].outcome
    'accepted'
    """

    def __call__(self, pairs: Sequence[tuple[Task[ReportText], ReportText]], _number: int) -> list[Verdict]:
        """Judge every candidate of a round."""
        return [judge(task.original, content, task.kind) for task, content in pairs]


def _unusable(original: ReportText, alternative: ReportText) -> str:
    """What is wrong with a text before its content is looked at."""
    for name in original.sections:
        if not alternative.get(name) and name == "findings":
            return "the findings are empty"
    if not alternative.sections:
        return "the alternative is empty"
    if alternative.impression and not original.impression:
        return "an impression was made where there was none"
    if alternative.findings and not original.findings:
        return "findings were made where there were none"
    if len(alternative.text) > LONGEST * len(original.text) + ROOM:
        return f"it is too long: {len(alternative.text):,} characters for {len(original.text):,}"
    empty = denies_nothing(original.text, alternative.text)
    if empty:
        return f"a denial of nothing: {empty!r}"
    foreign = next((sign for sign in alternative.text if _foreign(sign) and sign not in original.text), "")
    if foreign:
        return f"it is in another script: {foreign!r}"
    return NOT_ENGLISH if not_english(alternative) else ""


def _foreign(sign: str) -> bool:
    return not sign.isascii() and sign.isalpha() and not unicodedata.name(sign, "LATIN").startswith("LATIN")
