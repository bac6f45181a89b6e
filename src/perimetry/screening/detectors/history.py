"""What the history gives away: an earlier diagnosis or treatment, the time course."""

from __future__ import annotations

import re

from perimetry.screening.stem_phrases import stem_pattern, stem_screen, triggers

__all__ = ["SCREENS"]

PRIOR = re.compile(
    r"\b(?:(?:past |prior |previous |personal |known |remote )?(?:medical |surgical )?history (?:is "
    r"|was )?(?:significant|notable|remarkable|positive|of)\b"
    r"(?! (?:smoking|alcohol|travel|present illness|trauma|any|allerg))|(?:history|known case) of (?!present"
    r"|smoking|alcohol|travel|trauma|any|allerg)"
    r"|diagnosed with|(?:status|s/p) ?post|post-?operative(?:ly)?|post-?surgical|(?:previous|prior|recent"
    r"|earlier)(?:ly)? "
    r"(?:\w+ )?(?:surgery|operation|resection|radiation|radiotherapy|chemotherapy|transplant(?:ation)?|biopsy"
    r"|procedure|diagnosis"
    r"|fixation|repair|replacement|arthroplasty|stroke|infarction|fracture)|(?:underwent|undergone|had undergone"
    r"|has undergone"
    r"|undergoes|was treated with|is being treated|has been treated|treated with|receiving|received) (?!a physical)"
    r"|after (?:chemotherapy|radiation|radiotherapy|surgery|resection|transplant(?:ation)?)|known (?:to have"
    r"|history|diagnosis))",
    re.IGNORECASE,
)
PRIOR_TRIGGERS = triggers(
    "histor|known|diagnosed|post|previous|prior|recent|earlier|treated|receiv|after |underw|undergo"
)
NO_PRIOR = re.compile(
    r"\b(?:no|denies(?: any)?|without(?: any)?|unremarkable|negative for|non-?contributory)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
NUMBER = r"(?:\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few|a couple of)"
TIMELINE = re.compile(
    rf"\b(?:{NUMBER}[- ](?:second|minute|hour|day|week|month|year)s? (?:ago|later|earlier|prior|previously|before"
    rf"|after|following|post)"
    rf"|for (?:the (?:past|last) )?{NUMBER} (?:minute|hour|day|week|month|year)s?|over (?:the (?:past|last"
    rf"|course of) )?{NUMBER} (?:minute|hour|day|week|month|year)s?"
    rf"|{NUMBER}[- ](?:hour|day|week|month|year) history|since (?:birth|childhood|yesterday|last)"
    rf"|postoperative day \d+"
    r"|sudden(?:ly)?|acute onset|gradual(?:ly)?|progressive(?:ly)?|before and after|pre- and post-\w+|follow-?up)\b",
    re.IGNORECASE,
)
TIMELINE_TRIGGERS = triggers(
    " ago|later|earlier|prior|previously|before|after|following|post|for |over |history|since|sudden|onset"
    "|gradual|progressive|follow"
)


SCREENS = (
    stem_screen(
        "prior-diagnosis-or-treatment",
        "Earlier diagnosis or treatment",
        "a stem that names a history of something, a diagnosis made, or a treatment given; not where it is denied",
        stem_pattern(PRIOR, "medium", PRIOR_TRIGGERS, NO_PRIOR),
    ),
    stem_screen(
        "timeline",
        "Time course",
        "a stem with an interval, an onset or a before and after",
        stem_pattern(TIMELINE, "low", TIMELINE_TRIGGERS),
    ),
)
