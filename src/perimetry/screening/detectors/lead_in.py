"""How the question is put: negative, doubly negative, vague, a matter of opinion, over-long."""

from __future__ import annotations

import re

from perimetry.screening.dataset_statistics import DatasetStatistics, lead_in
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.screen import HALADYNA, MEDQA_MM, Screen
from perimetry.screening.words import visible

__all__ = ["SCREENS"]

# In the lead-in, "not" counts where it turns the question round, not where it describes the patient.
NEGATIVE = re.compile(
    r"\b(?:except(?:\s+for)?|least\s+(?:likely|appropriate|common|consistent|accurate|helpful|useful|associated)"
    r"|EXCEPT|NOT"
    r"|(?:is|are|was|were|would|does|do|can|could|should|will)\s+not|not\s+(?:true|correct|consistent|associated"
    r"|indicated"
    r"|recommended|a|an|the|seen|likely|typical|appropriate|expected|considered|included)|false|incorrect|untrue"
    r"|inaccurate"
    r"|contraindicated|avoided?|unlikely|cannot|isn['’]t|doesn['’]t|aren['’]t)\b"
)
ASKS = re.compile(r"\b(?:which|what|all of the following|the following|each of)\b|[?]|[:_]\s*$", re.IGNORECASE)
PATIENT = re.compile(r"^(?:he|she|the patient|they|his|her|it|there)\b", re.IGNORECASE)
OPTION_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|absence of|lack of|neither|nor)\b|n['’]t\b", re.IGNORECASE
)
OPINION = re.compile(
    r"^\W*(?:discuss|comment on|describe)\b|\b(?:in your opinion|do you (?:think|believe|feel)|would you (?:say"
    r"|prefer)|you would (?:prefer|consider)|what are your thoughts|your (?:impression|view))\b",
    re.IGNORECASE,
)
QUESTION_WORD = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|does|do|did|has|have|can|could|should"
    r"|would|will|name"
    r"|identify|select|choose|determine|calculate|match|estimate|indicate|find|diagnose|complete|annotate|label)\b",
    re.IGNORECASE,
)
FEW_WORDS = 4
LONG_WORDS = 120
LONG_TIMES = 2


def _lead_in_negation(item: Item) -> tuple[Span, ...]:
    """Where the lead-in turns the question round."""
    asked = lead_in(item.stem)
    if not asked or not ASKS.search(asked) or PATIENT.match(asked):
        return ()
    start = item.stem.rfind(asked)
    if start < 0:
        return ()
    return tuple(
        Span("stem", start + match.start(), start + match.end(), "negative") for match in NEGATIVE.finditer(asked)
    )


def _negative(item: Item, _: DatasetStatistics) -> Finding | None:
    spans = _lead_in_negation(item)
    return Finding((), spans, "medium", item.stem[spans[0].start : spans[0].end].lower()) if spans else None


def _double_negative(item: Item, _: DatasetStatistics) -> Finding | None:
    stem = _lead_in_negation(item)
    if not stem:
        return None
    spans = [
        Span(option.label, match.start(), match.end(), "negative")
        for option in item.options
        for match in OPTION_NEGATION.finditer(option.text)
    ]
    if len(stem) < 2 and not spans:
        return None
    return Finding((), (*stem, *spans), "medium", "negative question" + (" and options" if spans else ", twice"))


def _vague(item: Item, _: DatasetStatistics) -> Finding | None:
    text = visible(item.stem)
    if not text:
        return Finding((), (), "medium", "no stem")
    asks = "?" in text or QUESTION_WORD.search(text) is not None
    if asks and len(item.stem_words) >= FEW_WORDS:
        return None
    note = f"{len(item.stem_words)} words" if asks else "nothing is asked"
    return Finding((), (Span("stem", 0, len(item.stem), note),), "low", note)


def _long(item: Item, known: DatasetStatistics) -> Finding | None:
    count = len(item.stem_words)
    if count < max(LONG_WORDS, LONG_TIMES * known.lengths[1]):
        return None
    return Finding((), (), "low", f"{count} words; the median is {known.lengths[1]}")


def _opinion(item: Item, _: DatasetStatistics) -> Finding | None:
    asked = lead_in(item.stem)
    start = item.stem.rfind(asked)
    spans = tuple(
        Span("stem", start + match.start(), start + match.end(), "opinion")
        for match in OPINION.finditer(asked)
        if start >= 0
    )
    return Finding((), spans, "low") if spans else None


SCREENS = (
    Screen(
        "negative-lead-in",
        "Negative question",
        "stem",
        "item",
        "a lead-in with not, except, least likely, false, contraindicated and the like",
        _negative,
        HALADYNA,
        english=True,
        options=False,
    ),
    Screen(
        "double-negative",
        "Double negative",
        "stem",
        "item",
        "a negative lead-in with a second negation in itself or in the options",
        _double_negative,
        HALADYNA,
        english=True,
        options=False,
    ),
    Screen(
        "vague-stem",
        "Vague or unfinished stem",
        "stem",
        "item",
        "a stem that is empty, asks nothing, or has fewer than four words: the task has to be read from the options",
        _vague,
        HALADYNA,
        english=True,
        options=False,
    ),
    Screen(
        "long-stem",
        "Over-long stem",
        "stem",
        "item",
        "a stem of at least 120 words and twice the data set's median",
        _long,
        HALADYNA,
        options=False,
    ),
    Screen(
        "opinion-lead-in",
        "Matter of opinion",
        "stem",
        "item",
        "a lead-in that asks for an opinion, a discussion or a description",
        _opinion,
        MEDQA_MM,
        english=True,
        options=False,
    ),
)
