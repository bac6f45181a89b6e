"""Options about the other options: all, none, both."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import HALADYNA, Find, Screen

__all__ = ["SCREENS"]

OTHERS = (
    r"(?:the\s+|these\s+|those\s+)?(?:above|others?|options?|choices?|answers?|following|listed|mentioned|preceding)"
)
ALL = re.compile(
    rf"^\W*all(?:\s+(?:of\s+)?{OTHERS})(?:\s+\w+)*\W*$|^\W*all(?:\s+of\s+(?:these|those|them"
    rf"|the\s+above))?(?:\s+are\s+\w+)?\W*$"
    r"|\ball\s+of\s+the\s+above\b",
    re.IGNORECASE,
)
NONE = re.compile(
    rf"^\W*none(?:\s+(?:of\s+)?{OTHERS})(?:\s+\w+)*\W*$|^\W*none(?:\s+of\s+(?:these|those|them))?(?:\s+(?:is"
    rf"|are)\s+\w+)?\W*$"
    r"|\bnone\s+of\s+the\s+above\b|^\W*neither(?:\s+of\s+\w+)?\W*$",
    re.IGNORECASE,
)
NEXT = r"(?:[A-J]|[IVX]{1,4}|\d)"
BOTH = re.compile(
    rf"^\W*(?:both|either|neither)\b.*\b(?:above|of\s+(?:these|them))\W*$"
    # Digits alone around a plus are a sum or a grade (3 + 4), no labels; nor is what an equals sign begins.
    r"|^(?!\s*=)(?![^+A-Za-z_]*\+[\W\d]*$)"
    rf"\W*(?:both\s+|either\s+|neither\s+)?(?:options?\s+|choices?\s+)?\(?{NEXT}\)?(?:\s*,\s*\(?{NEXT}\)?)*\s*,?\s*"
    rf"(?:and|or|nor|&|\+)\s*\(?{NEXT}\)?(?:\s+(?:only|are\s+\w+))?\W*$",
    re.IGNORECASE,
)


def _find(pattern: re.Pattern[str]) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        return asymmetric(item, {option.label: matches(option, pattern) for option in item.options}, "high")

    return find


SCREENS = (
    Screen(
        "all-of-the-above",
        "All of the above",
        "option form",
        "option",
        "an option that says that all others are right",
        _find(ALL),
        HALADYNA,
        english=True,
    ),
    Screen(
        "none-of-the-above",
        "None of the above",
        "option form",
        "option",
        "an option that says that no other is right",
        _find(NONE),
        HALADYNA,
        english=True,
    ),
    Screen(
        "both-options",
        "Both options",
        "option form",
        "option",
        "an option that joins others by their labels (A and C, both of these, I and II only)",
        _find(BOTH),
        HALADYNA,
        version=2,
        english=True,
    ),
)
