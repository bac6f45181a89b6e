"""Words that make an option conspicuous: absolutes, exclusions, hedges, causal statements, qualifiers, eponyms."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import HALADYNA, MEDQA_MM, Find, Screen

__all__ = ["SCREENS"]

# "Complete" and "total" are names of diseases and operations (complete heart block, total hip arthroplasty), "all" in
# the end of a word list and "no" before a treatment are not rules: these count in the forms below only.
ABSOLUTE = re.compile(
    r"\b(?:always|never|only|solely|exclusively|entirely|completely|absolutely|totally|invariably|inevitably|must"
    r"|cannot"
    r"|impossible|every|everyone|nobody|without exception|under no circumstances|in all (?:cases|patients|instances)"
    r"|all (?:patients|cases|children|adults|of (?:these|those|them))|none of (?:these|those|them)|no patients?"
    r"|100 ?%)\b",
    re.IGNORECASE,
)
EXCLUSIONARY = re.compile(
    r"\b(?:except|excluding|excludes?|exclusion of|other than|but not|rather than|regardless of|irrespective of"
    r"|no (?:need|role|place|further|additional|treatment|intervention|therapy|surgery|association|change|risk|effect)"
    r"|not (?:associated|indicated|required|necessary|related|recommended|affected))\b",
    re.IGNORECASE,
)
HEDGE = re.compile(
    r"\b(?:may|might|can|could|usually|often|sometimes|generally|frequently|typically|possibly|probably|tends? to"
    r"|in (?:most|some|many) (?:cases|patients))\b",
    re.IGNORECASE,
)
MAY_MONTH = re.compile(r"\bMay\b")
CAUSAL = re.compile(
    r"\b(?:due to|caused by|causes|causing|because of|because|leads? to|leading to|results? (?:in|from)"
    r"|resulting (?:in|from)"
    r"|secondary to|mediated by|induces|inhibits|stimulates|activates|prevents|reduces|increases|decreases|impairs"
    r"|in order to|thereby|so that)\b",
    re.IGNORECASE,
)
QUALIFIER = re.compile(
    r"\b(?:acute|subacute|chronic|early|late|mild|moderate|severe|partial|full-thickness|complete|incomplete|primary"
    r"|secondary|recurrent|diffuse|focal|localized|localised|multifocal|bilateral|unilateral|left|right|upper|lower"
    r"|anterior|posterior|medial|lateral|proximal|distal|superior|inferior|central|peripheral|displaced|nondisplaced"
    r"|comminuted|open|closed|high-grade|low-grade|invasive|metastatic|type [0-9IVX]+|stage [0-9IVX]+[AB]?"
    r"|grade [0-9IVX]+"
    r"|class [0-9IVX]+|[0-9]+(?:\.[0-9]+)? ?(?:mg|mm|cm|ml|%|weeks?|days?|months?|years?|hours?))\b",
    re.IGNORECASE,
)
MANY_QUALIFIERS = 2
# A capitalised name before the noun that it names; or a possessive.
EPONYM = re.compile(
    r"\b[A-Z][a-zéèöüäøåß]{2,}(?:['’]s|(?:[-–][A-Z][a-zéèöüäøåß]+)+(?:['’]s)?)(?!\w)"
    r"|\b(?!The\b|This\b|Left\b|Right\b|Acute\b|Chronic\b)[A-Z][a-zéèöüäøåß]{3,}"
    r" (?:disease|syndrome|sign|fracture|lesion|tumou?r|palsy|procedure|maneuver|manoeuvre|test|classification"
    r"|phenomenon"
    r"|aneurysm|cyst|bodies|cells|lymphoma|sarcoma|esophagus|thyroiditis|triad|node|nodes|duct|pouch)\b"
)
# Adjectives and nouns that open an option with a capital and stand before such a noun.
NO_NAMES = re.compile(
    r"^(?:[A-Z][a-z]*(?:al|ar|ic|ed|ing|ous|ive|ary|ory|ine|oid|ile|ant|ent|ate|ible|able|itis|osis|oma|ion|ism|ity|ness"
    r"|lex|ior|ple)"
    r"|(?i:oss|cell|bone|lung|liver|heart|kidney|brain|breast|skin|joint|valve|vein|nerve|stress|muscle|spleen|spindle"
    r"|giant|clear|mixed|small|large|mast|germ|stem|plasma|target|blood|drug|phase|motor|brown|blue|white|yellow|green"
    r"|wart|rule|foot|hand|knee|ankle|wrist|elbow|shoulder|spine|skull|neck|chest|bladder|thyroid|pituitary)) "
)


def _find(pattern: re.Pattern[str], severity: str) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        carried = {option.label: matches(option, pattern) for option in item.options}
        return asymmetric(item, carried, "high" if severity == "high" else "medium")

    return find


def _hedge(item: Item, _: DatasetStatistics) -> Finding | None:
    carried = {}
    for option in item.options:
        months = {found.start() for found in MAY_MONTH.finditer(option.text) if found.start()}
        carried[option.label] = [span for span in matches(option, HEDGE) if span.start not in months]
    return asymmetric(item, carried, "medium")


def _specific(item: Item, _: DatasetStatistics) -> Finding | None:
    spans = {option.label: matches(option, QUALIFIER) for option in item.options}
    counts = sorted((len(found) for found in spans.values()), reverse=True)
    if len(counts) < 2 or counts[0] - counts[1] < MANY_QUALIFIERS:
        return None
    label = next(label for label, found in spans.items() if len(found) == counts[0])
    note = f"{counts[0]} qualifiers, next {counts[1]}"
    return asymmetric(item, {label: spans[label]}, "medium", note)


def _eponym(item: Item, _: DatasetStatistics) -> Finding | None:
    carried = {
        option.label: [
            span for span in matches(option, EPONYM, "eponym") if not NO_NAMES.match(option.text[span.start :])
        ]
        for option in item.options
    }
    having = [label for label, found in carried.items() if found]
    if len(having) == len(item.options) - 1 and len(item.options) > 2:
        lone = next(option for option in item.options if not carried[option.label])
        return Finding((lone.label,), (), "medium", "alone without an eponym")
    return asymmetric(item, carried, "medium") if len(having) == 1 else None


SCREENS = (
    Screen(
        "absolute-word",
        "Absolute word",
        "option form",
        "option",
        "options with always, never, only, must and the like, where others have none",
        _find(ABSOLUTE, "high"),
        HALADYNA,
        english=True,
    ),
    Screen(
        "exclusionary-word",
        "Exclusionary word",
        "option form",
        "option",
        "options with except, rather than, no need, not indicated and the like, where others have none",
        _find(EXCLUSIONARY, "medium"),
        MEDQA_MM,
        english=True,
    ),
    Screen(
        "hedged-word",
        "Hedged word",
        "option form",
        "option",
        "options with may, usually, often and the like, where others have none: the soft counterpart of absolutes",
        _hedge,
        HALADYNA,
        english=True,
    ),
    Screen(
        "causal-statement",
        "Causal statement",
        "option form",
        "option",
        "options that state a cause or mechanism, where others are labels",
        _find(CAUSAL, "medium"),
        MEDQA_MM,
        english=True,
    ),
    Screen(
        "asymmetric-specificity",
        "More specific than the others",
        "option form",
        "option",
        "an option with at least two more qualifiers (severity, stage, side, course, amount) than every other one",
        _specific,
        HALADYNA,
        english=True,
    ),
    Screen(
        "eponym",
        "Eponym",
        "option form",
        "option",
        "an option that alone is named after a person, or alone is not",
        _eponym,
        MEDQA_MM,
        english=True,
    ),
)
