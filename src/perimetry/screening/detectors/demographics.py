"""Age and sex of the patient: in nearly every vignette, so kept apart from the natural clinical context."""

from __future__ import annotations

import re

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.screen import Find, Screen

__all__ = ["SCREENS"]

AGE = re.compile(
    r"\b\d{1,3}(?:\.\d+)?[- ]?(?:day|week|month|year|yr)s?[- ]?old\b|\b\d{1,3} ?(?:y/?o|yo)\b|\b(?:aged?"
    r"|age of) \d{1,3}\b"
    r"|\b(?:newborn|neonate|infant|toddler|child(?!birth|bearing)(?:ren)?|teenager|adolescent|elderly|middle-aged"
    r"|geriatric)s?\b",
    re.IGNORECASE,
)
SEX = re.compile(
    r"\b(?:wom[ae]n|m[ae]n(?!['’]s health)|girls?|boys?|ladies|lady|gentlem[ae]n|female|male|[0-9]+ ?(?:yo"
    r"|y/o)? ?[MF])\b(?! (?:connector|end|plug))",
    re.IGNORECASE,
)


def _find(pattern: re.Pattern[str]) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        spans = tuple(
            Span("stem", match.start(), match.end(), match[0].lower()) for match in pattern.finditer(item.stem)
        )
        return Finding((), spans, "low") if spans else None

    return find


SCREENS = (
    Screen(
        "patient-age",
        "Age of the patient",
        "context",
        "item",
        "a stem that gives an age or a stage of life",
        _find(AGE),
        english=True,
        options=False,
    ),
    Screen(
        "patient-sex",
        "Sex of the patient",
        "context",
        "item",
        "a stem that gives the patient's sex; pregnancy and the like are a context category of their own",
        _find(SEX),
        english=True,
        options=False,
    ),
)
