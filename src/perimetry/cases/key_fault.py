"""Why an answer names none of the options: the reason that its writer can do something about."""

from __future__ import annotations

import re

from perimetry.cases.question import Option
from perimetry.cases.values import label_of

__all__ = ["key_fault"]

NOT_AMONG = "answer not among the options"
NUMBERED = (
    "answer is a number, not a label or text of an option (whether it counts from 0 or 1 cannot be told: write labels, "
    'or label the options by these numbers: a column options with {"0": "lung", "1": "heart"}, or with --map FILE and '
    'options = { 0 = "A", 1 = "B" } where A and B are columns)'
)
SEVERAL = 'answer names several options in one text (several keys are a list: ["A", "C"])'
SHARED = "answer is the text of more than one option (write the label)"

_BETWEEN = re.compile(r"\s*(?:[,;/|&+]|\band\b|\bor\b|\s)\s*", re.IGNORECASE)


def key_fault(answer: str, options: tuple[Option, ...]) -> str | None:
    """Why the answer of a choice is no label of these options, or None where it is one.

    Examples
    --------
    >>> options = (Option("A", "lung"), Option("B", "heart"))
    >>> key_fault("B", options), key_fault("spleen", options)
    (None, 'answer not among the options')
    >>> key_fault("A, B", options) == key_fault("AB", options) == SEVERAL, key_fault("0", options) == NUMBERED
    (True, True)
    """
    labels = {option.label for option in options}
    if answer in labels:
        return None
    if sum(bool(option.text) and option.text.casefold() == answer.strip().casefold() for option in options) > 1:
        return SHARED
    if re.fullmatch(r"\d{1,2}", answer.strip()):
        return NUMBERED
    parts = [part for part in _BETWEEN.split(answer.strip().strip("[](){}")) if part]
    whole = len(parts) > 1 and all(label_of(part, options) in labels for part in parts)
    return SEVERAL if whole or _run_together(answer, labels) else NOT_AMONG


def _run_together(answer: str, labels: set[str]) -> bool:
    letters = answer.strip()
    return 1 < len(letters) == len(set(letters)) and set(letters) <= labels
