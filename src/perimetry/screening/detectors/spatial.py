"""Space in options: side, place, direction, relation, and phrases of source, pathway, target, range and threshold."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Item
from perimetry.screening.screen import MEDQA_MM, Find, Screen

__all__ = ["SCREENS"]

SIDE = re.compile(
    r"\b(?:left|right|bilateral|unilateral|ipsilateral|contralateral|left-sided"
    r"|right-sided)(?:ly)?\b(?!\s+(?:away|now))",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"\b(?:proximal|distal|anterior|posterior|medial|lateral|superior|inferior|dorsal|ventral|volar|palmar"
    r"|plantar|cranial|caudal"
    r"|cephalad|apical|basal|basilar|central|peripheral|upper|lower|middle|mid|inner|outer|superficial|deep"
    r"|midline|axial|rostral"
    r"|antero\w+|postero\w+|superolateral|superomedial|inferolateral|inferomedial)(?:ly)?\b"
    r"|\b(?:intra|extra|supra|infra|sub|retro|peri|para|epi|endo|trans|inter|juxta)(?:-|(?=articular|cranial"
    r"|dural|axial|hepatic"
    r"|peritoneal|thoracic|mural|medullary|ventricular|abdominal|ocular|orbital|capsular|vascular|clavicular"
    r"|spinatus|sternal"
    r"|condylar|trochanteric|pulmonary|diaphragmatic|phrenic|chondral|periosteal|cutaneous|mucosal|arachnoid"
    r"|cardi|osseous))\w+",
    re.IGNORECASE,
)
PREPOSITION = re.compile(
    r"\b(?:from|to|through|via|between|into|within|along|across|towards?|around|above|below|beneath|behind|beyond"
    r"|over|under"
    r"|near|adjacent to|in front of|at the level of|at the|in the|of the|by way of|arising from|originating from"
    r"|supplied by"
    r"|draining into|inserting on)\s+(?=\w)",
    re.IGNORECASE,
)
RANGE = re.compile(
    r"\b(?:between\s+\d[\w.]*\s+and\s+\d|from\s+\d[\w.]*\s+to\s+\d|at least|at most|more than|less than"
    r"|greater than|fewer than"
    r"|no more than|up to|within\s+\d+|over\s+\d|under\s+\d|exceeding|\d+(?:\.\d+)?\s*(?:-|–|to)\s*\d+)|[<>≤≥]\s*\d",
    re.IGNORECASE,
)


def _find(*patterns: re.Pattern[str], lone: bool = False) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        carried = {
            option.label: [span for pattern in patterns for span in matches(option, pattern)] for option in item.options
        }
        if lone and sum(bool(spans) for spans in carried.values()) != 1:
            return None
        return asymmetric(item, carried, "medium")

    return find


SCREENS = (
    Screen(
        "laterality",
        "Side named",
        "option form",
        "option",
        "options that name a side, where others do not",
        _find(SIDE),
        english=True,
    ),
    Screen(
        "spatial-phrase",
        "Place or relation named",
        "option form",
        "option",
        "options with a word of place, direction or anatomic relation, where others have none",
        _find(PLACE),
        english=True,
    ),
    Screen(
        "prepositional-phrase",
        "Prepositional phrase",
        "option form",
        "option",
        "options with a phrase of source, pathway, target or place (from, through, into, at the ...), where others "
        "have none",
        _find(PREPOSITION),
        english=True,
    ),
    Screen(
        "range-or-threshold",
        "Range or threshold",
        "option form",
        "option",
        "options with a range or a threshold, where others have none",
        _find(RANGE),
        english=True,
    ),
    Screen(
        "spatial-outlier",
        "Only option with a place",
        "option form",
        "option",
        "the one option that names a side, place or relation",
        _find(SIDE, PLACE, lone=True),
        MEDQA_MM,
        english=True,
    ),
)
