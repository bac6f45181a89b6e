"""What should never reach a prompt: an answer, a rationale, the source."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import MEDQA_MM, Screen
from perimetry.screening.stem_phrases import stem_pattern, stem_screen, triggers

__all__ = ["SCREENS"]

RATIONALE = re.compile(
    r"\b(?:explanation|rationale|correct (?:answer|option|choice)|(?:the )?answer is|answer key|answer)\s*(?::"
    r"|is\b)(?! (?:which|what))"
    r"|\b(?:the correct answer is|explanation:)",
    re.IGNORECASE,
)
IN_OPTION = re.compile(
    r"\b(?:explanation|rationale|correct (?:answer|option|choice)|answer is|(?:the|this) (?:added "
    r"|new )?option \(?[A-J]\)?|distractors?"
    r"|because (?:this|the) option)\b|\n\s*\n",
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b(?:chapter \d+|courtesy of|reproduced (?:from|with)|adapted from|copyright|©|all rights reserved"
    r"|radiopaedia|orthobullets|amboss"
    r"|uworld|statpearls|case courtesy|et al\.|doi:|https?://\S+|www\.\S+|page \d+|section \d+(?:\.\d+)*"
    r"|self-assessment"
    r"|board review|keywords?:|topic:|title:|category:)",
    re.IGNORECASE,
)
SOURCE_TRIGGERS = triggers(
    "chapter|courtesy|from|copyright|©|rights|radiopaedia|orthobullets|amboss|uworld|statpearls|et al|doi|http"
    "|www|page |section |assessment|board|keyword|topic|title|category"
)


def _in_option(item: Item, _: DatasetStatistics) -> Finding | None:
    return asymmetric(
        item, {option.label: matches(option, IN_OPTION, "talk about the option") for option in item.options}, "high"
    )


SCREENS = (
    stem_screen(
        "rationale-in-stem",
        "Answer or rationale in the stem",
        "a stem with an answer, explanation or rationale as a heading",
        stem_pattern(RATIONALE, "high", ("answer", "correct", "explanation", "rationale")),
    ),
    Screen(
        "rationale-in-option",
        "Rationale inside an option",
        "option form",
        "option",
        "options that talk about answers, options or distractors, or hold a second paragraph, where others do not",
        _in_option,
        MEDQA_MM,
        english=True,
    ),
    stem_screen(
        "source-language",
        "Source or topic in the stem",
        "a stem with a chapter, topic, source, link or copyright",
        stem_pattern(SOURCE, "medium", SOURCE_TRIGGERS),
    ),
)
